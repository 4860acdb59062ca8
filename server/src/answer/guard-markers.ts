/**
 * Lets text through part by part, but keeps an answerer's own words from looking like our citation markers: a bracketed number that does
 * not follow a letter, a digit or a closing bracket (so not `array[0]`) becomes a number in parentheses. White space at the end, and what
 * may be the beginning of a marker, is held back until more text or the end of the segment.
 */
export class MarkerGuard {
  #held = '';
  #last = '';
  #afterDefused = false;

  /** What may be shown of the text so far. */
  push(text: string): string {
    const all = this.#held + text;
    const tail = /\s*(?:\[\d{0,6})?$/u.exec(all);
    const end = tail?.index ?? all.length;
    this.#held = all.slice(end);
    return this.#pass(all.slice(0, end));
  }

  /** What is left at the end of a segment, but for its trailing white space, which stays held for the text that may follow. */
  endSegment(): string {
    const end = this.#held.trimEnd().length;
    const rest = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return this.#pass(rest);
  }

  #pass(text: string): string {
    // At odd places stand the bracketed numbers.
    return text
      .split(/(\[\d{1,6}\])/u)
      .map((piece, index) => (index % 2 === 0 ? this.#passText(piece) : this.#passMarker(piece)))
      .join('');
  }

  #passText(text: string): string {
    if (text === '') return text;
    this.#afterDefused = false;
    this.#last = text.slice(-2);
    return text;
  }

  #passMarker(marker: string): string {
    // One right behind a marker that was changed belongs to the same row.
    this.#afterDefused ||= !/[\p{L}\p{N}_)\]]$/u.test(this.#last);
    this.#last = marker;
    return this.#afterDefused ? `(${marker.slice(1, -1)})` : marker;
  }
}
