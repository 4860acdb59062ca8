/** Several statements sent at once would be one transaction: they are sent one by one. None has a line's end after a semicolon within its text. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;\s*\n/)
    .map((statement) => statement.replaceAll(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '');
}
