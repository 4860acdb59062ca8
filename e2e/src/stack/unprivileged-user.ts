import { cpSync, chownSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StackError } from './stack-error.js';

export interface User {
  uid: number;
  gid: number;
}

/** Whom Postgres runs as: ourselves (undefined), or "nobody" where we are root, since Postgres refuses to run as root. */
export function postgresUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new StackError(
      'Postgres refuses to run as root, and there is no user "nobody" to run it as: run the stack as another user',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Gives a folder to the user. */
export function giveTo(user: User | undefined, folder: string): void {
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
}

/** The folder itself where the user can enter it, else a copy of it below `place` (a cache in root's home is closed to others). */
export function reachableCopy(user: User | undefined, folder: string, place: string): string {
  if (user === undefined || everyoneCanEnter(folder)) return folder;
  const copy = join(place, basename(folder));
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, force: true });
  return copy;
}

function everyoneCanEnter(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
