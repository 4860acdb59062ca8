import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@ossian/shared';
import type { Database } from '../storage/database.js';
import type { Route } from './route.js';

const readyMilliseconds = 5000;

/** `live`: the process answers. `ready`: it can serve, since its database answers. */
export function healthRoutes(database: Database): Route[] {
  return [
    { method: 'get', path: '/health/live', scopes: undefined, handle: ({ response }) => void response.json({ status: 'live' }) },
    {
      method: 'get',
      path: '/health/ready',
      scopes: undefined,
      handle: async ({ response }) => {
        const stopWaiting = new AbortController();
        const answers = database.pool.query('SELECT 1').then(
          () => true,
          () => false,
        );
        const late = delay(readyMilliseconds, false, { signal: stopWaiting.signal }).catch(() => false);
        const ready = await Promise.race([answers, late]);
        stopWaiting.abort();
        if (!ready) {
          const detail = 'the database does not answer';
          throw new ProblemError(503, 'not_ready', detail, { headers: { 'Retry-After': '5' } });
        }
        response.json({ status: 'ready' });
      },
    },
  ];
}
