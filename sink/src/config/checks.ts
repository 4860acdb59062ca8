import { corpusName } from '@ossian/shared';

export function checkUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'must be an address such as http://127.0.0.1:8080';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password: put the key into ossian.api.key';
  return url.search !== '' || url.hash !== '' ? 'must not have a query or a fragment' : undefined;
}

export function checkCorpus(text: string): string | undefined {
  const parsed = corpusName.safeParse(text);
  return parsed.success ? undefined : `is not the name of a corpus: ${parsed.error.issues[0]?.message ?? ''}`;
}

export function checkRegularExpression(text: string): string | undefined {
  return compileTopicsRegex(text) ? undefined : 'is not a regular expression';
}

/** Connect matches the whole name (java.util.regex.Matcher#matches). */
export function compileTopicsRegex(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`, 'u');
  } catch {
    return undefined;
  }
}
