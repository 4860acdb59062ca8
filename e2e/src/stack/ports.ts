import { createServer } from 'node:net';
import { StackError } from './stack-error.js';

// Below the ephemeral range, so that no outgoing connection can take a port between the choice and the bind.
const lowest = 20_000;
const highest = 31_999;
const taken = new Set<number>();

/** A port on 127.0.0.1 that is free now and that this process gives out once. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (taken.has(port) || !(await isFree(port))) continue;
    taken.add(port);
    return port;
  }
  throw new StackError(`no free port was found on 127.0.0.1 between ${lowest} and ${highest}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
