import { ConfigurationError } from '../config/configuration-error.js';
import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';

/** What a command's fault is to the shell: 2 configuration, 3 a service out of reach, else 1. */
export function exitCodeOf(error: unknown): number {
  if (ConfigurationError.is(error)) return 2;
  if (FatalError.is(error) && ['kafka_configuration', 'command', 'listener_unavailable'].includes(error.code)) return 2;
  return OutageError.is(error) ? 3 : 1;
}
