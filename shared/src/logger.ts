import { pino, destination, type Logger } from 'pino';

export type { Logger };
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  code?: unknown;
  cause?: LoggedError;
}

/**
 * What is logged of an error: none of the properties that libraries hang on it. A database's message, detail and stack quote the
 * values of the row, so of such an error (it has an SQLSTATE and a severity) only the code and the names are kept.
 */
export function describeError(error: unknown): LoggedError {
  const { name, message, stack, code, cause, severity, table, constraint, routine } = (
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  ) as Record<string, unknown>;
  const common = {
    type: typeof name === 'string' ? name : typeof error,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
  if (typeof severity === 'string' && typeof code === 'string') {
    const parts = [`SQLSTATE ${code}`, table, constraint, routine].filter((part) => typeof part === 'string');
    const frames = typeof stack === 'string' ? stack.slice(Math.max(0, stack.indexOf('\n    at '))) : undefined;
    return { ...common, message: parts.join(', '), ...(frames === undefined ? {} : { stack: frames }) };
  }
  return { ...common, message: String(message), ...(typeof stack === 'string' ? { stack } : {}) };
}

/** JSON lines on stderr, so that a command's own output on stdout stays clean. Never pass secrets or record content. */
export function createLogger(name: string, level: LogLevel = 'info'): Logger {
  return pino(
    { name, level, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination({ fd: 2, sync: true }),
  );
}
