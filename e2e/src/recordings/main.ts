import { fileURLToPath } from 'node:url';
import { ProcessError } from '../processes/process-error.js';
import { StackError, startStack } from '../stack/index.js';
import { recordKnowledgeBase } from './record-knowledge-base.js';

const recorders = { 'knowledge-base': recordKnowledgeBase } as const;
const progress = (line: string): void => void process.stderr.write(`record: ${line}\n`);

/** Makes a recording again on a fresh stack; sets the exit code. */
export async function runRecordCommand([name = '']: readonly string[]): Promise<void> {
  const record = Object.entries(recorders).find(([known]) => known === name)?.[1];
  if (record === undefined) {
    process.stderr.write(`Usage: record NAME\nRecordings: ${Object.keys(recorders).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const stack = await startStack({ parts: ['kafka', 'connect', 'source-postgres'], progress });
    try {
      const folder = fileURLToPath(new URL(`../../recordings/${name}/`, import.meta.url));
      const { before, after } = await record(stack, folder);
      progress(`${name}: ${before} records before, ${after} after, in ${folder}`);
    } finally {
      await stack.stop();
    }
  } catch (error) {
    if (!StackError.is(error) && !ProcessError.is(error)) throw error;
    process.stderr.write(`record: ${error.message}\n`);
    process.exitCode = 1;
  }
}
