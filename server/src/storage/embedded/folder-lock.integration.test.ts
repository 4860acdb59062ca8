import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderLock, liveFolderHolder, readFolderHolder } from './folder-lock.js';

const lockModule = new URL('./folder-lock.js', import.meta.url).href;
const children: ChildProcess[] = [];
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ossian-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Another process that takes the lock, announces an address and stays. */
async function holdInChild(): Promise<ChildProcess> {
  const program = `import { FolderLock } from '${lockModule}';
    const lock = await FolderLock.acquire(process.argv[1]);
    lock.announce('http://127.0.0.1:4711', 'osk_local');
    setInterval(() => {}, 1000);
    console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}
async function killed(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

describe('FolderLock', () => {
  it('refuses a second process and names the first by pid and address', async () => {
    const child = await holdInChild();
    await expect(FolderLock.acquire(dataDir)).rejects.toMatchObject({
      code: 'folder_locked',
      message: expect.stringMatching(new RegExp(`process ${child.pid}, serving at http://127.0.0.1:4711`)) as unknown,
    });
    expect(await liveFolderHolder(dataDir)).toMatchObject({ pid: child.pid, localKey: 'osk_local' });
  });

  it('takes over the lock of a process that was killed', async () => {
    const child = await holdInChild();
    await killed(child);
    expect(await liveFolderHolder(dataDir)).toBeUndefined();
    const lock = await FolderLock.acquire(dataDir);
    expect(readFolderHolder(dataDir)?.pid).toBe(process.pid);
    lock.release();
    expect(readFolderHolder(dataDir)).toBeUndefined();
  });

  it('refuses a second holder in the same process', async () => {
    const lock = await FolderLock.acquire(dataDir);
    await expect(FolderLock.acquire(dataDir)).rejects.toMatchObject({ code: 'folder_locked' });
    lock.release();
  });

  it('is not fooled by a pid that another process has now', async () => {
    const dead = { pid: process.ppid, host: (await lockHost()).host, started: '1', token: 'old' };
    writeFileSync(join(dataDir, 'ossian.lock'), JSON.stringify(dead));
    const lock = await FolderLock.acquire(dataDir);
    lock.release();
  });

  it('keeps away from a holder on another host that still touches its lock, and takes over from one that does not', async () => {
    const path = join(dataDir, 'ossian.lock');
    writeFileSync(path, JSON.stringify({ pid: 1, host: 'another-container', token: 'far' }));
    const touching = setInterval(() => writeFileSync(path, readFileSync(path)), 300);
    await expect(FolderLock.acquire(dataDir)).rejects.toThrow(/process 1 on host another-container/);
    clearInterval(touching);
    const lock = await FolderLock.acquire(dataDir);
    lock.release();
  });

  it('keeps the local key from other users', async () => {
    const lock = await FolderLock.acquire(dataDir);
    lock.announce('http://127.0.0.1:1', 'osk_secret');
    expect(statSync(join(dataDir, 'ossian.lock')).mode & 0o077).toBe(0);
    lock.release();
  });

  it('says what to do about a folder that cannot be made', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    await expect(FolderLock.acquire(join(dataDir, 'file', 'below'))).rejects.toMatchObject({
      code: 'folder_unusable',
      message: expect.stringContaining('OSSIAN_DATA_DIR') as unknown,
    });
  });
});

async function lockHost(): Promise<{ host: string }> {
  const lock = await FolderLock.acquire(join(dataDir, 'other'));
  const holder = readFolderHolder(join(dataDir, 'other'))!;
  lock.release();
  return holder;
}
