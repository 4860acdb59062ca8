import { ProcessError } from '../processes/process-error.js';
import { isCached } from './downloads.js';
import { findJava, findMaven, findPip } from './requirements.js';
import { StackError } from './stack-error.js';
import { postgresUser } from './unprivileged-user.js';

/** What this machine lacks for the default parts, each as a sentence that says what to install; empty where nothing is. */
export function missingRequirements(): string[] {
  const checks: (() => unknown)[] = [findJava, postgresUser];
  if (!isCached('kafka') || !isCached('debezium')) checks.push(findMaven);
  if (!isCached('pgvector')) checks.push(findPip);
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (StackError.is(error) || ProcessError.is(error)) return [error.message];
      throw error;
    }
  });
}
