import { counted } from '../../base/counted.ts';

/** An agent reads all that is printed. */
const maxChars = 2_000;

/** Returns the first hunk of each file of a unified diff, as many as are short, and the number of the other lines. */
export function shortDiff(diff: string): string {
  const lines = diff.split('\n');
  const shown: string[] = [];
  let size = 0;
  for (const hunk of firstHunks(lines)) {
    size += hunk.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > maxChars) break;
    shown.push(...hunk);
  }
  const more = lines.length - shown.length;
  return more === 0 ? diff : [...shown, `… ${counted(more, 'more line')} of the diff: add \`--diff\``].join('\n');
}

/** Returns the lines of each file before its second hunk. */
function firstHunks(lines: readonly string[]): string[][] {
  const files: string[][] = [];
  let hunks = 0;
  for (const [index, line] of lines.entries()) {
    const beginsFile = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
    if (beginsFile || index === 0) {
      files.push([]);
      hunks = 0;
    }
    if (line.startsWith('@@ ')) hunks++;
    if (hunks < 2) files.at(-1)?.push(line);
  }
  return files;
}
