import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseOpenError } from '../database-open-error.js';

/** Who has a data folder open. */
export interface FolderHolder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process in kernel ticks, where the system tells it: a pid alone may have been given to another process. */
  readonly started: string | undefined;
  readonly token: string;
  /** Base URL of the server, once it listens. */
  readonly address?: string;
  /** A key that the server takes as an admin key for as long as it runs, for commands on this machine. */
  readonly localKey?: string;
}

const fileName = 'ossian.lock';
const heartbeatMilliseconds = 1000;
const heldHere = new Set<string>();

/** What the lock file of a data folder says, or undefined where there is none that can be read. */
export function readFolderHolder(dataDir: string): FolderHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')) as FolderHolder;
  } catch {
    return undefined;
  }
}

/** The holder, where it is alive: a running server whose address can be asked. */
export async function liveFolderHolder(dataDir: string): Promise<FolderHolder | undefined> {
  const holder = readFolderHolder(dataDir);
  return holder !== undefined && (await isAlive(holder, resolve(dataDir))) ? holder : undefined;
}

/** One process has a data folder open at a time: two would destroy it. */
export class FolderLock {
  readonly #folder: string;
  #holder: FolderHolder;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(folder: string, holder: FolderHolder) {
    this.#folder = folder;
    this.#holder = holder;
    heldHere.add(folder);
    // Another host (a container with the same volume) cannot see our pid, but sees that the file is touched.
    this.#heartbeat = setInterval(() => touch(join(folder, fileName)), heartbeatMilliseconds).unref();
  }

  /**
   * Takes the folder, making it where it is missing; the lock of a process that is dead is taken over.
   *
   * @throws DatabaseOpenError `folder_locked` naming the process that has it, `folder_unusable` where it cannot be written.
   */
  static async acquire(dataDir: string): Promise<FolderLock> {
    const folder = resolve(dataDir);
    const holder: FolderHolder = {
      pid: process.pid,
      host: hostname(),
      started: processStart(process.pid),
      token: randomBytes(8).toString('hex'),
    };
    try {
      mkdirSync(folder, { recursive: true });
      for (let attempt = 0; attempt < 5; attempt++) {
        if (create(folder, holder)) return new FolderLock(folder, holder);
        const other = readFolderHolder(folder);
        if (other !== undefined && (await isAlive(other, folder))) throw lockedBy(other, dataDir);
        takeAway(folder, other);
      }
    } catch (error) {
      if (DatabaseOpenError.is(error)) throw error;
      const message = `the data folder ${folder} cannot be used: ${(error as Error).message}`;
      throw new DatabaseOpenError('folder_unusable', `${message}; set OSSIAN_DATA_DIR to a folder that can be written`, error);
    }
    throw new DatabaseOpenError('folder_locked', `the data folder ${folder} is being opened by another process; try again`);
  }

  /** Tells commands on this machine where the server listens, and a key that it takes from them. */
  announce(address: string, localKey: string): void {
    this.#holder = { ...this.#holder, address, localKey };
    const path = join(this.#folder, fileName);
    const next = `${path}.${this.#holder.token}`;
    writeFileSync(next, JSON.stringify(this.#holder), { mode: 0o600 });
    renameSync(next, path);
  }

  release(): void {
    clearInterval(this.#heartbeat);
    heldHere.delete(this.#folder);
    if (readFolderHolder(this.#folder)?.token === this.#holder.token) rmSync(join(this.#folder, fileName), { force: true });
  }
}

function lockedBy(other: FolderHolder, dataDir: string): DatabaseOpenError {
  const where = other.address === undefined ? '' : `, serving at ${other.address}`;
  const host = other.host === hostname() ? '' : ` on host ${other.host}`;
  return new DatabaseOpenError(
    'folder_locked',
    `the data folder ${dataDir} is in use by process ${other.pid}${host}${where}; ` +
      'stop that server, use another OSSIAN_DATA_DIR, or set DATABASE_URL to share one database between servers',
  );
}

/** Writes the whole file aside and links it into place, so that nobody reads a half-written lock. */
function create(folder: string, holder: FolderHolder): boolean {
  const path = join(folder, fileName);
  const draft = `${path}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a dead process's lock aside; where another starter was quicker, its lock is put back. */
function takeAway(folder: string, dead: FolderHolder | undefined): void {
  const path = join(folder, fileName);
  const aside = `${path}.stale-${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
    const moved = JSON.parse(readFileSync(aside, 'utf8')) as FolderHolder;
    if (moved.token !== dead?.token) linkSync(aside, path);
  } catch (error) {
    // Gone already, or unreadable (a crash in the middle of a write): the next attempt looks again.
    const code = (error as { code?: string }).code;
    if (!(error instanceof SyntaxError) && code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

async function isAlive(holder: FolderHolder, folder: string): Promise<boolean> {
  if (holder.host !== hostname()) return isTouched(folder);
  if (holder.pid === process.pid && holder.started === processStart(process.pid)) return heldHere.has(folder);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return false;
  }
  return holder.started === undefined || holder.started === processStart(holder.pid);
}

async function isTouched(folder: string): Promise<boolean> {
  const path = join(folder, fileName);
  const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  await delay(heartbeatMilliseconds * 3);
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs !== before;
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The folder was removed under a running server: the database itself will say so.
  }
}

/** Field 22 of /proc/PID/stat (proc(5)); undefined where there is no /proc. A zombie counts as gone. */
function processStart(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? 'zombie' : fields[19];
  } catch {
    return undefined;
  }
}
