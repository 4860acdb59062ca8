import type { KeyScope } from '@ossian/shared';
import { ProblemError } from '@ossian/shared';
import type { Readers } from '../corpus/scope.js';
import type { KeyLimits } from '../storage/key-store.js';

/** Whoever sent a request: what its key may do, and what it is limited to. */
export interface Caller extends KeyLimits {
  /** For the log: a stored key's id, or `bootstrap` or `local`. */
  readonly keyId: string;
  readonly scopes: readonly KeyScope[];
}

/** The caller of OSSIAN_BOOTSTRAP_KEY, and of commands on this machine. */
export function unlimitedAdmin(keyId: string): Caller {
  return { keyId, scopes: ['admin'], corpora: null, readers: null, owners: null };
}

/** An admin key may do what any other key may. */
export function hasScope(caller: Caller, scope: KeyScope): boolean {
  return caller.scopes.includes('admin') || caller.scopes.includes(scope);
}

/** @throws ProblemError 403 where the key has none of these scopes. */
export function requireScope(caller: Caller, scopes: readonly KeyScope[]): void {
  if (scopes.some((scope) => hasScope(caller, scope))) return;
  throw new ProblemError(403, 'forbidden', `this needs a key with the scope ${scopes.join(' or ')}`);
}

/** Keys are administered by a key that is not limited itself, so that none makes another with more than it has. */
export function requireUnlimitedAdmin(caller: Caller): void {
  requireScope(caller, ['admin']);
  if (caller.corpora === null && caller.readers === null && caller.owners === null) return;
  throw new ProblemError(403, 'forbidden', 'keys are administered by an admin key without limits');
}

export function allowsCorpus(caller: Caller, name: string): boolean {
  return caller.corpora === null || caller.corpora.includes(name);
}

/** Whose documents a key may deal with at all: all of them, or those of the readers that it is limited to. */
export function allowedReaders(caller: Caller): Readers {
  return caller.readers === null ? { kind: 'all' } : { kind: 'groups', groups: caller.readers };
}

/** @throws ProblemError 403 where the key is limited to readers: what it asks for tells of documents whatever theirs. */
export function requireAllReaders(caller: Caller): void {
  if (caller.readers === null) return;
  throw new ProblemError(403, 'forbidden', 'this tells of all documents and needs a key that is not limited to readers');
}

/**
 * Whose documents a request sees: what it names, within what its key allows. Without `readers` only public documents, whatever the
 * key. `*` is every document, for admin keys; on a key that is limited to readers it is those.
 *
 * @throws ProblemError 403 where another key names `*`.
 */
export function narrowReaders(caller: Caller, requested: readonly string[] | undefined): Readers {
  if (requested === undefined) return { kind: 'public' };
  const limit = caller.readers;
  if (requested.includes('*')) {
    if (!hasScope(caller, 'admin')) throw new ProblemError(403, 'forbidden', 'only an admin key may name the readers "*"');
    return allowedReaders(caller);
  }
  return { kind: 'groups', groups: limit === null ? requested : requested.filter((group) => limit.includes(group)) };
}
