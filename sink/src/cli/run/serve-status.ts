import type { Logger } from '@ossian/shared';
import { ConfigurationError } from '../../config/configuration-error.js';
import { openConfigurationFile } from '../../config/configuration-file.js';
import { FatalError } from '../../errors/fatal-error.js';
import { readWorkerFile, type WorkerSettings } from '../../worker/read-worker-file.js';
import type { RunningConnector } from '../../worker/run-connector.js';
import { startStatusServer, type StatusServer } from '../../worker/status-server.js';
import { version } from '../version.js';

/** @throws ConfigurationError where the file cannot be read or is wrong. */
export function readWorker(path: string | undefined): WorkerSettings {
  const file = path === undefined ? undefined : openConfigurationFile(path);
  if (file !== undefined && 'message' in file) throw new ConfigurationError(path ?? '', [file]);
  return readWorkerFile(file);
}

/** The default address may belong to a Connect worker on this machine: then the connectors run without it. */
export async function serveStatus(
  { listener, isListenerConfigured }: WorkerSettings,
  connectors: readonly RunningConnector[],
  logger: Logger,
): Promise<StatusServer | undefined> {
  try {
    const server = await startStatusServer(listener, version(), connectors);
    logger.info({ url: server.url }, 'the status is served');
    return server;
  } catch (error) {
    if (isListenerConfigured || !FatalError.is(error)) {
      for (const connector of connectors) connector.stop();
      await Promise.all(connectors.map(({ ended }) => ended));
      throw error;
    }
    logger.warn(error.message);
    return undefined;
  }
}
