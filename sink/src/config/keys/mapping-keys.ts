import { clearableText, list, oneOf, optionalList, optionalText, text, boolean } from '../config-key.js';

const group = 'What becomes of a row';
const perTopic = true;

function checkTemplate(template: string): string | undefined {
  if (/\$\{[^}]*$/.test(template)) return 'has a "${" that is not closed by "}"';
  if (/\$\{\s*\}/.test(template)) return 'has "${}" without the name of a column';
  if (!template.includes('${')) return 'names no column: write one as ${column}, or every document has the same address';
  return undefined;
}

function checkPlaceholder(setting: string): string | undefined {
  if (!setting.startsWith('hex:')) return undefined;
  return /^hex:(?:[0-9a-fA-F]{2})+$/.test(setting) ? undefined : 'must be "hex:" and pairs of hexadecimal digits';
}

/** The keys that decide how a row becomes a document; each may be set for one topic (`ossian.topic.<topic>.…`). */
export const mappingKeys = {
  textFields: optionalList({
    name: 'ossian.text.fields',
    group,
    importance: 'high',
    perTopic,
    doc: 'Columns that hold text, in order. Each becomes a section of the document. Required, here or for every topic.',
  }),
  titleField: clearableText({
    name: 'ossian.title.field',
    group,
    importance: 'medium',
    perTopic,
    doc: "The column that holds the document's title.",
  }),
  uriTemplate: clearableText(
    {
      name: 'ossian.uri.template',
      group,
      importance: 'medium',
      perTopic,
      doc: "The document's address, with columns as `${column}`, e.g. `https://shop.example/articles/${id}`. Values are percent-encoded. A row that has no value for one of them has no address.",
    },
    checkTemplate,
  ),
  metadataFields: list({
    name: 'ossian.metadata.fields',
    group,
    importance: 'medium',
    perTopic,
    default: '',
    doc: 'Columns kept as metadata, by which answers can be filtered. Numbers keep their exact text.',
  }),
  aclField: optionalText({
    name: 'ossian.acl.field',
    group,
    importance: 'medium',
    perTopic,
    doc: 'The column that holds the groups who may read the document: a text array, or one group. Null, empty or missing means nobody. Without this key documents are public.',
  }),
  keyFields: optionalList({
    name: 'ossian.key.fields',
    group,
    importance: 'medium',
    perTopic,
    doc: "Columns that identify a row. Needed for tables without a primary key (then deletes need REPLICA IDENTITY FULL); where records have a key, a part of it. By default the record's key.",
  }),
  source: text({
    name: 'ossian.source',
    group,
    importance: 'medium',
    perTopic,
    default: '${topic}',
    doc: "The name of a topic's source in the corpus; `${topic}` stands for the topic's name. With the source and a row's key a document is identified.",
  }),
  sourceShared: boolean({
    name: 'ossian.source.shared',
    group,
    importance: 'low',
    perTopic: false,
    default: 'false',
    doc: 'Promises that keys are unique across all topics that share a source, which `ossian.source` without `${topic}` needs.',
  }),
  recordFormat: oneOf(
    {
      name: 'ossian.record.format',
      group,
      importance: 'medium',
      perTopic,
      default: 'auto',
      doc: "The form of the records: Debezium's `envelope`, its `flat` row (ExtractNewRecordState), or `plain` rows of another writer. `auto` tells envelopes from flat rows record by record. A record of another form is a bad record.",
    },
    ['auto', 'envelope', 'flat', 'plain'],
  ),
  sideTopics: list({
    name: 'ossian.side.topics',
    group,
    importance: 'low',
    perTopic: false,
    default: '__debezium-heartbeat.*',
    doc: 'Topics whose records are no rows and are ignored whatever they look like; `*` stands for any characters.',
  }),
  unavailablePlaceholder: text(
    {
      name: 'ossian.unavailable.value.placeholder',
      group,
      importance: 'low',
      perTopic,
      default: '__debezium_unavailable_value',
      doc: 'What Debezium sends for a value that it was not given (its `unavailable.value.placeholder`); `hex:` and hexadecimal digits for bytes.',
    },
    checkPlaceholder,
  ),
  unavailablePolicy: oneOf(
    {
      name: 'ossian.unavailable.policy',
      group,
      importance: 'high',
      perTopic,
      default: 'refuse',
      doc: 'What becomes of a row in which a configured column is such a value: `refuse` it (it is a bad record), or `keep` what the backend has of that column.',
    },
    ['refuse', 'keep'],
  ),
  truncatePolicy: oneOf(
    {
      name: 'ossian.truncate.policy',
      group,
      importance: 'medium',
      perTopic,
      default: 'clear',
      doc: "What becomes of a TRUNCATE: `clear` the topic's documents, `ignore` it, or `fail` the task. Debezium sends none unless `skipped.operations` is `none`, and flattening drops them.",
    },
    ['clear', 'ignore', 'fail'],
  ),
};
