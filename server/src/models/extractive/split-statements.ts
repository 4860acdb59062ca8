/** A stretch of a passage that can stand in an answer by itself: a sentence, a list item, a table row, a code block. */
export interface Statement {
  /** As an answer shows it: white space collapsed, a table row with its column names. */
  readonly shown: string;
  /** The passage's own words. */
  readonly quote: string;
  /** The heading it stands under, or empty. */
  readonly heading: string;
}

const headingLine = /^\s{0,3}#{1,6}\s+(.*?)#*\s*$/u;
const listLine = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;
const tableLine = /^\s*\|.*\|\s*$/u;
const tableRule = /^\s*\|[\s:|-]+\|\s*$/u;
const fenceLine = /^\s*(?:```|~~~)/u;
const abbreviation = /(?:^|[\s("'])(?:dr|mr|mrs|ms|prof|st|vs|fig|no|cf|approx|e\.g|i\.e|al|inc|resp|\p{L})\.\s*$/iu;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Cuts a passage (plain text or Markdown) into statements, in reading order. Headings are no statements, unless there is nothing else. */
export function splitStatements(text: string): Statement[] {
  const reader = new StatementReader();
  for (const line of text.split('\n')) reader.read(line);
  return reader.finish(text);
}

class StatementReader {
  readonly #statements: Statement[] = [];
  #heading = '';
  #paragraph: string[] = [];
  #fence: string[] | undefined;
  #columns: string[] | undefined;

  read(line: string): void {
    if (this.#fence !== undefined) return this.#readFenced(line, this.#fence);
    const heading = headingLine.exec(line);
    const isTable = tableLine.test(line);
    if (heading !== null || isTable || fenceLine.test(line) || listLine.test(line) || line.trim() === '') this.#endParagraph();
    if (!isTable) this.#columns = undefined;
    if (heading !== null) this.#heading = heading[1] ?? '';
    else if (fenceLine.test(line)) this.#fence = [line];
    else if (isTable) this.#readRow(line);
    else if (line.trim() !== '') this.#paragraph.push(line);
  }

  finish(text: string): Statement[] {
    if (this.#fence !== undefined) this.#add(this.#fence.join('\n'), this.#fence.join('\n'));
    this.#endParagraph();
    if (this.#statements.length === 0 && text.trim() !== '') this.#add(collapse(text), text.trim());
    return this.#statements;
  }

  #readFenced(line: string, fence: string[]): void {
    fence.push(line);
    if (!fenceLine.test(line)) return;
    this.#fence = undefined;
    this.#add(fence.join('\n'), fence.join('\n'));
  }

  /** The first row names the columns; a row is shown as `Column: value` pairs. */
  #readRow(line: string): void {
    if (tableRule.test(line)) return;
    const cells = line.trim().slice(1, -1).split('|').map(collapse);
    if (this.#columns === undefined) {
      this.#columns = cells;
      return;
    }
    const pairs = cells.map((cell, index) => [this.#columns?.[index] ?? '', cell] as const).filter(([, cell]) => cell !== '');
    this.#add(`${pairs.map(([name, cell]) => (name === '' ? cell : `${name}: ${cell}`)).join('; ')}.`, line.trim());
  }

  /** Lines of one paragraph or list item may be wrapped anywhere, so it is cut as one line. */
  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    const paragraph = this.#paragraph.join(' ').replace(listLine, '');
    this.#paragraph = [];
    for (const sentence of splitSentences(paragraph)) this.#add(collapse(sentence), sentence.trim());
  }

  #add(shown: string, quote: string): void {
    if (/[\p{L}\p{N}]/u.test(shown)) this.#statements.push({ shown, quote, heading: this.#heading });
  }
}

/** The sentences of one line, those after an abbreviation joined to what stands before. */
function splitSentences(text: string): string[] {
  const result: string[] = [];
  for (const { segment } of sentences.segment(text)) {
    const previous = result.at(-1);
    if (previous !== undefined && abbreviation.test(previous)) result[result.length - 1] = previous + segment;
    else result.push(segment);
  }
  return result;
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
