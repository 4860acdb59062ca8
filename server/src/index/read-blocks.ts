/** A range of characters (UTF-16 code units), `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a text by its Markdown structure. Plain text is read as paragraphs; lines of delimiter-separated values as rows. */
export type Block =
  | (Range & { readonly kind: 'heading'; readonly level: number; readonly title: string })
  | (Range & { readonly kind: 'paragraph' | 'item' | 'fence' })
  /** `header` is repeated before a part of the table that is indexed by itself. */
  | (Range & { readonly kind: 'table'; readonly header: Range | undefined; readonly rows: readonly Range[] });

const LONGEST_HEADING = 300;
const LONGEST_DELIMITER_ROW = 2000;
const FEWEST_SEPARATED_LINES = 3;

/** Reads a text's blocks in order, line by line: they cover every character that is not white space, and do not overlap. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let group: Range[] = [];
  const flush = (): void => {
    for (const block of readGroup(text, group)) blocks.push(block);
    group = [];
  };
  for (let start = 0; start < text.length;) {
    const line = lineAt(text, start);
    const content = text.slice(line.start, line.end);
    const fence = openingFence(content);
    const heading = fence ? undefined : readHeading(content, group, text);
    start = line.end + 1;
    if (fence) {
      flush();
      const end = closingFence(text, start, fence);
      blocks.push({ kind: 'fence', start: line.start, end });
      start = end + 1;
    } else if (heading) {
      if (heading.underlined) group.pop();
      flush();
      blocks.push({
        kind: 'heading',
        start: heading.underlined?.start ?? line.start,
        end: line.end,
        level: heading.level,
        title: heading.title,
      });
    } else if (content.trim() === '') flush();
    else group.push(line);
  }
  flush();
  return blocks;
}

function lineAt(text: string, start: number): Range {
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

function openingFence(line: string): string | undefined {
  // The cheap test first: most lines are prose.
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  return /^\s{0,12}(`{3,})[^`]*$/.exec(line)?.[1] ?? /^\s{0,12}(~{3,})/.exec(line)?.[1];
}

/** Where the fence ends: after its closing line, else with the text. */
function closingFence(text: string, from: number, fence: string): number {
  for (let start = from; start < text.length;) {
    const line = lineAt(text, start);
    const content = text.slice(line.start, line.end).trim();
    if (content.startsWith(fence) && content === fence.charAt(0).repeat(content.length)) return line.end;
    start = line.end + 1;
  }
  return text.length;
}

function readHeading(
  line: string,
  group: readonly Range[],
  text: string,
): { level: number; title: string; underlined?: Range } | undefined {
  if (line.length > LONGEST_HEADING) return undefined;
  const hashes = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (hashes) return { level: hashes[1]!.length, title: hashes[2]!.replace(/[ \t]+#+\s*$/, '').trim() };
  const [only] = group;
  if (group.length !== 1 || only === undefined || only.end - only.start > LONGEST_HEADING) return undefined;
  const underline = /^ {0,3}(={3,}|-{3,})\s*$/.exec(line)?.[1];
  // A lone line after "---" is the front matter of a file, not a heading.
  if (underline === undefined || text.slice(0, only.start).trim() === '---') return undefined;
  return { level: underline.startsWith('=') ? 1 : 2, title: text.slice(only.start, only.end).trim(), underlined: only };
}

/** Lines without a blank one between them: tables, separated values, list items, paragraphs. */
function readGroup(text: string, lines: readonly Range[]): Block[] {
  const content = lines.map((line) => text.slice(line.start, line.end));
  const blocks: Block[] = [];
  let from = 0;
  for (let index = 0; index + 1 < lines.length; index += 1) {
    if (!content[index]!.includes('|') || !isDelimiterRow(content[index + 1])) continue;
    let end = index + 2;
    while (end < lines.length && content[end]!.includes('|')) end += 1;
    addProse(blocks, lines, content, from, index);
    blocks.push(tableBlock({ start: lines[index]!.start, end: lines[index + 1]!.end }, lines.slice(index + 2, end)));
    from = end;
    index = end - 1;
  }
  if (from > 0 || !isSeparatedValues(content)) addProse(blocks, lines, content, from, lines.length);
  else blocks.push(separatedValues(lines, content));
  return blocks;
}

/** The first line names the columns where it has no digit and a later one has. */
function separatedValues(lines: readonly Range[], content: readonly string[]): Block {
  const named = !/\d/.test(content[0]!) && content.some((line) => /\d/.test(line));
  return named ? tableBlock(lines[0], lines.slice(1)) : tableBlock(undefined, lines);
}

function tableBlock(header: Range | undefined, rows: readonly Range[]): Block {
  const start = header?.start ?? rows[0]!.start;
  return { kind: 'table', start, end: rows.at(-1)?.end ?? header!.end, header, rows };
}

function isDelimiterRow(line: string | undefined): boolean {
  if (line === undefined || line.length > LONGEST_DELIMITER_ROW) return false;
  return line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line);
}

/** Whether the lines have the same number of one delimiter (nine lines of ten: a quoted value may hold one), two or a tab at least. */
function isSeparatedValues(content: readonly string[]): boolean {
  if (content.length < FEWEST_SEPARATED_LINES) return false;
  return [',', ';', '\t', '|'].some((delimiter) => {
    const count = (line: string): number => line.split(delimiter).length - 1;
    const first = count(content[0]!);
    if (first < (delimiter === '\t' ? 1 : 2)) return false;
    return content.filter((line) => count(line) === first).length >= content.length * 0.9;
  });
}

function addProse(blocks: Block[], lines: readonly Range[], content: readonly string[], from: number, to: number): void {
  for (let index = from; index < to; index += 1) {
    const line = lines[index]!;
    const isItem = /^\s{0,12}([-*+•]|\d{1,9}[.)])\s/.test(content[index]!);
    const last = blocks.at(-1);
    if (isItem || index === from || last === undefined)
      blocks.push({ kind: isItem ? 'item' : 'paragraph', start: line.start, end: line.end });
    else blocks[blocks.length - 1] = { ...last, end: line.end };
  }
}
