/** What the owner asks of its supervisor, and what it hears back, over Node's IPC channel. */
export interface SpawnRequest {
  kind: 'spawn';
  id: number;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Both outputs are appended to this file. */
  logFile: string;
  uid?: number;
  gid?: number;
  /** How the process is ended where the owner has gone and nobody waits for an orderly stop. */
  endSignal: NodeJS.Signals;
}
export type ToSupervisor =
  | SpawnRequest
  | { kind: 'signal'; id: number; signal: NodeJS.Signals }
  /** A process of the owner's own that must not outlive it. */
  | { kind: 'adopt'; pid: number }
  | { kind: 'release'; pid: number }
  /** Folders that go when the owner has gone. */
  | { kind: 'remove-at-end'; folder: string }
  | { kind: 'keep-at-end'; folder: string };

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}
export type FromSupervisor =
  | { kind: 'ready' }
  | { kind: 'spawned'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | ({ kind: 'exited'; id: number } & Exit);
