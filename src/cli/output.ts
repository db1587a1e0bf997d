import { type Caller, ownCaller } from './caller.ts';

/** Writes a command's result as JSON. */
export function printJson(value: unknown, caller: Caller = ownCaller): void {
  caller.print(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes a text that may lack a line break at its end. */
export function printText(text: string, caller: Caller = ownCaller): void {
  caller.print(text.endsWith('\n') ? text : `${text}\n`);
}

export function printLine(line: string): void {
  ownCaller.print(`${line}\n`);
}

/** Writes a command's result as lines. */
export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) ownCaller.print(`${lines.join('\n')}\n`);
}

const gap = 2;
const ellipsis = '…';

/**
 * Returns `rows` as lines with aligned columns. On a terminal the widest cells are cut, so that each row fits on one line
 * of `width` characters; by default that of stdout. Elsewhere nothing is cut, because programs read the lines.
 */
export function tableLines(rows: readonly (readonly string[])[], width = terminalWidth()): string[] {
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const widths = width === undefined ? natural : fitted(natural, width - gap * (columnCount - 1));
  return rows.map((row) =>
    row
      .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd((widths[column] ?? 0) + gap))
      .join('')
      .trimEnd(),
  );
}

/** Returns the width of the terminal that stdout is, `undefined` if it is none or its width is unknown. */
function terminalWidth(): number | undefined {
  return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;
}

/** Lowers the largest widths until their sum is at most `available`. A column keeps room for one character. */
function fitted(widths: readonly number[], available: number): number[] {
  const isFit = (limit: number) => widths.reduce((sum, width) => sum + Math.min(width, limit), 0) <= available;
  let limit = Math.max(1, ...widths);
  while (limit > 1 && !isFit(limit)) limit--;
  return widths.map((width) => Math.min(width, limit));
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, width - 1)}${ellipsis}`;
}
