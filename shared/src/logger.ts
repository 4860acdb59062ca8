import { pino, destination, type Logger } from 'pino';

export type { Logger };
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on stderr, so that a command's own output on stdout stays clean. Never pass secrets or record content. */
export function createLogger(name: string, level: LogLevel = 'info'): Logger {
  return pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));
}
