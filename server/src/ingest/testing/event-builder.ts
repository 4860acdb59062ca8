import type { EventInput, PositionInput } from '@ossian/shared';

type Upsert = Extract<EventInput, { op: 'upsert' }>;
type UpsertDocument = Upsert['document'];

/** Time 0 of the tests, in milliseconds since 1970. */
export const baseTime = 1_764_550_000_000;

export interface EventOptions {
  readonly id?: string;
  /** Parts of the position; null: an event without one. */
  readonly position?: Partial<PositionInput> | null;
}

/** Events of one topic, each at the next offset, one millisecond and one source position later than the one before. */
export class EventBuilder {
  readonly source: string;
  #count = 0;
  constructor(source = 'shop.public.articles') {
    this.source = source;
  }

  position(parts: Partial<PositionInput> = {}): PositionInput {
    const n = this.#count++;
    const time = String(baseTime + n);
    const defaults = { offset: String(n), timestamp: time, source_position: String(1000 + n), source_timestamp: time };
    return { connector: 'test', topic: this.source, partition: 0, ...defaults, ...parts };
  }

  upsert(key: string, text: string | null, document: Partial<UpsertDocument> = {}, options: EventOptions = {}): Upsert {
    const sections = text === null ? [] : [{ name: 'body', text }];
    return {
      op: 'upsert',
      document: { source: this.source, key, title: `Title of ${key}`, sections, ...document },
      ...this.#common(options),
    };
  }

  delete(key: string, movedTo?: string, options: EventOptions = {}): EventInput {
    const document = { source: this.source, key, ...(movedTo === undefined ? {} : { moved_to: movedTo }) };
    return { op: 'delete', document, reason: 'deleted', ...this.#common(options) };
  }

  skip(key: string, options: EventOptions = {}): EventInput {
    return { op: 'skip', document: { source: this.source, key }, reason: 'unavailable', ...this.#common(options) };
  }

  clear(parts: Partial<PositionInput> = {}): EventInput {
    const position = this.position(parts);
    return { id: idOf(position), op: 'clear', document: { source: this.source }, position };
  }

  #common(options: EventOptions): { id: string; position?: PositionInput } {
    if (options.position === null) return { id: options.id ?? `manual-${this.#count++}` };
    const position = this.position(options.position);
    return { id: options.id ?? idOf(position), position };
  }
}

function idOf(position: PositionInput): string {
  return [position.topic, position.partition, position.offset, position.timestamp].join(':');
}
