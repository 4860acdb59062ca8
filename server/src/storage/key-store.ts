import type { KeyScope, KeyView } from '@ossian/shared';
import type { Database } from './database.js';

/** What a key is limited to; null is no limit. */
export interface KeyLimits {
  readonly corpora: readonly string[] | null;
  readonly readers: readonly string[] | null;
  readonly owners: readonly string[] | null;
}
export interface StoredKey extends KeyLimits {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
}
type KeyRow = Omit<KeyView, 'created_at' | 'revoked_at'> & { created_at: Date; revoked_at: Date | null };
const columns = 'id, name, scopes, corpora, readers, owners, created_at, revoked_at';

/** The key with this hash that is not revoked. */
export async function findKey(database: Database, hash: Uint8Array): Promise<StoredKey | undefined> {
  const { rows } = await database.pool.query<StoredKey>(
    'SELECT id, name, scopes, corpora, readers, owners FROM api_keys WHERE hash = $1 AND revoked_at IS NULL',
    [Buffer.from(hash)],
  );
  return rows[0];
}

export async function insertKey(database: Database, key: Omit<StoredKey, 'id'>, hash: Uint8Array): Promise<KeyView> {
  const { rows } = await database.pool.query<KeyRow>(
    `INSERT INTO api_keys (name, hash, scopes, corpora, readers, owners) VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
    [key.name, Buffer.from(hash), key.scopes, key.corpora, key.readers, key.owners],
  );
  return toView(rows[0] as KeyRow);
}

/** All keys, the revoked ones too, oldest first. */
export async function listKeys(database: Database): Promise<KeyView[]> {
  const { rows } = await database.pool.query<KeyRow>(`SELECT ${columns} FROM api_keys ORDER BY created_at, id`);
  return rows.map(toView);
}

/** Takes effect with the next request. A key that is revoked already stays so; undefined where there is no such key. */
export async function revokeKey(database: Database, id: string): Promise<KeyView | undefined> {
  const { rows } = await database.pool.query<KeyRow>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = lower($1) RETURNING ${columns}`,
    [id],
  );
  return rows[0] && toView(rows[0]);
}

function toView(row: KeyRow): KeyView {
  return { ...row, created_at: row.created_at.toISOString(), revoked_at: row.revoked_at?.toISOString() ?? null };
}

/** Makes an admin key where the database holds neither a key nor a corpus. False where it does. */
export async function insertFirstKey(database: Database, hash: Uint8Array): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `INSERT INTO api_keys (name, hash, scopes) SELECT 'first admin key', $1, '{admin}'
      WHERE NOT EXISTS (SELECT FROM api_keys) AND NOT EXISTS (SELECT FROM corpora)`,
    [Buffer.from(hash)],
  );
  return rowCount === 1;
}

/** Whether any key is not revoked. */
export async function hasUsableKey(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query<{ usable: boolean }>(
    'SELECT EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL) AS usable',
  );
  return rows[0]?.usable ?? false;
}
