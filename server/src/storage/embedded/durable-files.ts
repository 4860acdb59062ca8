import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface NodeStream {
  readonly nfd?: number;
  readonly node: unknown;
}
/** The part of Emscripten's NODEFS that is used here. */
interface NodeFileSystem {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: NodeStream) => number };
}
interface EmscriptenModule {
  readonly FS: { readonly filesystems: { readonly NODEFS: NodeFileSystem } };
}

/**
 * PGlite's folder with a working fsync: Emscripten's NODEFS has none and says it is done, so that a commit would survive a killed
 * process and not a lost machine. Needs `-F` taken from the start parameters, and `wal_sync_method=fsync` (fdatasync stays empty).
 */
export class DurableFiles extends NodeFS {
  override async init(database: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    const synchronise = (module: unknown): void => addFsync((module as EmscriptenModule).FS.filesystems.NODEFS);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), synchronise] } };
  }
}

function addFsync(files: NodeFileSystem): void {
  files.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) {
      fsyncSync(stream.nfd);
      return 0;
    }
    // A directory: NODEFS opens no descriptor for it.
    const descriptor = openSync(files.realPath(stream.node), 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return 0;
  };
}

/** PGlite's own start parameters with fsync on, and a log that is short enough to be replayed soon after a crash. */
export function durableStartParameters(defaults: readonly string[]): string[] {
  return [...defaults.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync', '-c', 'max_wal_size=256MB'];
}
