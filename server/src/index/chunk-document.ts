import type { Section } from '@ossian/shared';
import type { Chunk, ChunkDocument } from '../corpus/chunk.js';
import { chooseBoundaries } from './choose-boundaries.js';
import { continuesCharacter } from './cut-text.js';
import { hashText } from './hash-text.js';
import { readBlocks } from './read-blocks.js';
import { splitUnits, type Heading, type Unit } from './split-units.js';

/** Tokens. Chunks come out at 200 to 250 in the mean; a section of up to half as much again stays whole. */
const SIZES = { radius: 125, most: 375 };
/** UTF-16 code units of a unit's beginning that decide whether a chunk begins there: an edit further on moves no boundary. */
const HASHED_LENGTH = 32;
/** UTF-16 code units of what is put before a chunk's text for the embedding, line by line. */
const LONGEST_CONTEXT_LINE = 200;
const LONGEST_TABLE_HEADER = 400;

interface HeadingInForce extends Heading {
  readonly start: number;
}

/**
 * Cuts a document's sections into chunks by structure (headings, paragraphs, sentences, whole table rows and code fences), with
 * boundaries that depend on the content around them, so that a small edit changes few chunks. The chunks of a section cover every
 * character of it that is not white space, without overlap. Pure, and linear in the text's length.
 */
export const chunkDocument: ChunkDocument = (content) =>
  content.sections.flatMap((section) => chunkSection(content.title, section));

function chunkSection(title: string | null, section: Section): Chunk[] {
  const { text } = section;
  const units = splitUnits(text, readBlocks(text), SIZES.most);
  const starts = chooseStarts(text, units);
  let path: HeadingInForce[] = [];
  return starts.map((from, index) => {
    const own = units.slice(from, starts[index + 1] ?? units.length);
    const before = path;
    path = own.reduce(enterHeading, path);
    return makeChunk(title, section, own, commonPath(own, before));
  });
}

function chooseStarts(text: string, units: readonly Unit[]): number[] {
  const offsets = new Float64Array(units.length + 1);
  const weights = new Float64Array(units.length);
  for (const [index, unit] of units.entries()) {
    offsets[index + 1] = offsets[index]! + unit.tokens;
    weights[index] =
      unit.strength === 0
        ? 0
        : unit.strength * 2 ** 32 + hashText(text, unit.start, Math.min(unit.end, unit.start + HASHED_LENGTH));
  }
  return units.length === 0 ? [] : offsets[units.length]! <= SIZES.most ? [0] : chooseBoundaries({ offsets, weights }, SIZES);
}

function enterHeading(path: HeadingInForce[], unit: Unit): HeadingInForce[] {
  const { heading } = unit;
  if (!heading) return path;
  return [
    ...path.filter(({ level }) => level < heading.level),
    { level: heading.level, title: heading.title, start: unit.start },
  ];
}

/** The headings that hold for all of a chunk. */
function commonPath(units: readonly Unit[], before: HeadingInForce[]): HeadingInForce[] {
  let path = before;
  let common: HeadingInForce[] | undefined;
  for (const unit of units) {
    path = enterHeading(path, unit);
    common = (common ?? path).filter((heading, index) => path[index]?.start === heading.start);
  }
  return common ?? before;
}

function makeChunk(title: string | null, section: Section, units: readonly Unit[], path: readonly HeadingInForce[]): Chunk {
  const first = units[0]!;
  const start = first.start;
  const end = units.at(-1)!.end;
  const text = section.text.slice(start, end);
  const headings = path.filter((heading) => heading.start < start && heading.title !== title).map((heading) => heading.title);
  const header = first.header ? section.text.slice(first.header.start, first.header.end) : '';
  const context = [title ?? '', ...headings].map((line) => shorten(line.replace(/\s+/g, ' ').trim(), LONGEST_CONTEXT_LINE));
  const lines = [...context, shorten(header.trim(), LONGEST_TABLE_HEADER), text].filter((line) => line !== '');
  return {
    section: section.name,
    headingPath: path.map((heading) => heading.title),
    start,
    end,
    text,
    embeddedText: lines.join('\n'),
  };
}

function shorten(line: string, longest: number): string {
  if (line.length <= longest) return line;
  let end = longest;
  while (end > 0 && continuesCharacter(line, end)) end -= 1;
  return line.slice(0, end);
}
