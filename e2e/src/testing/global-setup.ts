import { missingRequirements, StackError, startStack } from '../stack/index.js';
import { keepStack } from './shared-stack.js';

/** Starts the stack for all whole-system tests, unless one is given or wanted by nobody; see scripts/test.mjs for OSSIAN_STACK. */
export default async function setUp(): Promise<void> {
  const mode = process.env['OSSIAN_STACK'] ?? 'auto';
  if (process.env['OSSIAN_TEST_KAFKA'] !== undefined || mode === 'none') return;
  const missing = missingRequirements();
  if (missing.length > 0) {
    if (mode === 'required')
      throw new StackError(`the real stack is required and cannot be started here:\n${missing.join('\n')}`);
    process.stderr.write(`whole-system tests are skipped: ${missing.join('\n')}\n`);
    return;
  }
  const stack = await startStack({ progress: (line) => void process.stderr.write(`stack: ${line}\n`) });
  keepStack(stack);
  Object.assign(process.env, stack.environment());
}
