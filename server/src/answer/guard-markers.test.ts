import { describe, expect, it } from '@jest/globals';
import { MarkerGuard } from './guard-markers.js';

function guarded(text: string, cut: number): string {
  const guard = new MarkerGuard();
  let shown = '';
  for (let start = 0; start < text.length; start += cut) shown += guard.push(text.slice(start, start + cut));
  return shown + guard.endSegment();
}

describe('MarkerGuard', () => {
  it.each([
    ['As [7] says and [9].', 'As (7) says and (9).'],
    ['[1] says', '(1) says'],
    ['it is so.[2][3] Then', 'it is so.(2)(3) Then'],
    ['args[1] and f()[2] stay, matrix[0][1] too', 'args[1] and f()[2] stay, matrix[0][1] too'],
    ['a list [1, 2] and [a] and [', 'a list [1, 2] and [a] and ['],
    ['ends [12', 'ends [12'],
    ['trailing   ', 'trailing'],
  ])('lets %j through as %j, however it is cut', (text, expected) => {
    for (const cut of [1, 2, 3, 5, 100]) expect(guarded(text, cut)).toBe(expected);
  });

  it('gives held white space back before the next text', () => {
    const guard = new MarkerGuard();
    expect(guard.push('One. ')).toBe('One.');
    expect(guard.endSegment()).toBe('');
    expect(guard.push('Two.')).toBe(' Two.');
  });
});
