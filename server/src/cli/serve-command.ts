import { resolve } from 'node:path';
import { createLogger, onShutdownSignal } from '@ossian/shared';
import { readEnvironment } from '../config/environment.js';
import { type RunningServer, startServer } from '../serve.js';

/** `ossian-server`: serves until it is told to stop. */
export async function serveCommand(version: string): Promise<void> {
  const { environment, warnings } = readEnvironment(process.env);
  const logger = createLogger('ossian-server', environment.OSSIAN_LOG_LEVEL);
  for (const warning of warnings) logger.warn(warning);
  const server = await startServer(environment, logger);
  onShutdownSignal(async (signal) => {
    logger.info({ signal }, 'stopping');
    await server.stop();
    process.exit(0);
  }, logger);
  const database = server.database.kind === 'postgres' ? 'Postgres' : `embedded, in ${resolve(environment.OSSIAN_DATA_DIR)}`;
  process.stdout.write(
    [
      `ossian-server ${version} listens on ${server.url}`,
      `  database   ${database}`,
      `  embedder   ${server.embedderId ?? 'none: the model cannot be loaded'}`,
      `  answerer   ${server.answererId}`,
      server.firstKey === undefined ? describeMissingKey(server) : describeFirstKey(server, server.firstKey),
    ].join('\n'),
  );
}

function describeFirstKey(server: RunningServer, key: string): string {
  return `
There was no key yet, so an admin key was made. It is shown only now:

  ${key}

Make a corpus:

  curl -X PUT ${server.url}/v1/corpora/docs -H 'Authorization: Bearer ${key}'

More keys: npx ossian-server keys create --help
`;
}

/** Only a new embedded database gets a key by itself: a shared one may have been made by others. */
function describeMissingKey({ hasKey }: RunningServer): string {
  if (hasKey) return '';
  return `
There is no key that can be used. Make one, with the same environment:

  npx ossian-server keys create --name admin --scope admin
`;
}
