import { z } from 'zod';
import type { Problem } from '../problem.js';
import { limit } from './primitives.js';

/** A filter becomes one statement, and every condition costs its planner time and memory, whoever sends it. */
const mostConditions = 100;
const mostMembers = 1000;

const scalar = z.union([z.string(), z.boolean(), z.null()]);
const conditionSchema = z.union([
  z.string(),
  z.boolean(),
  z.null(),
  z.strictObject({
    $eq: scalar.optional(),
    $ne: scalar.optional(),
    $in: z.array(scalar).optional(),
    $gt: z.string().optional(),
    $gte: z.string().optional(),
    $lt: z.string().optional(),
    $lte: z.string().optional(),
    $exists: z.boolean().optional(),
  }),
]);

/** Metadata filter: a value, or operators over it; all entries must hold. At most 100 conditions, and 1,000 values of `$in` in all. */
export const filterSchema = z
  .record(z.string(), conditionSchema)
  .refine((filter) => operatorsOf(filter).reduce((sum, [, operators]) => sum + operators, 0) <= mostConditions, {
    error: `a filter may have at most ${mostConditions} conditions`,
  })
  .refine((filter) => operatorsOf(filter).reduce((sum, [members]) => sum + members, 0) <= mostMembers, {
    error: `a filter may name at most ${mostMembers} values with $in`,
  });
export type Filter = z.infer<typeof filterSchema>;

/** Of each entry: how many values its `$in` names, and how many conditions it is. */
function operatorsOf(filter: Record<string, z.infer<typeof conditionSchema>>): [number, number][] {
  return Object.values(filter).map((condition) =>
    condition === null || typeof condition !== 'object'
      ? [0, 1]
      : [condition.$in?.length ?? 0, Math.max(1, Object.keys(condition).length)],
  );
}

const readers = z.array(z.string().min(1).max(1024)).max(1000);

export const askSchema = z.strictObject({
  question: z.string().trim().min(1, 'the question is empty: say what you want to know').max(10_000),
  filter: filterSchema.optional(),
  readers: readers.optional(),
  max_documents: z.number().int().min(1).max(50).default(6),
  stream: z.boolean().default(false),
});
export type AskRequest = z.infer<typeof askSchema>;
export type AskInput = z.input<typeof askSchema>;

export const legs = ['fused', 'lexical', 'vector'] as const;
export type Leg = (typeof legs)[number];

export const searchSchema = z.strictObject({
  query: z.string().trim().min(1, 'the query is empty: say what you look for').max(10_000),
  limit: limit.default(10),
  leg: z.enum(legs).default('fused'),
  group: z.enum(['chunk', 'document']).default('chunk'),
  filter: filterSchema.optional(),
  readers: readers.optional(),
  explain: z.boolean().default(false),
});
export type SearchRequest = z.infer<typeof searchSchema>;
export type SearchInput = z.input<typeof searchSchema>;

export interface Hit {
  chunk_id: string;
  document_id: string;
  source: string;
  key: string;
  title: string | null;
  uri: string | null;
  section: string;
  text: string;
  /** Character range (UTF-16 code units) within the section's text. */
  start: number;
  end: number;
  score: number;
  /** ISO time since when the document is known to be behind its row, or null. */
  behind_since: string | null;
  explain?: Record<string, number | string | null>;
}
export interface SearchResponse {
  hits: Hit[];
  /** Said only where it matters, e.g. that the vector leg was left out because the model could not be loaded. */
  notices?: string[];
}

export interface CitedPassage {
  chunk_id: string;
  section: string;
  text: string;
  start: number;
  end: number;
  score: number;
}
/** A document number in an answer, with the passages that support it. */
export interface Citation {
  number: number;
  document_id: string;
  source: string;
  key: string;
  title: string | null;
  uri: string | null;
  behind_since: string | null;
  also_in: { document_id: string; source: string; key: string }[];
  passages: CitedPassage[];
}
/** A stretch of the answer and what it rests on; `passages` are indexes into that citation's passages. */
export interface AnswerSegment {
  text: string;
  citations: { number: number; passages: number[] }[];
}
export interface Answer {
  id: string;
  answer: string;
  segments: AnswerSegment[];
  citations: Citation[];
  answerer: string;
  /** False where nothing relevant was found. */
  supported: boolean;
  sources: { source: string; caught_up_at: string | null }[];
  usage: Record<string, number>;
  timing_ms: Record<string, number>;
  notices?: string[];
}

/**
 * What `stream: true` sends as server-sent events: `sources` once, then `delta` and `citation` while the answer grows, then `done` with
 * the object that a plain request gets. The deltas, put together, are its `answer`. Where the answer could not be finished, `error`
 * comes instead of `done`, and what was sent is not an answer.
 */
export type AnswerEvent =
  | { event: 'sources'; data: { sources: Answer['sources']; notices: string[] } }
  | { event: 'delta'; data: { text: string } }
  /** One document of one segment; its passages are those that this segment rests on. */
  | { event: 'citation'; data: { segment: number; citation: Citation } }
  | { event: 'done'; data: Answer }
  | { event: 'error'; data: Problem };
