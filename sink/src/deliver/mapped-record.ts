import type { EventInput } from '@ossian/shared';

/** How the mapping core ends one record; bad ones are thrown as RecordError. */
export type MappedRecord =
  | { readonly kind: 'event'; readonly event: EventInput; readonly missingColumns: readonly string[] }
  | { readonly kind: 'ignored'; readonly reason: IgnoredKind };

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
  'filtered',
] as const;
export type IgnoredKind = (typeof ignoredKinds)[number];
