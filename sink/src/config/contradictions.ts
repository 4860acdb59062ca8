import type { Configuration } from './configuration.js';
import { compileTopicsRegex } from './checks.js';
import { matchesTopicPattern } from '../record/topic-pattern.js';
import type { Mappings } from './read-mapping.js';
import type { DeliverySettings, ToleranceSettings } from './settings.js';

export interface Draft {
  readonly topics: readonly string[] | undefined;
  readonly topicsRegex: string | undefined;
  readonly tolerance: ToleranceSettings;
  readonly delivery: DeliverySettings;
  readonly mappings: Mappings;
  readonly sourceShared: boolean;
}

/** What cannot hold together, or is not defined enough to start (invariant S9). */
export function findContradictions(draft: Draft, configuration: Configuration): void {
  checkTopics(configuration);
  checkTolerance(draft, configuration);
  checkSources(draft, configuration);
  checkTextFields(draft, configuration);
  checkTopicKeys(draft, configuration);
  if (draft.delivery.retryBackoff > draft.delivery.retryBackoffMax) {
    configuration.fault('retry.backoff.ms', 'retry.backoff.ms is above retry.backoff.max.ms: lower the one or raise the other.');
  }
}

function checkTopics(configuration: Configuration): void {
  const has = (key: string): boolean => configuration.entries.has(key) || configuration.unresolved.has(key);
  if (has('topics') && has('topics.regex')) {
    configuration.fault('topics', 'topics and topics.regex are both set: keep one of them.');
  } else if (!has('topics') && !has('topics.regex')) {
    configuration.fault('topics', 'topics is missing: name the topics to read, or set topics.regex.');
  }
}

function checkTolerance({ tolerance, ...draft }: Draft, configuration: Configuration): void {
  const { deadLetterTopic } = tolerance;
  const key = 'errors.deadletterqueue.topic.name';
  if (deadLetterTopic !== undefined && readsTopic(draft, deadLetterTopic)) {
    configuration.fault(key, `${key} is one of the topics that are read: dead letters would come back. Give it another name.`);
  }
  if (deadLetterTopic !== undefined && tolerance.tolerance === 'none') {
    configuration.fault(
      key,
      `${key} is set, but errors.tolerance is none, so that the task stops at the first bad record and nothing is dead-lettered: set errors.tolerance=all, or take the topic out.`,
    );
  }
  if (tolerance.tolerance === 'all' && deadLetterTopic === undefined && !tolerance.logEnable) {
    configuration.fault(
      'errors.tolerance',
      `errors.tolerance is all with neither ${key} nor errors.log.enable: bad records would vanish without a trace. Set one of them.`,
    );
  }
}

function checkSources({ mappings, sourceShared, ...draft }: Draft, configuration: Configuration): void {
  if (sourceShared) return;
  const several = draft.topicsRegex !== undefined || (draft.topics?.length ?? 0) > 1;
  const named = new Map<string, string>();
  const all = draft.topics?.map((topic) => [topic, mappings.byTopic.get(topic) ?? mappings.connector] as const) ?? [];
  for (const [topic, { source, sideTopics }] of all) {
    if (matchesTopicPattern(topic, sideTopics)) continue;
    const name = source.replaceAll('${topic}', () => topic);
    const other = named.get(name);
    named.set(name, topic);
    if (other === undefined) continue;
    configuration.fault('ossian.source', sharedSource(`${other} and ${topic} share the source "${name}"`));
    return;
  }
  if (several && draft.topicsRegex !== undefined && !mappings.connector.source.includes('${topic}')) {
    configuration.fault('ossian.source', sharedSource('all topics that topics.regex matches share one source'));
    return;
  }
  const shared = draft.topicsRegex === undefined ? undefined : sharedUnderRegex(mappings, (topic) => readsTopic(draft, topic));
  if (shared !== undefined) configuration.fault('ossian.source', sharedSource(shared));
}

/** Two topics with keys of their own that share a source, or one whose source is that of another topic the regex matches. */
function sharedUnderRegex({ connector, byTopic }: Mappings, matches: (topic: string) => boolean): string | undefined {
  const named = new Map<string, string>();
  const [before = '', after = ''] = connector.source.split('${topic}');
  for (const [topic, { source }] of byTopic) {
    const name = source.replaceAll('${topic}', () => topic);
    const isOthers = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
    // The topic that has this source by the connector's own template.
    const usual = isOthers ? name.slice(before.length, name.length - after.length) : topic;
    const other = named.get(name) ?? (usual !== topic && !byTopic.has(usual) && matches(usual) ? usual : undefined);
    if (other !== undefined) return `${other} and ${topic} share the source "${name}"`;
    named.set(name, topic);
  }
  return undefined;
}

function sharedSource(what: string): string {
  return `ossian.source: ${what}, so that rows of two tables with one key would be one document. Use \${topic} in it, or set ossian.source.shared=true if keys are unique across them.`;
}

function checkTextFields({ mappings, ...draft }: Draft, configuration: Configuration): void {
  const key = 'ossian.text.fields';
  if (configuration.entries.has(key) || configuration.unresolved.has(key)) return;
  if (draft.topics === undefined) {
    configuration.fault(key, `${key} is missing: name the columns that hold text, separated by commas.`);
    return;
  }
  const without = draft.topics.filter(
    (topic) =>
      (mappings.byTopic.get(topic)?.textFields.length ?? 0) === 0 && !matchesTopicPattern(topic, mappings.connector.sideTopics),
  );
  if (without.length > 0) {
    configuration.fault(
      key,
      `${key} is missing for ${without.join(', ')}: name the columns that hold text, for all topics or as ossian.topic.<topic>.text.fields. Topics that hold no rows belong in ossian.side.topics.`,
    );
  }
}

function checkTopicKeys({ mappings, ...draft }: Draft, configuration: Configuration): void {
  if (!draft.topics && draft.topicsRegex === undefined) return;
  for (const topic of mappings.byTopic.keys()) {
    if (readsTopic(draft, topic)) continue;
    configuration.fault(
      `ossian.topic.${topic}`,
      `ossian.topic.${topic}.… is set, but "${topic}" is not among the topics that are read: correct the name or take it out.`,
    );
  }
}

function readsTopic({ topics, topicsRegex }: Pick<Draft, 'topics' | 'topicsRegex'>, topic: string): boolean {
  if (topics?.includes(topic)) return true;
  return topicsRegex !== undefined && compileTopicsRegex(topicsRegex)?.test(topic) === true;
}
