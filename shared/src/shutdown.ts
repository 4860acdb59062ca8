import type { Logger } from './logger.js';

/**
 * Calls `stop` once at SIGTERM or SIGINT; a second signal, or `graceMilliseconds`, ends the process at once.
 *
 * @returns a function that takes the handlers away again.
 */
export function onShutdownSignal(
  stop: (signal: string) => Promise<void>,
  logger: Logger,
  graceMilliseconds = 30_000,
): () => void {
  let stopping = false;
  const handle = (signal: NodeJS.Signals): void => {
    if (stopping) {
      logger.warn({ signal }, 'second signal: ending at once');
      process.exit(130);
    }
    stopping = true;
    setTimeout(() => {
      logger.error({ graceMilliseconds }, 'shutdown took too long: ending at once');
      process.exit(1);
    }, graceMilliseconds).unref();
    stop(signal).catch((error: unknown) => {
      logger.error({ err: error }, 'shutdown failed');
      process.exit(1);
    });
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
  return () => {
    process.off('SIGTERM', handle);
    process.off('SIGINT', handle);
  };
}
