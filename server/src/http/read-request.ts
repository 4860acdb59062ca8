import { ProblemError } from '@ossian/shared';
import type { Request } from 'express';
import type { z } from 'zod';

/** @throws ProblemError 400 that names the field and what is wrong with it. */
export function readBody<S extends z.ZodType>(schema: S, request: Request): z.output<S> {
  return read(schema, request.body ?? {});
}

/** As `readBody`, for the query. A parameter that is given twice counts once, its first value. */
export function readQuery<S extends z.ZodType>(schema: S, request: Request): z.output<S> {
  const entries = Object.entries(request.query).map(([name, value]) => [name, firstText(value)] as const);
  return read(schema, Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

/** `readers` of a query: apart by commas, or given several times; undefined where it is not there. */
export function readReaders(request: Request): string[] | undefined {
  const given = request.query['readers'];
  if (given === undefined) return undefined;
  const texts = (Array.isArray(given) ? given : [given]).filter((value) => typeof value === 'string');
  return texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = [...(issue?.path ?? []), ...(unknownKey === undefined ? [] : [unknownKey])].join('.');
  const message = unknownKey === undefined ? (issue?.message ?? 'invalid') : 'this field is not known';
  throw new ProblemError(400, 'invalid_request', field === '' ? message : `${field}: ${message}`, {
    extra: field === '' ? {} : { field },
  });
}
