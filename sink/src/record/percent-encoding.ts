const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /(\p{Surrogate})/u;

/**
 * Percent-encodes text as a URI component. Injective for every JavaScript string: a lone surrogate, which
 * `encodeURIComponent` refuses, is encoded as its code (`%uD800`), and no well-formed text encodes to that.
 */
export function percentEncode(text: string): string {
  if (!loneSurrogate.test(text)) return encodeURIComponent(text);
  return text
    .split(loneSurrogates)
    .map((part) => (loneSurrogate.test(part) ? `%u${part.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(part)))
    .join('');
}
