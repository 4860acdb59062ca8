import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes lines as fast as they are taken. A reader that has seen enough (`| head`) ends it, and that is no fault. */
export async function printLines(lines: AsyncIterable<string>, output: Writable): Promise<void> {
  try {
    await pipeline(Readable.from(withBreaks(lines)), output, { end: false });
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`;
}

function isBrokenPipe(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPIPE';
}
