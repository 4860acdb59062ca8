import tseslint from 'typescript-eslint';

const bareError = [
  {
    selector: "NewExpression[callee.name='Error']",
    message: 'Throw a named error class that says what to do, not a bare Error.',
  },
];
const nodeGlobals = [
  'Buffer',
  'process',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'fetch',
  'Date',
  'performance',
  'crypto',
  '__dirname',
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/*.js', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...bareError],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**/*.ts', '**/testing/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 500 }],
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // The sink's mapping core is pure: it can run inside a JVM's JavaScript too.
    files: [
      'sink/src/record/**/*.ts',
      'sink/src/convert/json/**/*.ts',
      'sink/src/transform/**/*.ts',
      'sink/src/debezium/**/*.ts',
      'sink/src/deliver/map/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ...nodeGlobals],
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
    },
  },
);
