import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/ossian-server.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  stdout(): string;
  /** Sends the signal and waits until the process has gone; its exit code, null where it was killed. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(OSSIAN_|ANTHROPIC_|DATABASE_URL|PORT$|HOST$)/.test(name));
  return spawn(process.execPath, [bin, ...args], { env: { ...Object.fromEntries(inherited), PORT: '0', ...env } });
}

/** Runs the bin until it ends. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  const child = start(args, env);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}

/** Starts the bin and waits until it says where it listens. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child = start([], env);
  let stdout = '';
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /listens on (\S+)[\s\S]*answerer/.exec(stdout);
      if (found !== null) resolve(found[1]!);
    });
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    stdout: () => stdout,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}
