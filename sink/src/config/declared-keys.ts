import type { ConfigKey } from './config-key.js';
import { consumerKeys } from './keys/consumer-keys.js';
import { connectorKeys } from './keys/connector-keys.js';
import { chainKeys, converterKeys } from './keys/converter-keys.js';
import { mappingKeys } from './keys/mapping-keys.js';

export const keyConverterKeys = converterKeys('key');
export const valueConverterKeys = converterKeys('value');

/** Every key that has a meaning of its own here, in the order of the reference. */
export const declaredKeys: readonly ConfigKey<unknown>[] = [
  connectorKeys,
  mappingKeys,
  keyConverterKeys,
  valueConverterKeys,
  chainKeys,
  consumerKeys,
].flatMap((keys) => Object.values(keys) as ConfigKey<unknown>[]);

export const declaredNames: ReadonlySet<string> = new Set(declaredKeys.map((key) => key.name));

const ours = 'ossian.';
export const topicPrefix = 'ossian.topic.';
/** Suffixes of `ossian.topic.<topic>.`, the longest first. */
export const topicSuffixes: readonly string[] = declaredKeys
  .filter((key) => key.perTopic)
  .map((key) => key.name.slice(ours.length))
  .sort((one, other) => other.length - one.length);

export interface TopicKey {
  readonly topic: string;
  readonly name: string;
}

/** Splits `ossian.topic.shop.public.tickets.text.fields`: topics hold dots, so the longest known suffix decides. */
export function splitTopicKey(key: string): TopicKey | undefined {
  const rest = key.slice(topicPrefix.length);
  const suffix = topicSuffixes.find((candidate) => rest.endsWith(`.${candidate}`));
  return suffix === undefined ? undefined : { topic: rest.slice(0, -suffix.length - 1), name: ours + suffix };
}
