import type { SupervisedProcess } from '../processes/supervised-process.js';
import { connectWorker } from './connect-part.js';
import { avroConverterFolder } from './downloads.js';
import { kafkaBroker } from './kafka-part.js';
import { type Part, parts } from './part.js';
import { backendPostgres, sourcePostgres } from './postgres-part.js';
import { confluentPath, schemaRegistry } from './registry-part.js';
import type { PartContext, StartablePart } from './running-part.js';
import { StackError } from './stack-error.js';

/** The variable in which tests and commands find a part. */
const variables: Readonly<Record<Part, string>> = {
  kafka: 'OSSIAN_TEST_KAFKA',
  connect: 'OSSIAN_TEST_CONNECT',
  'schema-registry': 'OSSIAN_TEST_SCHEMA_REGISTRY',
  'source-postgres': 'OSSIAN_TEST_SOURCE_URL',
  'backend-postgres': 'OSSIAN_TEST_DATABASE_URL',
};

interface RunningPart {
  part: StartablePart;
  process: SupervisedProcess;
}

/** A running stack. Made by `startStack`. */
export class Stack {
  readonly #context: PartContext;
  readonly #running = new Map<Part, RunningPart>();

  constructor(context: PartContext) {
    this.#context = context;
  }

  get runFolder(): string {
    return this.#context.runFolder;
  }

  /** kafka: HOST:PORT; connect and schema-registry: a URL; the databases: a postgres:// URL of a superuser. */
  address(part: Part): string {
    const { address } = this.#get(part).part;
    return part === 'schema-registry' ? address + confluentPath : address;
  }

  /** The addresses of all parts as environment variables (OSSIAN_TEST_KAFKA, OSSIAN_TEST_DATABASE_URL, …). */
  environment(): Record<string, string> {
    const addresses = [...this.#running.keys()].map((part) => [variables[part], this.address(part)] as const);
    return { ...Object.fromEntries(addresses), OSSIAN_TEST_STACK_FOLDER: this.runFolder };
  }

  logFile(part: Part): string {
    return this.#get(part).part.logFile;
  }

  /** Starts the parts at the same time, as far as they do not need one another. */
  async startParts(wanted: readonly Part[]): Promise<void> {
    const kafka = this.#startIfWanted('kafka', wanted, () => kafkaBroker(this.#context));
    const registry = this.#startIfWanted('schema-registry', wanted, () => schemaRegistry(this.#context));
    const connect = this.#startIfWanted('connect', wanted, async () => {
      const plugins = wanted.includes('schema-registry') ? [await avroConverterFolder(this.#context.progress)] : [];
      return connectWorker(
        this.#context,
        kafka.then(() => this.address('kafka')),
        plugins,
      );
    });
    const source = this.#startIfWanted('source-postgres', wanted, () => sourcePostgres(this.#context));
    const backend = this.#startIfWanted('backend-postgres', wanted, () => backendPostgres(this.#context));
    const results = await Promise.allSettled([kafka, registry, connect, source, backend]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #startIfWanted(name: Part, wanted: readonly Part[], prepare: () => Promise<StartablePart>): Promise<void> {
    if (!wanted.includes(name)) return;
    const part = await prepare();
    this.#context.progress(`starting ${name}`);
    const started = Date.now();
    this.#running.set(name, { part, process: await part.start() });
    this.#context.progress(`${name} is ready (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }

  /** Ends a part as a crash would. */
  async kill(name: Part, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#get(name).process.stop(signal, 10_000);
  }

  /** Stops a part in good order where it still runs, and starts it again on the same data and address. */
  async restart(name: Part): Promise<void> {
    const running = this.#get(name);
    await running.process.stop(running.part.stopSignal);
    running.process = await startAgain(running.part);
  }

  /** Stops everything in good order; a folder that was made for this stack goes too. */
  async stop(): Promise<void> {
    for (const name of parts) {
      const running = this.#running.get(name);
      if (running !== undefined) await running.process.stop(running.part.stopSignal, 10_000);
    }
    await this.#context.supervisor.close();
  }

  /** Takes a process that must not outlive this one under the stack's care. */
  adopt(pid: number): () => void {
    this.#context.supervisor.adopt(pid);
    return () => this.#context.supervisor.release(pid);
  }

  #get(name: Part): RunningPart {
    const running = this.#running.get(name);
    if (running === undefined) throw new StackError(`this stack was started without ${name}`);
    return running;
  }
}

/** A killed Postgres leaves child processes that hold its memory for a moment: a start that fails then is tried again. */
async function startAgain(part: StartablePart): Promise<SupervisedProcess> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    try {
      return await part.start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
