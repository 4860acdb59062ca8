import Anthropic from '@anthropic-ai/sdk';
import { ProblemError } from '@ossian/shared';

type ApiFault = InstanceType<typeof Anthropic.APIError>;

/** The stream ended before the message did. */
export function cutOff(cause?: unknown): ProblemError {
  return new ProblemError(502, 'answerer_cut_off', 'the language model broke off in the middle of the answer; ask again', {
    cause,
  });
}

/** Nothing came for too long. */
export function timedOut(milliseconds: number): ProblemError {
  return new ProblemError(
    504,
    'answerer_timeout',
    `the language model sent nothing for ${Math.round(milliseconds / 1000)} seconds; ask again`,
  );
}

/**
 * What a fault of the Messages API means to the one who asked. Never a 401 or 403 of ours: a key that Anthropic refuses is the
 * operator's to mend. The detail carries Anthropic's own message, which never holds the key.
 */
export function toAnswererProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof Anthropic.APIConnectionTimeoutError) {
    return new ProblemError(504, 'answerer_timeout', 'the language model did not answer in time; ask again', { cause: error });
  }
  if (error instanceof Anthropic.APIConnectionError) {
    const detail = 'the language model cannot be reached; check ANTHROPIC_BASE_URL and the network';
    return new ProblemError(503, 'answerer_unreachable', detail, { headers: { 'Retry-After': '10' }, cause: error });
  }
  // Whatever else breaks while the stream is read (a closed socket, a broken event) cuts the answer off.
  return error instanceof Anthropic.APIError ? fromApi(error as ApiFault) : cutOff(error);
}

function fromApi(fault: ApiFault): ProblemError {
  const said = fault.apiMessage ?? fault.type ?? `status ${fault.status ?? 'unknown'}`;
  if (refusesKey(fault)) {
    const detail = `Anthropic refused the server's key: check ANTHROPIC_API_KEY (${said})`;
    return new ProblemError(502, 'answerer_refused_key', detail, { cause: fault });
  }
  if (isPassing(fault)) {
    const detail = `the language model is overloaded or rate limited (${said}); ask again later`;
    const headers = { 'Retry-After': retryAfter(fault) };
    return new ProblemError(503, 'answerer_overloaded', detail, { headers, cause: fault });
  }
  const detail = `Anthropic refused the request (${said}); check OSSIAN_ANTHROPIC_MODEL and ANTHROPIC_BASE_URL`;
  return new ProblemError(502, 'answerer_refused_request', detail, { cause: fault });
}

function refusesKey({ status, type }: ApiFault): boolean {
  return status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error';
}

function isPassing({ status, type }: ApiFault): boolean {
  const passingTypes: readonly (string | null)[] = ['overloaded_error', 'rate_limit_error', 'api_error', 'timeout_error'];
  return passingTypes.includes(type) || (status !== undefined && (status === 429 || status === 408 || status >= 500));
}

/** Whole seconds, at most an hour; 10 where Anthropic names none. */
function retryAfter({ headers }: ApiFault): string {
  const seconds = Number(headers?.get('retry-after'));
  return String(Number.isFinite(seconds) && seconds > 0 ? Math.min(3600, Math.ceil(seconds)) : 10);
}
