import type { Section } from '@ossian/shared';

/**
 * Puts kept sections among the given ones. Given sections stand in their own order; a kept one stands where it stood: right after the
 * section that was before it, else right before the one that was after it, else at the end.
 *
 * @param keptNames sections of `stored` to keep; one that is also given is replaced by the stored one.
 */
export function mergeSections(given: readonly Section[], keptNames: readonly string[], stored: readonly Section[]): Section[] {
  const kept = new Set(keptNames);
  const merged = given.map((section) =>
    kept.has(section.name) ? (stored.find((other) => other.name === section.name) ?? section) : section,
  );
  const present = new Set(merged.map((section) => section.name));
  stored.forEach((section, index) => {
    if (!kept.has(section.name) || present.has(section.name)) return;
    merged.splice(placeOf(index, stored, merged), 0, section);
    present.add(section.name);
  });
  return merged;
}

function placeOf(index: number, stored: readonly Section[], merged: readonly Section[]): number {
  const places = new Map(merged.map((section, place) => [section.name, place]));
  for (let before = index - 1; before >= 0; before--) {
    const place = places.get(stored[before]?.name ?? '');
    if (place !== undefined) return place + 1;
  }
  for (let after = index + 1; after < stored.length; after++) {
    const place = places.get(stored[after]?.name ?? '');
    if (place !== undefined) return place;
  }
  return merged.length;
}
