/** A column type whose large values Postgres stores apart, and an expression for a value of several thousand bytes. */
export interface ToastedColumn {
  /** Also the name of the table that has such a column. */
  name: string;
  type: string;
  /** SQL of the value; it holds the word that `word` gives where the type can hold words. */
  value: (word: string) => string;
}

const words = (word: string): string => `(select array_agg('${word} ' || i) from generate_series(1, 400) as i)`;

/** Every type of which Debezium has a form of its own for the unavailable value. */
export const toastedColumns: readonly ToastedColumn[] = [
  { name: 'of_text', type: 'text', value: (word) => `array_to_string(${words(word)}, E'\\n')` },
  { name: 'of_jsonb', type: 'jsonb', value: (word) => `to_jsonb(${words(word)})` },
  { name: 'of_bytea', type: 'bytea', value: (word) => `convert_to(array_to_string(${words(word)}, ' '), 'UTF8')` },
  { name: 'of_texts', type: 'text[]', value: words },
  { name: 'of_integers', type: 'int[]', value: () => '(select array_agg(i * 1000) from generate_series(1, 900) as i)' },
  { name: 'of_uuids', type: 'uuid[]', value: () => '(select array_agg(md5(i::text)::uuid) from generate_series(1, 200) as i)' },
  {
    name: 'of_hstore',
    type: 'hstore',
    value: (word) => `(select hstore(array_agg('k' || i), array_agg('${word} ' || i)) from generate_series(1, 200) as i)`,
  },
];

/** One table for each type, with one row: `value` is stored apart, `note` is not. */
export const toastedTablesSql = [
  'create extension if not exists hstore',
  ...toastedColumns.flatMap(({ name, type, value }) => [
    `create table ${name} (id bigint primary key, title text, note text, value ${type})`,
    `alter table ${name} alter column value set storage external`,
    `insert into ${name} values (1, 'Old title', 'A note about ${name}.', ${value('heron')})`,
  ]),
].join(';\n');
