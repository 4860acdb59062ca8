import { ProblemError } from '@ossian/shared';
import type { Database } from '../storage/database.js';
import { findKey } from '../storage/key-store.js';
import { hashKey, sameKey } from './api-key.js';
import { type Caller, unlimitedAdmin } from './caller.js';

export interface AuthenticationOptions {
  readonly database: Database;
  /** OSSIAN_BOOTSTRAP_KEY. */
  readonly bootstrapKey: string | undefined;
  /** What the data folder's lock file gives to commands on this machine. */
  readonly localKey: string | undefined;
}
/** Finds out who sent a request, by its `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** Each request looks its key up, so that a revoked one is refused from the next request on. Throws ProblemError 401. */
export function createAuthenticate(options: AuthenticationOptions): Authenticate {
  const { database, bootstrapKey, localKey } = options;
  return async (authorization) => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined) throw unauthorized('send a key as "Authorization: Bearer osk_…"', 'Bearer');
    if (bootstrapKey !== undefined && sameKey(key, bootstrapKey)) return unlimitedAdmin('bootstrap');
    if (localKey !== undefined && sameKey(key, localKey)) return unlimitedAdmin('local');
    const stored = await findKey(database, hashKey(key));
    if (stored === undefined) {
      throw unauthorized(
        'this key is not known, or was revoked: ossian-server keys list shows all',
        'Bearer error="invalid_token"',
      );
    }
    return { ...stored, keyId: stored.id };
  };
}

function unauthorized(detail: string, challenge: string): ProblemError {
  return new ProblemError(401, 'unauthorized', detail, { headers: { 'WWW-Authenticate': challenge } });
}
