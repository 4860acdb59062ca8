import type { Answer } from '@ossian/shared';

/**
 * What is wrong with an answer's citations: numbers that do not resolve, a document with two numbers, a passage that is
 * not there, a marker in the text that no segment stands for. Empty where all is well.
 */
export function citationFaults(answer: Answer): string[] {
  const faults: string[] = [];
  const numbers = answer.citations.map(({ number }) => number);
  if (numbers.some((number, index) => number !== index + 1)) faults.push(`the citations are numbered ${numbers.join(', ')}`);
  const documents = new Set(answer.citations.map((citation) => citation.document_id));
  if (documents.size !== numbers.length) faults.push('a document has two numbers');
  const used = new Set<number>();
  for (const { text, citations } of answer.segments) {
    for (const { number, passages } of citations) {
      used.add(number);
      const cited = answer.citations.find((citation) => citation.number === number);
      if (cited === undefined) faults.push(`[${number}] of "${text}" does not resolve`);
      else if (passages.length === 0 || passages.some((index) => cited.passages[index] === undefined))
        faults.push(`[${number}] of "${text}" names passages ${passages.join(', ')} of ${cited.passages.length}`);
    }
  }
  for (const number of numbers) if (!used.has(number)) faults.push(`[${number}] is cited by no segment`);
  const marked = new Set([...answer.answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])));
  for (const number of used) if (!marked.has(number)) faults.push(`the text does not show [${number}]`);
  for (const number of marked) if (!used.has(number)) faults.push(`the text shows [${number}], which no segment cites`);
  return faults;
}
