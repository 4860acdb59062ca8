import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OssianClient } from '@ossian/shared';

/** A demo server that `--keep` left running, for `--ask` to find. */
export interface KeptServer {
  readonly pid: number;
  readonly url: string;
  readonly key: string;
  readonly corpus: string;
}

const file = join(tmpdir(), `ossian-demo-${process.getuid?.() ?? 'user'}.json`);

export function announceKeptServer(server: KeptServer): void {
  writeFileSync(file, JSON.stringify(server), { mode: 0o600 });
}

export function forgetKeptServer(): void {
  rmSync(file, { force: true });
}

/** The kept server, where one still answers. */
export async function findKeptServer(): Promise<KeptServer | undefined> {
  const server = readKeptServer();
  if (server === undefined) return undefined;
  try {
    await new OssianClient({ url: server.url, apiKey: server.key }).corpus(server.corpus, { signal: AbortSignal.timeout(5000) });
    return server;
  } catch {
    forgetKeptServer(); // it has ended, or is another service on the same port
    return undefined;
  }
}

function readKeptServer(): KeptServer | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeptServer;
  } catch {
    return undefined; // no demo was kept
  }
}
