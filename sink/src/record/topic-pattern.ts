const compiled = new Map<string, RegExp>();

/** True where one of the patterns names the topic: names in which `*` stands for any characters, and nothing else is special. */
export function matchesTopicPattern(topic: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => compile(pattern).test(topic));
}

function compile(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (!expression) {
    const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&'));
    compiled.set(pattern, (expression = new RegExp(`^${parts.join('.*')}$`, 's')));
  }
  return expression;
}
