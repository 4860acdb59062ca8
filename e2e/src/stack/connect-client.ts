import { sleep } from '@ossian/shared';
import type { ConnectorConfig } from './debezium-config.js';
import { StackError } from './stack-error.js';

export interface ConnectorStatus {
  connector: { state: string; trace?: string };
  tasks: { id: number; state: string; trace?: string }[];
}

/** A Connect worker's REST interface, as far as tests need it. Works against Ossian's own too. */
export class ConnectClient {
  readonly #url: string;
  constructor(url: string) {
    this.#url = url;
  }

  /** Makes or changes a connector and waits until it and its task run. @throws StackError with the task's trace where it fails. */
  async register(name: string, config: ConnectorConfig): Promise<void> {
    await this.request('PUT', `/connectors/${name}/config`, config);
    await this.waitFor(name, 'RUNNING');
  }

  async waitFor(name: string, state: string, milliseconds = 60_000): Promise<void> {
    const deadline = Date.now() + milliseconds;
    for (;;) {
      const status = await this.status(name);
      const states = [status?.connector, ...(status?.tasks ?? [])];
      if (states.length > 1 && states.every((part) => part?.state === state)) return;
      const failed = states.find((part) => part?.state === 'FAILED');
      if (failed !== undefined) throw new StackError(`connector ${name} failed:\n${failed.trace ?? '(no trace)'}`);
      if (Date.now() > deadline) {
        throw new StackError(`connector ${name} was not ${state} within ${milliseconds / 1000} s: ${JSON.stringify(status)}`);
      }
      await sleep(50);
    }
  }

  /** Undefined while the worker does not know the connector. */
  async status(name: string): Promise<ConnectorStatus | undefined> {
    const response = await fetch(`${this.#url}/connectors/${name}/status`);
    return response.ok ? ((await response.json()) as ConnectorStatus) : undefined;
  }

  /** Removes a connector; one that is not there is fine. */
  async remove(name: string): Promise<void> {
    const response = await this.#fetch('DELETE', `/connectors/${name}`);
    if (!response.ok && response.status !== 404) throw await refused('DELETE', name, response);
  }

  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(method, path, body);
    if (!response.ok) throw await refused(method, path, response);
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  /** A worker that is rebalancing answers 409: it is asked again. */
  async #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(this.#url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.status !== 409 || attempt === 50) return response;
      await sleep(200);
    }
  }
}

async function refused(method: string, path: string, response: Response): Promise<StackError> {
  return new StackError(`Connect answered ${response.status} to ${method} ${path}: ${await response.text()}`);
}
