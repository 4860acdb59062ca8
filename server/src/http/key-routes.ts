import { type CreatedKey, createKeySchema, ProblemError } from '@ossian/shared';
import { generateKey, hashKey } from '../auth/api-key.js';
import { requireUnlimitedAdmin } from '../auth/caller.js';
import type { Database } from '../storage/database.js';
import { insertKey, listKeys, revokeKey } from '../storage/key-store.js';
import { readBody } from './read-request.js';
import { mebibyte, type Route } from './route.js';

/** The administration of keys. */
export function keyRoutes(database: Database): Route[] {
  return [
    {
      method: 'post',
      path: '/v1/keys',
      scopes: ['admin'],
      bodyLimit: mebibyte,
      handle: async ({ request, response, caller }) => {
        requireUnlimitedAdmin(caller);
        const { name, scopes, corpora, readers, owners } = readBody(createKeySchema, request);
        const key = generateKey();
        const limits = { corpora: corpora ?? null, readers: readers ?? null, owners: owners ?? null };
        const stored = await insertKey(database, { name, scopes, ...limits }, hashKey(key));
        response.status(201).json({ ...stored, key } satisfies CreatedKey);
      },
    },
    {
      method: 'get',
      path: '/v1/keys',
      scopes: ['admin'],
      handle: async ({ response, caller }) => {
        requireUnlimitedAdmin(caller);
        response.json({ keys: await listKeys(database) });
      },
    },
    {
      method: 'delete',
      path: '/v1/keys/:id',
      scopes: ['admin'],
      handle: async ({ request, response, caller }) => {
        requireUnlimitedAdmin(caller);
        const id = String(request.params['id']);
        const revoked = await revokeKey(database, id);
        if (revoked === undefined) throw new ProblemError(404, 'key_not_found', `there is no key "${id}"`);
        response.json(revoked);
      },
    },
  ];
}
