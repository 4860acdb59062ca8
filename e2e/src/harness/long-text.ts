/**
 * About 3,000 characters that all tell of one subject: more than Postgres keeps in a row, so that a column with
 * `storage external` has it stored apart (TOAST), and Debezium does not get it when another column changes.
 */
export function longText(subject: string): string {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  return numbers.map((number) => `Paragraph ${number} of this text tells what is known about ${subject}.`).join('\n\n');
}
