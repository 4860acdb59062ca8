/** Why a record that is not a row, or is of no concern, ends as ignored. */
export const ignoredKinds = [
  'transaction',
  'schema_change',
  'notification',
  'heartbeat',
  'message',
  'signal',
  'truncate',
  'empty',
  'side_topic',
  /** The delete half of a key change that leaves the document the same (`ossian.key.fields`). */
  'same_document',
  'filtered',
] as const;
export type IgnoredKind = (typeof ignoredKinds)[number];
