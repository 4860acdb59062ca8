import type { ConfigKey } from './config-key.js';
import { declaredKeys } from './declared-keys.js';

const introduction = `<!-- Generated from the keys that sink/src/config declares, by scripts/configuration-reference.mjs. Do not edit. -->

# Configuration of a connector

A connector is a \`.properties\` file, or a JSON file in either of Kafka Connect's forms (\`{"name": …, "config": {…}}\` or one
flat object). \`ossian-sink validate --config FILE\` tells every fault at once, \`ossian-sink inspect --config FILE --records FILE\`
shows what becomes of recorded records.

- Any value may hold \`\${env:NAME}\`, \`\${file:/path}\` (the whole file) or \`\${file:/path:key}\` (a key of a .properties file).
  What comes from there is never printed, and neither are passwords.
- A key marked "per topic" may be set for one topic: \`ossian.text.fields\` as \`ossian.topic.shop.public.tickets.text.fields\`.
- Kafka's own client keys stand beside these in Kafka's spelling: \`security.protocol\`, \`sasl.*\`, \`ssl.*\`,
  \`consumer.override.*\`, \`producer.override.*\`.
- Keys that Kafka Connect or a known converter defines and that are not needed here are accepted, with one warning that
  lists them. A key that nobody defines is a fault, and so is what contradicts itself.
`;

/** The configuration reference as Markdown, from the declared keys alone. */
export function configurationReference(): string {
  const groups = [...new Set(declaredKeys.map((key) => key.group))];
  const sections = groups.map((group) => {
    const keys = declaredKeys.filter((key) => key.group === group).map(describeKey);
    return `## ${group}\n\n${keys.join('\n\n')}`;
  });
  return `${introduction}\n${sections.join('\n\n')}\n`;
}

function describeKey(key: ConfigKey<unknown>): string {
  const facts = [
    `Type: ${key.type}`,
    key.required
      ? 'required'
      : key.default === undefined
        ? 'no default'
        : `default: ${key.default === '' ? 'empty' : `\`${key.default}\``}`,
    ...(key.valid === '' ? [] : [`valid: ${key.valid}`]),
    `importance: ${key.importance}`,
    ...(key.perTopic ? ['per topic'] : []),
  ];
  return `### \`${key.name}\`\n\n${key.doc}\n\n${facts.join(' · ')}`;
}
