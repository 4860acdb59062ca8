// Whole-system tests: they share one running stack (the one that "stack run" gives, else one that is started here).
export default {
  displayName: 'e2e',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/dist/**/*.test.js'],
  transform: {},
  testTimeout: 180_000,
  maxWorkers: 1,
  globalSetup: '<rootDir>/dist/testing/global-setup.js',
  globalTeardown: '<rootDir>/dist/testing/global-teardown.js',
};
