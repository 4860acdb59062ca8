import type { ReadScope } from '../corpus/scope.js';
import { metadataFilter } from './metadata-filter.js';
import type { SqlParameters } from './sql-parameters.js';

/**
 * The SQL condition under which a row of `documents` (under this alias) may be seen in the scope: of its corpus, live, allowed to its
 * readers, and matching its filter. Every statement that reads documents for someone uses it, so that a scope is crossed nowhere.
 */
export function visibleDocuments(scope: ReadScope, alias: string, parameters: SqlParameters): string {
  const conditions = [`${alias}.corpus_id = ${parameters.add(scope.corpus.id)}::bigint`, `${alias}.live`];
  switch (scope.readers.kind) {
    case 'public':
      conditions.push(`${alias}.acl IS NULL`);
      break;
    case 'groups':
      conditions.push(`(${alias}.acl IS NULL OR ${alias}.acl && ${parameters.add(scope.readers.groups)}::text[])`);
      break;
    case 'all':
      break;
  }
  if (scope.filter !== undefined) conditions.push(metadataFilter(scope.filter, `${alias}.metadata`, parameters));
  return conditions.join(' AND ');
}
