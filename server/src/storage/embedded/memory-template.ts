import { existsSync, openAsBlob, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';

/**
 * Making a cluster takes seconds, reading one that was made takes a fraction: databases in memory, of which tests make hundreds, begin
 * from one that is kept in the temporary folder for as long as PGlite is the same.
 */
function templatePath(): string {
  const { mtimeMs, size } = statSync(fileURLToPath(import.meta.resolve('@electric-sql/pglite')));
  return join(tmpdir(), `ossian-memory-template-${process.getuid?.() ?? 0}-${Math.round(mtimeMs)}-${size}.tar.gz`);
}

/** Options for a database in memory; where the template is missing, the first one makes it. */
export async function fromTemplate(
  create: (options: PGliteOptions) => Promise<PGlite>,
): Promise<Pick<PGliteOptions, 'loadDataDir'>> {
  const path = templatePath();
  if (!existsSync(path)) {
    const fresh = await create({});
    const dump = await fresh.dumpDataDir('gzip');
    await fresh.close();
    const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    writeFileSync(draft, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
    try {
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return { loadDataDir: await openAsBlob(path) };
}
