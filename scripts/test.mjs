// `npm test`: builds, starts the local stack where this machine can, runs every suite, and prints the sum as its last line.
//   OSSIAN_STACK=required   fail instead of skipping where the real stack cannot be started (as CI does)
//   OSSIAN_STACK=none       only what needs no services
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const inside = process.argv.includes('--inside-stack');
const sumFile = '.reports/sum.txt';
const mode = process.env.OSSIAN_STACK ?? 'auto';
const suites = [
  { name: 'unit and integration', args: [] },
  { name: 'whole system', args: ['--config', 'e2e/jest.config.js', '--runInBand'] },
];

function run(command, args, environment = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  return status ?? 1;
}

/** Runs each suite with jest's own JSON report; a suite that leaves no report counts as failed. */
function runSuites() {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [index, { name, args }] of suites.entries()) {
    console.log(`\n== ${name}`);
    const report = `.reports/${index}.json`;
    const flags = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const status = run(process.execPath, [...flags, ...args, '--json', `--outputFile=${report}`, '--silent'], {
      NODE_ENV: 'test',
    });
    const result = readReport(report);
    sum.passed += result.numPassedTests;
    sum.skipped += result.numPendingTests;
    const broken = result.numRuntimeErrorTestSuites;
    sum.failed += result.numFailedTests + broken + (status !== 0 && result.numFailedTests + broken === 0 ? 1 : 0);
  }
  const ran = sum.passed + sum.failed > 0;
  writeFileSync(sumFile, `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
  return sum.failed === 0 && ran ? 0 : 1;
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numRuntimeErrorTestSuites: 1 };
  }
}

function main() {
  rmSync('.reports', { recursive: true, force: true });
  mkdirSync('.reports');
  const status = runAll();
  // The last line of all, behind what the stack says while it stops.
  console.log(`\n${existsSync(sumFile) ? readFileSync(sumFile, 'utf8') : '0 passed, 1 failed'}`);
  return status;
}

function runAll() {
  if (run('npm', ['run', 'build', '--silent']) !== 0) return 1;
  const available = mode !== 'none' && run(process.execPath, ['e2e/bin/stack.js', 'check']) === 0;
  if (available)
    return run(process.execPath, ['e2e/bin/stack.js', 'run', '--', process.execPath, 'scripts/test.mjs', '--inside-stack']);
  if (mode === 'required') {
    console.log('the real stack is required and cannot be started here: see the lines above');
    return 1;
  }
  console.log(
    'the real stack is left out: tests against Kafka, Debezium and Postgres are skipped (OSSIAN_STACK=required makes that a failure)',
  );
  return runSuites();
}

process.exit(inside ? runSuites() : main());
