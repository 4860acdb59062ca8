import { z } from 'zod';

/** RFC 9457 problem details; `code` is ours, stable, and what a program should look at. */
export const problemSchema = z.looseObject({
  type: z.string().optional(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string().optional(),
});
export type Problem = z.infer<typeof problemSchema>;

export const problemContentType = 'application/problem+json';

/** What the server throws to answer with a problem; `detail` says what to do about it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  constructor(
    status: number,
    code: string,
    detail: string,
    options: { headers?: Record<string, string>; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause });
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
  static is(error: unknown): error is ProblemError {
    return error instanceof ProblemError;
  }
  toProblem(title: string): Problem {
    return { type: 'about:blank', title, status: this.status, code: this.code, detail: this.message, ...this.extra };
  }
}
