import { z } from 'zod';

/** An integer that may pass 2^53, as decimal text, so that no JSON parser rounds it. */
export const integerText = z.string().regex(/^-?\d{1,39}$/, 'expected an integer as decimal text');

/** A name of a corpus: it stands in paths, so it is short and needs no escaping. */
export const corpusName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'a corpus name has letters, digits, ".", "_" and "-", at most 128');

/** `limit` is 1 to 200 everywhere. */
export const limit = z.number().int().min(1).max(200);

/** A metadata value: numbers travel as exact text. */
export const metadataValue = z.union([z.string(), z.boolean(), z.null(), z.array(z.union([z.string(), z.boolean(), z.null()]))]);
export type MetadataValue = z.infer<typeof metadataValue>;
