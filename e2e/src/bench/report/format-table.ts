/** Undefined where there is nothing to say: shown as a dash. */
export type Cell = string | number | undefined;

/**
 * A Markdown table with columns of equal width: the first is aligned left, all others right. Numbers are shown with three significant
 * digits below 100, else whole with commas between the thousands.
 */
export function formatTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [columns, ...rows.map((row) => columns.map((_, index) => formatCell(row[index])))];
  const widths = columns.map((_, index) => Math.max(3, ...texts.map((row) => row[index]?.length ?? 0)));
  const lines = texts.map((row) => line(row.map((text, index) => pad(text, widths[index] ?? 0, index))));
  const rule = line(widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const pad = (text: string, width: number, index: number): string => (index === 0 ? text.padEnd(width) : text.padStart(width));

function formatCell(cell: Cell): string {
  if (cell === undefined) return '–';
  return typeof cell === 'number' ? formatNumber(cell) : cell;
}

/** Three significant digits below 100, else whole with commas: 0.0512, 1.23, 45.6, 1,234. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 99.95) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : value.toPrecision(3);
}
