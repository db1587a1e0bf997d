// usage: bun scripts/generate-docs.ts [--check]
// Writes the tables of README.md between their markers from the two lists that the program itself uses. With --check
// it writes nothing and fails if a table is not current.
import { join } from 'node:path';
import { writeTextAtomically } from '../src/base/files.ts';
import { servers } from '../src/servers/servers.ts';
import { summaryOf } from '../src/tools/summary.ts';
import { tools } from '../src/tools/tools.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { readSource } from './support/tracked-files.ts';

const file = 'README.md';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const tables: Readonly<Record<string, () => string>> = {
  tools: () =>
    table(
      ['tool', '', 'what it does'],
      tools.map((tool) => [
        `\`${tool.name}\``,
        tool.stage === undefined ? '' : 'optional',
        summaryOf(tool).replaceAll('|', '\\|'),
      ]),
    ),
  languages: () =>
    table(
      ['id', 'server', 'files'],
      servers.map(({ id, name, homepage, files }) => [
        `\`${id}\``,
        `[${name}](${homepage})`,
        Object.keys(files)
          .map((suffix) => `\`${suffix}\``)
          .join(' '),
      ]),
    ),
};

function fill(text: string): string {
  let filled = text;
  for (const [name, render] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [before, rest] = filled.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`${file} lacks the markers ${begin} … ${end}`);
    filled = `${before}${begin}\n${render()}\n${end}${after}`;
  }
  return filled;
}

function main(): never {
  const text = readSource(file);
  const filled = fill(text);
  if (process.argv.includes('--check')) {
    reportProblems(
      filled === text ? [] : [`${file}: a table is not current`],
      'tables are current',
      'Run `npm run format`',
    );
  }
  if (filled !== text) writeTextAtomically(join(root, file), filled);
  return reportProblems([], filled === text ? 'Tables were current' : `Wrote ${file}`);
}

if (import.meta.main) main();
