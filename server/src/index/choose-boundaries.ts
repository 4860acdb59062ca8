/** Sizes of a chunk in tokens. */
export interface ChunkSizes {
  /** A boundary that is chosen by content has no other, and no end of the text, within this distance. */
  readonly radius: number;
  /** No chunk is longer, unless it is one unit. */
  readonly most: number;
}

/** What lies before boundary i: `offsets[i]` tokens; the boundary before unit i weighs `weights[i]`. Offsets end with the total. */
export interface Boundaries {
  readonly offsets: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Where to cut a sequence of units: the indexes of the units that begin a chunk, the first (0) included.
 *
 * A boundary is chosen where it outweighs every other within `radius` tokens on both sides (local-maximum chunking, Bjørner, Blass,
 * Gurevich 2007): that depends on its neighbourhood alone, so an edit moves only boundaries within `radius` of it. Stretches that
 * come out too long are cut again at their heaviest boundary that leaves enough on both sides.
 */
export function chooseBoundaries(boundaries: Boundaries, sizes: ChunkSizes): number[] {
  const count = boundaries.weights.length;
  const chosen: number[] = [];
  let from = 0;
  for (let index = 1; index <= count; index += 1) {
    if (index < count && !isPeak(boundaries, index, sizes.radius)) continue;
    for (const start of cutStretch(boundaries, from, index, sizes)) chosen.push(start);
    from = index;
  }
  return chosen;
}

function isPeak({ offsets, weights }: Boundaries, index: number, radius: number): boolean {
  const at = offsets[index]!;
  const weight = weights[index]!;
  if (weight < 1 || at < radius || offsets.at(-1)! - at < radius) return false;
  for (let left = index - 1; left > 0 && at - offsets[left]! <= radius; left -= 1) if (weights[left]! >= weight) return false;
  for (let right = index + 1; right < weights.length && offsets[right]! - at <= radius; right += 1) {
    if (weights[right]! > weight) return false;
  }
  return true;
}

/** The starts of the chunks between two boundaries, in order. An own stack: a text may be long. */
function cutStretch(boundaries: Boundaries, from: number, to: number, sizes: ChunkSizes): number[] {
  const starts: number[] = [];
  const stack: [number, number][] = [[from, to]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [start, end] = next;
    const length = boundaries.offsets[end]! - boundaries.offsets[start]!;
    if (length <= sizes.most || end - start === 1) {
      starts.push(start);
      continue;
    }
    const cut = heaviest(boundaries, start, end, Math.max(sizes.radius, length > 8 * sizes.most ? length / 4 : 0));
    stack.push([cut, end], [start, cut]);
  }
  return starts;
}

/** The heaviest boundary at least `margin` tokens from both ends, of equals the one nearest to the middle; closer where none is. */
function heaviest({ offsets, weights }: Boundaries, start: number, end: number, margin: number): number {
  const [first, last] = [offsets[start]!, offsets[end]!];
  const middle = (first + last) / 2;
  for (let room = margin; ; room = room < 1 ? -1 : room / 2) {
    let best = -1;
    for (let index = start + 1; index < end; index += 1) {
      const at = offsets[index]!;
      if (at - first < room || last - at < room) continue;
      const heavier = best < 0 ? 1 : weights[index]! - weights[best]!;
      if (heavier > 0 || (heavier === 0 && Math.abs(at - middle) < Math.abs(offsets[best]! - middle))) best = index;
    }
    if (best > 0) return best;
  }
}
