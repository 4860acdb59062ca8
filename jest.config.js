// Tests run on what is built: dist holds each test beside the file it tests, so workers and bins are the real ones.
const project = (name, extra = {}) => ({
  displayName: name,
  rootDir: name,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/dist/**/*.test.js'],
  transform: {},
  ...extra,
});
export default {
  maxWorkers: 2,
  testTimeout: 120_000,
  projects: [project('shared'), project('sink'), project('server')],
};
