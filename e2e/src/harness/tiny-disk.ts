import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeSync, openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import type { Supervisor } from '../processes/supervisor-client.js';

const isRoot = process.getuid?.() === 0;
// Whoever is not root may mount in a user namespace of their own, where the system allows that.
const unshare = ['unshare', '--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])];
const [command = '', ...flags] = unshare;

/** Why there can be no tiny disk here, or undefined. */
export function whyNoTinyDisk(): string | undefined {
  const tried = spawnSync(command, [...flags, 'sh', '-c', 'd=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d"'], {
    encoding: 'utf8',
  });
  if (tried.status === 0) return undefined;
  return `no small file system can be mounted here (it needs Linux, and root or user namespaces): ${tried.stderr?.trim() ?? tried.error?.message}`;
}

/**
 * A real file system of a few megabytes that can be filled up and given room again. It is mounted in a mount namespace that one process
 * holds, so that it goes with that process however the test ends.
 */
export class TinyDisk {
  /** The folder as those see it that run inside. */
  readonly folder: string;
  /** Starts a command where the disk is mounted. */
  readonly launcher: readonly string[];
  readonly #holder: SupervisedProcess;
  /** The folder as it is reached from outside. */
  readonly #outside: string;

  private constructor(folder: string, holder: SupervisedProcess) {
    this.folder = folder;
    this.#holder = holder;
    this.#outside = `/proc/${holder.pid}/root${folder}`;
    const user = isRoot ? [] : ['--user', '--preserve-credentials'];
    this.launcher = ['nsenter', '--target', String(holder.pid), '--mount', ...user, '--'];
  }

  /** @param folder a new folder, where it is mounted. */
  static async mount(supervisor: Supervisor, folder: string, mebibytes: number): Promise<TinyDisk> {
    mkdirSync(folder, { recursive: true });
    const script = `mount -t tmpfs -o size=${mebibytes}m,mode=777 tmpfs "$0" && : > "$0/.mounted" && exec sleep infinity`;
    const holder = await supervisor.spawn('tiny-disk', {
      command,
      args: [...flags, 'sh', '-c', script, folder],
      logFile: `${folder}.log`,
    });
    const disk = new TinyDisk(folder, holder);
    await holder.until(() => Promise.resolve(statfsSync(join(disk.#outside, '.mounted')).type === tmpfsMagic), 10_000);
    return disk;
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#outside);
    return bavail * bsize;
  }
  /** Fills it up, but for so many bytes. */
  fill(leaving = 0): void {
    const file = openSync(join(this.#outside, 'filler'), 'a');
    try {
      for (let rest = this.freeBytes - leaving; rest > 0; rest = this.freeBytes - leaving)
        writeSync(file, Buffer.alloc(Math.min(rest, 1 << 20), 'x'));
    } finally {
      closeSync(file);
    }
  }
  /** Takes away what `fill` has written. */
  makeRoom(): void {
    rmSync(join(this.#outside, 'filler'), { force: true });
  }
  async unmount(): Promise<void> {
    await this.#holder.kill();
  }
}

/** statfs(2): TMPFS_MAGIC. */
const tmpfsMagic = 0x01021994;
