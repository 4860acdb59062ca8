import type { Answer, Citation } from '@ossian/shared';

const width = 100;

/** An answer as the demo prints it: the question, the text, and each numbered citation with the words it rests on. */
export function describeAnswer(question: string, answer: Answer): string {
  const lines = [`? ${question}`, ...wrap(answer.answer, '  ')];
  for (const citation of answer.citations) lines.push(...describeCitation(citation, citedText(answer, citation.number)));
  return lines.join('\n');
}

/** The words of the answer that rest on a document. */
function citedText(answer: Answer, number: number): string {
  return answer.segments.find(({ citations }) => citations.some((citation) => citation.number === number))?.text.trim() ?? '';
}

function describeCitation(citation: Citation, cited: string): string[] {
  const { number, title, source, key, behind_since: behind, also_in: alsoIn, passages } = citation;
  const others = alsoIn.map((other) => `${other.source} ${other.key}`).join(', ');
  const marks = [behind === null ? '' : ` (behind its row since ${behind})`, others === '' ? '' : ` (also in ${others})`].join(
    '',
  );
  const quote = quoteOf(passages, cited);
  const more = passages.length > 1 ? ` (+${passages.length - 1} more)` : '';
  return [`    [${number}] ${title ?? 'untitled'} (${source} ${key})${marks}`, `        "${shorten(quote, 110)}"${more}`];
}

/** The passage from the cited words on, or from its beginning where the answer is in other words. */
function quoteOf(passages: Citation['passages'], cited: string): string {
  const passage = passages.find(({ text }) => text.includes(cited)) ?? passages[0];
  const from = Math.max(0, passage?.text.indexOf(cited) ?? 0);
  return `${from > 0 ? '… ' : ''}${passage?.text.slice(from) ?? ''}`.replaceAll(/\s+/g, ' ').trim();
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…`;
}

/** Breaks text at spaces, with an indent. */
export function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && indent.length + line.length + 1 + word.length > width) {
        lines.push(indent + line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push((indent + line).trimEnd());
  }
  return lines;
}
