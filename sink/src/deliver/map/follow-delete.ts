import type { EventInput } from '@ossian/shared';

/** The delete that a partition's last record was, where it had a source position. */
export interface PrecedingDelete {
  readonly source: string;
  readonly key: string;
  readonly sourcePosition: string;
  readonly sourceTimestamp: string | null | undefined;
}

/**
 * Gives a tombstone the source position of its delete. Debezium writes a tombstone right behind the delete that it belongs to,
 * and the tombstone itself says nothing of the source. A connector that was killed sends both again, at new offsets, perhaps
 * after the key was inserted anew: the delete is stale by its position then, and the tombstone must be so too.
 */
export function followDelete(event: EventInput, preceding: PrecedingDelete | undefined): EventInput {
  if (event.op !== 'delete' || event.reason !== 'tombstone' || preceding === undefined) return event;
  const { document, position } = event;
  const isItsOwn = document.source === preceding.source && document.key === preceding.key;
  if (!isItsOwn || position === undefined || position.source_position != null) return event;
  const { sourcePosition, sourceTimestamp } = preceding;
  return { ...event, position: { ...position, source_position: sourcePosition, source_timestamp: sourceTimestamp } };
}

/** What a tombstone that comes next would follow; undefined where the event is not a delete with a source position. */
export function precedingDelete(event: EventInput): PrecedingDelete | undefined {
  if (event.op !== 'delete' || event.reason !== 'deleted' || event.position?.source_position == null) return undefined;
  const { document, position } = event;
  return {
    source: document.source,
    key: document.key,
    sourcePosition: position.source_position as string,
    sourceTimestamp: position.source_timestamp,
  };
}
