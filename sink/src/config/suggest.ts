import leven from 'leven';

/** " Did you mean x?" for a near miss, else nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  let best: string | undefined;
  let distance = Math.max(2, Math.floor(name.length / 5)) + 1;
  for (const candidate of known) {
    const found = leven(name, candidate);
    if (found < distance) [best, distance] = [candidate, found];
  }
  return best === undefined ? '' : ` Did you mean ${best}?`;
}
