import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sleep } from '@ossian/shared';
import type { Progress } from './run-command.js';

const inventoryName = 'inventory.json';

/** Where downloads are kept: OSSIAN_STACK_CACHE, else ~/.cache/ossian-stack. */
export function cacheFolder(): string {
  const folder = process.env['OSSIAN_STACK_CACHE'] || join(homedir(), '.cache', 'ossian-stack');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * A folder of the cache, filled once by `fill`. It is complete when its inventory is there and every file in it has the
 * size that was written down; otherwise it is made again. It is filled under another name and renamed, so that no other
 * process ever sees half of it, and a lock keeps two from downloading the same at the same time.
 *
 * @param name says what is in it and in which version: another version is another folder.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>, progress: Progress): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (isComplete(folder)) return folder;
  const release = await lock(`${folder}.lock`, () => isComplete(folder), progress);
  if (release === undefined) return folder;
  try {
    if (isComplete(folder)) return folder;
    removeAbandoned(folder);
    const partial = `${folder}.partial-${process.pid}-${randomBytes(3).toString('hex')}`;
    mkdirSync(partial);
    try {
      await fill(partial);
      writeFileSync(join(partial, inventoryName), JSON.stringify(listFiles(partial)));
      rmSync(folder, { recursive: true, force: true });
      renameSync(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return folder;
  } finally {
    release();
  }
}

/** Half-filled folders of processes that were killed; we hold the lock, so nobody fills one now. */
function removeAbandoned(folder: string): void {
  const prefix = `${basename(folder)}.partial-`;
  for (const name of readdirSync(dirname(folder)))
    if (name.startsWith(prefix)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
}

function listFiles(folder: string): Record<string, number> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = entries.filter((path) => path !== inventoryName && statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, statSync(join(folder, path)).size]));
}

/** Whether a folder of the cache is there and whole. */
export function isComplete(folder: string): boolean {
  try {
    const inventory = JSON.parse(readFileSync(join(folder, inventoryName), 'utf8')) as Record<string, number>;
    return Object.entries(inventory).every(([path, size]) => statSync(join(folder, path)).size === size);
  } catch {
    return false;
  }
}

/** @returns the release, or undefined where another process finished the work while we waited. */
async function lock(file: string, done: () => boolean, progress: Progress): Promise<(() => void) | undefined> {
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = lockHolder(file);
    if (holder === 'gone') rmSync(file, { force: true });
    else if (!told && holder !== process.pid) {
      progress(`waiting for process ${holder}, which is downloading the same`);
      told = true;
    }
    await sleep(300);
    if (done()) return undefined;
  }
}

function lockHolder(file: string): number | 'gone' {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? Number(readFileSync(file, 'utf8')) : 'gone';
  }
}
