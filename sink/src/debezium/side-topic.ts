const patterns = new Map<string, RegExp>();

/** True where the topic is named by `ossian.side.topics`: names in which `*` stands for any characters. */
export function isSideTopic(topic: string, sideTopics: readonly string[]): boolean {
  return sideTopics.some((name) => patternOf(name).test(topic));
}

function patternOf(name: string): RegExp {
  let pattern = patterns.get(name);
  if (!pattern) {
    const parts = name.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&'));
    patterns.set(name, (pattern = new RegExp(`^${parts.join('.*')}$`, 's')));
  }
  return pattern;
}
