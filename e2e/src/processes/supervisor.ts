/**
 * A small process between an owner (a stack, a test run) and what it starts. It ends everything when its channel to the
 * owner closes, which the kernel does at every kind of end, kill -9 included. It is detached from the terminal, so that
 * Ctrl-C reaches the owner alone and the owner can stop things in order.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import type { FromSupervisor, SpawnRequest, ToSupervisor } from './messages.js';

const killAfterMilliseconds = 4000;
const children = new Map<number, { child: ChildProcess; endSignal: NodeJS.Signals }>();
const adopted = new Set<number>();
const folders = new Set<string>();
let ending = false;

function send(message: FromSupervisor): void {
  if (process.connected) process.send?.(message);
}

function start(request: SpawnRequest): void {
  const output = openSync(request.logFile, 'a');
  const { uid, gid } = request;
  const child = spawn(request.command, request.args, {
    cwd: request.cwd,
    env: request.env,
    stdio: ['ignore', output, output],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  closeSync(output);
  child.once('spawn', () => {
    children.set(request.id, { child, endSignal: request.endSignal });
    send({ kind: 'spawned', id: request.id, pid: child.pid ?? 0 });
    if (ending) child.kill('SIGKILL');
  });
  child.once('error', (error) => {
    if (!children.has(request.id)) send({ kind: 'failed', id: request.id, message: error.message });
  });
  child.once('exit', (code, signal) => {
    children.delete(request.id);
    send({ kind: 'exited', id: request.id, code, signal });
    if (ending) finish();
  });
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    adopted.delete(pid); // gone already: nothing to end
  }
}

/** The process and all that it has started, as `ps` knows them; the process alone where there is no `ps`. */
function withDescendants(root: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) for (const [pid, of] of pairs) if (of === parent && pid !== undefined) found.push(pid);
  return found;
}

function endAll(): void {
  if (ending) return;
  ending = true;
  for (const pid of [...adopted].flatMap(withDescendants)) signalQuietly(pid, 'SIGKILL');
  for (const { child, endSignal } of children.values()) child.kill(endSignal);
  setTimeout(() => {
    for (const { child } of children.values()) child.kill('SIGKILL');
  }, killAfterMilliseconds).unref();
  finish();
}

function finish(): void {
  if (children.size > 0) return;
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

function handle(message: ToSupervisor): void {
  switch (message.kind) {
    case 'spawn':
      return start(message);
    case 'signal':
      children.get(message.id)?.child.kill(message.signal);
      return;
    case 'adopt':
      adopted.add(message.pid);
      return;
    case 'release':
      adopted.delete(message.pid);
      return;
    case 'remove-at-end':
      folders.add(message.folder);
      return;
    case 'keep-at-end':
      folders.delete(message.folder);
      return;
  }
}

process.on('message', (message) => {
  const request = message as ToSupervisor;
  try {
    handle(request);
  } catch (error) {
    if (request.kind !== 'spawn') throw error;
    send({ kind: 'failed', id: request.id, message: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', endAll);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, endAll);
send({ kind: 'ready' });
