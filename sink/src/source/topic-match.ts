import type { ConnectorSettings } from '../config/settings.js';

const internal = new Set(['__consumer_offsets', '__transaction_state', '__share_group_state', '__cluster_metadata']);

/**
 * Which topics a connector reads, of those that exist.
 *
 * @returns `missing`: what is waited for, in words; undefined where nothing is.
 */
export function matchTopics(
  { topics: wanted, readsTopic }: Pick<ConnectorSettings, 'topics' | 'readsTopic'>,
  existing: readonly string[],
): { topics: readonly string[]; missing: string | undefined } {
  const topics = existing.filter((topic) => !internal.has(topic) && readsTopic(topic)).sort();
  if ('regex' in wanted) {
    return { topics, missing: topics.length > 0 ? undefined : `no topic matches topics.regex ${wanted.regex} yet` };
  }
  const missing = wanted.list.filter((topic) => !existing.includes(topic));
  return { topics, missing: missing.length === 0 ? undefined : `the broker has no topic ${missing.join(', ')} yet` };
}
