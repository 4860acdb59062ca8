import { type LogLevel, logLevels } from '@ossian/shared';

/** `OSSIAN_LOG_LEVEL`; `info` where it is unset or none of the levels. */
export function logLevel(environment: NodeJS.ProcessEnv = process.env): LogLevel {
  const wanted = environment['OSSIAN_LOG_LEVEL']?.toLowerCase();
  return logLevels.find((level) => level === wanted) ?? 'info';
}
