import { z } from 'zod';
import { corpusName } from './primitives.js';

/** What a key may do; `admin` includes the others. */
export const keyScopes = ['ingest', 'ask', 'memory', 'admin'] as const;
export type KeyScope = (typeof keyScopes)[number];

const names = z.array(z.string().min(1).max(1024)).max(1000);

/** A new bearer key. A limit that is left out or null is none. */
export const createKeySchema = z.strictObject({
  name: z.string().trim().min(1, 'the key needs a name, so that it is known again').max(256),
  scopes: z.array(z.enum(keyScopes)).min(1, 'the key needs at least one scope'),
  corpora: z.array(corpusName).max(1000).nullish(),
  readers: names.nullish(),
  owners: names.nullish(),
});
export type CreateKeyInput = z.input<typeof createKeySchema>;

/** A key without its secret: only a hash of that is stored. */
export interface KeyView {
  id: string;
  name: string;
  scopes: KeyScope[];
  corpora: string[] | null;
  readers: string[] | null;
  owners: string[] | null;
  created_at: string;
  revoked_at: string | null;
}
/** Given once, when the key is made. */
export interface CreatedKey extends KeyView {
  key: string;
}
