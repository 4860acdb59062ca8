import { z } from 'zod';
import { integerText, metadataValue } from './primitives.js';

/** Where an event stands: topic, partition, offset, record timestamp, and the source's own position. */
export const positionSchema = z.object({
  connector: z.string().max(1024).optional(),
  topic: z.string().min(1).max(1024),
  partition: z.number().int().min(0),
  offset: integerText,
  /** Record timestamp, milliseconds since 1970, as decimal text. */
  timestamp: integerText,
  /** A number that grows within one source (Postgres LSN; MySQL file × 10^12 + position). */
  source_position: integerText.nullish(),
  /** Source timestamp, milliseconds since 1970, as decimal text. */
  source_timestamp: integerText.nullish(),
  /** True where the event is a snapshot's reading of a row and not a change. */
  snapshot: z.boolean().default(false),
});
export type Position = z.infer<typeof positionSchema>;
export type PositionInput = z.input<typeof positionSchema>;

const source = z.string().min(1).max(1024);
const key = z.string().min(1).max(4096);

export const sectionSchema = z.object({ name: z.string().min(1).max(1024), text: z.string() });
export type Section = z.infer<typeof sectionSchema>;

/** More than a table has columns: each is compared with the others, and one document must not hold up the server. */
const mostSections = 5000;
const unchangedPart = z.string().regex(/^\/(title|uri|acl|sections\/.+|metadata\/.+)$/s);

export const documentSchema = z.object({
  source,
  key,
  title: z.string().nullish(),
  uri: z.string().nullish(),
  sections: z.array(sectionSchema).max(mostSections).default([]),
  metadata: z.record(z.string(), metadataValue).default({}),
  /** Reader groups: null is public, an empty array is nobody. */
  acl: z.array(z.string()).nullish(),
  /** JSON pointers of parts that keep what the backend has: /title, /uri, /acl, /sections/NAME, /metadata/NAME. */
  unchanged: z.array(unchangedPart).max(mostSections).default([]),
  moved_from: key.optional(),
});
export type EventDocument = z.infer<typeof documentSchema>;

const id = z.string().min(1).max(4096);
const position = positionSchema.optional();

export const upsertSchema = z.object({ id, op: z.literal('upsert'), document: documentSchema, position });
export const deleteSchema = z.object({
  id,
  op: z.literal('delete'),
  document: z.object({ source, key, moved_to: key.optional() }),
  reason: z.enum(['deleted', 'tombstone', 'blanked']).optional(),
  position,
});
export const skipSchema = z.object({
  id,
  op: z.literal('skip'),
  document: z.object({ source, key }),
  reason: z.string().max(4096).optional(),
  position,
});
export const clearSchema = z.object({ id, op: z.literal('clear'), document: z.object({ source }), position: positionSchema });

/** One change sent to the backend. */
export const eventSchema = z.discriminatedUnion('op', [upsertSchema, deleteSchema, skipSchema, clearSchema]);
export type Event = z.infer<typeof eventSchema>;
export type EventInput = z.input<typeof eventSchema>;

/** The request as a whole; each event is judged by itself with `eventSchema`, so that a bad one fails alone. */
export const eventBatchSchema = z.object({ events: z.array(z.unknown()).max(10_000) });

export const outcomes = ['applied', 'unchanged', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof outcomes)[number];

export const eventErrorSchema = z.object({ code: z.string(), message: z.string(), field: z.string().optional() });
export type EventError = z.infer<typeof eventErrorSchema>;

export const eventResultSchema = z.object({
  id: z.string(),
  outcome: z.enum(outcomes),
  document_id: z.string().nullish(),
  error: eventErrorSchema.optional(),
});
export type EventResult = z.infer<typeof eventResultSchema>;

export const eventResultsSchema = z.object({ results: z.array(eventResultSchema) });

/** What the sink tells about how far it has come in one source. */
export const progressSchema = z.object({
  source,
  connector: z.string().min(1).max(1024),
  partitions: z
    .array(
      z.object({
        topic: z.string().min(1).max(1024),
        partition: z.number().int().min(0),
        committed: integerText,
        end: integerText,
      }),
    )
    .max(10_000),
  at: z.iso.datetime({ offset: true }),
});
export type Progress = z.infer<typeof progressSchema>;
