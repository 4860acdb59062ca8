import { readNumbers } from './read-words.js';
import type { ScoredCandidate } from './score-statements.js';

/** A statement of the answer, with every candidate that says it in the same words. */
export interface ChosenStatement {
  readonly statement: ScoredCandidate;
  readonly alsoSaidBy: ScoredCandidate[];
}

/** At most a paragraph. */
const maximumStatements = 4;
const maximumCharacters = 900;
/** A statement is taken while it is at least so good compared with the best one. */
const shareOfBest = 0.85;
/** Two statements with so many of their words in common say the same, unless they differ in a number. */
const sameWords = 0.8;

/**
 * The statements that answer best, each said once. Ordered by document, the one with the best statement first, and in reading order
 * within it. Never empty unless the candidates are.
 */
export function chooseStatements(candidates: readonly ScoredCandidate[]): ChosenStatement[] {
  const bestFirst = [...candidates].sort((a, b) => b.score - a.score);
  const threshold = (bestFirst[0]?.score ?? 0) * shareOfBest;
  const chosen: ChosenStatement[] = [];
  let characters = 0;
  for (const statement of bestFirst) {
    const same = chosen.find((other) => saysTheSame(other.statement, statement));
    if (same !== undefined) {
      if (same.statement.quote === statement.quote) same.alsoSaidBy.push(statement);
      continue;
    }
    if (chosen.length > 0) {
      if (chosen.length >= maximumStatements || statement.score < threshold) continue;
      if (characters + statement.shown.length > maximumCharacters) continue;
    }
    characters += statement.shown.length;
    chosen.push({ statement, alsoSaidBy: [] });
  }
  return inReadingOrder(chosen);
}

function inReadingOrder(chosen: readonly ChosenStatement[]): ChosenStatement[] {
  const documents = [...new Set(chosen.map(({ statement }) => statement.number))];
  return [...chosen].sort(
    (a, b) =>
      documents.indexOf(a.statement.number) - documents.indexOf(b.statement.number) || a.statement.order - b.statement.order,
  );
}

function saysTheSame(a: ScoredCandidate, b: ScoredCandidate): boolean {
  if (a.quote === b.quote) return true;
  if (readNumbers(a.shown) !== readNumbers(b.shown)) return false;
  const common = [...a.words].filter((word) => b.words.has(word)).length;
  const either = new Set([...a.words, ...b.words]).size;
  return either > 0 && common / either >= sameWords;
}
