// The lint step: format, rules, import direction and cycles, generated docs. Runs all, then fails if any failed.
import { spawnSync } from 'node:child_process';

const steps = [
  ['prettier', '--check', '--log-level', 'warn', '.'],
  ['eslint', '--max-warnings', '0', '.'],
  ['depcruise', '--config', '.dependency-cruiser.cjs', 'shared/src', 'sink/src', 'server/src', 'e2e/src'],
  ['node', 'scripts/configuration-reference.mjs', '--check'],
];
let failed = 0;
for (const [command, ...args] of steps) {
  const file = command === 'node' ? process.execPath : `node_modules/.bin/${command}`;
  const { status } = spawnSync(file, args, { stdio: 'inherit' });
  if (status !== 0) {
    failed += 1;
    console.error(`lint: ${command === 'node' ? args[0] : command} found faults`);
  }
}
process.exit(failed === 0 ? 0 : 1);
