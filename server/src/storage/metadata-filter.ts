import type { Filter } from '@ossian/shared';
import type { SqlParameters } from './sql-parameters.js';

type Scalar = string | boolean | null;
type Condition = Filter[string];

/** How each ordering operator reads the result of `ossian_compare`. */
const orderings = { $gt: '> 0', $gte: '>= 0', $lt: '< 0', $lte: '<= 0' } as const;

/**
 * The SQL condition of a metadata filter over the jsonb expression `metadata`; all entries must hold. Text is compared as numbers when
 * both sides are numbers, as times when both are ISO times, else as text; booleans and null equal only themselves. A value that is an
 * array matches if any of its elements does (`$ne`: if none equals). A key that is missing matches only `$ne` and `$exists: false`.
 */
export function metadataFilter(filter: Filter, metadata: string, parameters: SqlParameters): string {
  const conditions = Object.entries(filter).flatMap(([key, condition]) => entryConditions(key, condition, metadata, parameters));
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

function entryConditions(key: string, condition: Condition, metadata: string, parameters: SqlParameters): string[] {
  // A parameter that no condition used would have no type.
  if (isEmpty(condition)) return [];
  const name = `${parameters.add(key)}::text`;
  const value = `(${metadata} -> ${name})`;
  const anyElement = (test: string): string =>
    `EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} ` +
    `ELSE jsonb_build_array(${value}) END) AS element(value) WHERE ${metadata} ? ${name} AND ${test})`;
  if (condition === null || typeof condition !== 'object') return [anyElement(equals(condition, parameters))];
  const conditions: string[] = [];
  if (condition.$exists !== undefined) conditions.push(`${condition.$exists ? '' : 'NOT '}${metadata} ? ${name}`);
  if (condition.$eq !== undefined) conditions.push(anyElement(equals(condition.$eq, parameters)));
  if (condition.$ne !== undefined) conditions.push(`NOT ${anyElement(equals(condition.$ne, parameters))}`);
  if (condition.$in !== undefined) {
    const tests = condition.$in.map((member) => equals(member, parameters));
    conditions.push(anyElement(`(${['false', ...tests].join(' OR ')})`));
  }
  for (const [operator, test] of Object.entries(orderings)) {
    const bound = condition[operator as keyof typeof orderings];
    if (bound === undefined) continue;
    conditions.push(
      anyElement(
        `CASE jsonb_typeof(element.value) WHEN 'string' THEN ossian_compare(element.value #>> '{}', ${parameters.add(bound)}) ${test} END`,
      ),
    );
  }
  return conditions;
}

function isEmpty(condition: Condition): boolean {
  return condition !== null && typeof condition === 'object' && Object.values(condition).every((value) => value === undefined);
}

function equals(value: Scalar, parameters: SqlParameters): string {
  if (value === null) return `jsonb_typeof(element.value) = 'null'`;
  if (typeof value === 'boolean') return `element.value = to_jsonb(${parameters.add(value)}::boolean)`;
  // CASE keeps the comparison from other types: Postgres may evaluate the sides of an AND in any order.
  return `CASE jsonb_typeof(element.value) WHEN 'string' THEN ossian_compare(element.value #>> '{}', ${parameters.add(value)}) = 0 ELSE false END`;
}
