import type { Configuration } from './configuration.js';
import { declaredNames, splitTopicKey, topicPrefix, topicSuffixes } from './declared-keys.js';
import { connectKnownNames, isKnownToConnect } from './keys/connect-known-keys.js';
import { kafkaClientKeys, kafkaKeysInUse } from './keys/kafka-client-keys.js';
import { didYouMean } from './suggest.js';

const overrides = [
  ['consumer.override.', kafkaClientKeys.consumer],
  ['producer.override.', kafkaClientKeys.producer],
] as const;

/** A key that nobody defines is a fault: a typing error must not silently mean a default. */
export function checkNames(configuration: Configuration): void {
  const unneeded: string[] = [];
  for (const key of configuration.entries.keys()) {
    const override = overrides.find(([prefix]) => key.startsWith(prefix));
    const kafkaName = override ? key.slice(override[0].length) : key;
    if (declaredNames.has(key)) continue;
    if (override ?? kafkaClientKeys.client.includes(key)) {
      if (override) checkOverride(key, override, configuration);
      if (!kafkaKeysInUse.has(kafkaName)) unneeded.push(key);
    } else if (key.startsWith(topicPrefix)) checkTopicKey(key, configuration);
    else if (/^(?:transforms|predicates)\../.test(key)) continue;
    else if (isKnownToConnect(key)) unneeded.push(key);
    else configuration.fault(key, `${key} is not a key of any kind.${suggestion(key)} Take it out if it is not needed.`);
  }
  if (unneeded.length > 0) {
    configuration.warnings.push(`Accepted but not needed here, and without effect: ${unneeded.sort().join(', ')}.`);
  }
}

function suggestion(key: string): string {
  return didYouMean(key, [...declaredNames, ...connectKnownNames, ...kafkaClientKeys.client]);
}

function checkTopicKey(key: string, configuration: Configuration): void {
  if (splitTopicKey(key)) return;
  const names = topicSuffixes.map((suffix) => suffix).join(', ');
  const rest = key.slice(topicPrefix.length).split('.');
  const near = rest.map((_part, index) => didYouMean(rest.slice(index).join('.'), topicSuffixes)).find((hint) => hint !== '');
  configuration.fault(key, `${key} does not end with a key that can be set for one topic.${near ?? ''} These can: ${names}.`);
}

function checkOverride(key: string, [prefix, known]: readonly [string, readonly string[]], configuration: Configuration): void {
  const name = key.slice(prefix.length);
  if (known.includes(name)) return;
  configuration.fault(key, `${key}: ${name} is not a key of Kafka's ${prefix.split('.')[0]}.${didYouMean(name, known)}`);
}
