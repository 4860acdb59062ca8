import type { Filter } from '@ossian/shared';

/** Whose documents may be seen: public ones only, those of these groups too, or every one. Never defaulted. */
export type Readers =
  { readonly kind: 'public' } | { readonly kind: 'groups'; readonly groups: readonly string[] } | { readonly kind: 'all' };

/** A corpus as the stores know it. */
export interface CorpusReference {
  readonly id: string;
  readonly name: string;
}

/** What a read is limited to: a mandatory argument of every store function that reads documents. */
export interface ReadScope {
  readonly corpus: CorpusReference;
  readonly readers: Readers;
  readonly filter?: Filter | undefined;
}
