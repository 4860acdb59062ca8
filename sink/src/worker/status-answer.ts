import type { TaskStatus } from '../task/task-status.js';
import type { RunningConnector } from './run-connector.js';

export interface StatusAnswer {
  readonly status: number;
  readonly body: unknown;
}
type ConnectorView = Pick<RunningConnector, 'name' | 'status'>;

/**
 * The reading part of Kafka Connect's REST interface: `/`, `/connectors` (with `?expand=status`), `/connectors/{name}/status`,
 * `/connectors/{name}/tasks/{n}/status` and `/health`. In a task, `trace` says why it failed or what it waits for; `counts` and
 * `partitions` are ours.
 */
export function answerStatus(url: URL, workerId: string, version: string, connectors: readonly ConnectorView[]): StatusAnswer {
  const [root, name, ...rest] = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  if (root === undefined) return { status: 200, body: { version, commit: null, kafka_cluster_id: null } };
  if (root === 'health' && name === undefined) return health(connectors);
  if (root !== 'connectors') return notFound('HTTP 404 Not Found');
  if (name === undefined) return list(connectors, workerId, url.searchParams.getAll('expand').includes('status'));
  const connector = connectors.find((one) => one.name === name);
  if (connector === undefined) return notFound(`No status found for connector ${name}`);
  if (rest.length === 1 && rest[0] === 'status') return { status: 200, body: connectorStatus(connector, workerId) };
  const task = rest.length === 3 && rest[0] === 'tasks' && rest[2] === 'status' ? rest[1] : undefined;
  const found = connector.status().find(({ id }) => String(id) === task);
  return found === undefined ? notFound('HTTP 404 Not Found') : { status: 200, body: taskStatus(found, workerId) };
}

function list(connectors: readonly ConnectorView[], workerId: string, expanded: boolean): StatusAnswer {
  if (!expanded) return { status: 200, body: connectors.map(({ name }) => name) };
  const entries = connectors.map((connector) => [connector.name, { status: connectorStatus(connector, workerId) }]);
  return { status: 200, body: Object.fromEntries(entries) };
}

/** 503 where a connector has no task left that runs: an orchestrator may restart the process then. */
function health(connectors: readonly ConnectorView[]): StatusAnswer {
  const failed = connectors.filter((connector) => connector.status().every(({ state }) => state === 'FAILED'));
  if (failed.length === 0) return { status: 200, body: { status: 'healthy', message: 'every connector has a task that runs' } };
  return { status: 503, body: { status: 'unhealthy', message: `failed: ${failed.map(({ name }) => name).join(', ')}` } };
}

function connectorStatus(connector: ConnectorView, workerId: string): Record<string, unknown> {
  const tasks = connector.status().map((task) => taskStatus(task, workerId));
  return { name: connector.name, connector: { state: 'RUNNING', worker_id: workerId }, tasks, type: 'sink' };
}

function taskStatus(task: TaskStatus, workerId: string): Record<string, unknown> {
  const { id, state, trace, counts, partitions } = task;
  const views = partitions.map(({ topic, partition, committed, position, end, lag }) => ({
    topic,
    partition,
    committed: committed === undefined ? null : String(committed),
    position: String(position),
    end: String(end),
    lag: String(lag),
  }));
  return { id, state, worker_id: workerId, ...(trace === undefined ? {} : { trace }), counts, partitions: views };
}

function notFound(message: string): StatusAnswer {
  return { status: 404, body: { error_code: 404, message } };
}
