import { Option } from 'commander';
import { z } from 'zod';
import { parseCount } from '../option-values.ts';
import { projectPath } from './address.ts';
import type { CodeCommand } from './code-command.ts';

/** Symbols by kind. One with members is an object with its name as the key. */
const symbolsByKind = z.record(
  z.string(),
  z.array(
    z.union([
      z.string(),
      z.record(
        z.string(),
        z.lazy((): z.ZodType => symbolsByKind),
      ),
    ]),
  ),
);

/** Overviews of the files of a directory; of one that could not be read, the error. */
const overviewsByFile = z.record(z.string(), z.union([z.object({ error: z.string() }), symbolsByKind]));

export const overview: CodeCommand = {
  name: 'overview',
  description: 'List the symbols of a file, or of the files in a directory: kind and name path',
  operands: [['<file>', 'source file or directory']],
  options: [new Option('--depth <n>', 'levels of members to list').argParser(parseCount)],
  examples: ['serena overview src/basket.ts', 'serena overview src/basket.ts --depth 1'],
  request: ({ operands: [file = ''], flags, place }) => ({
    tool: 'get_symbols_overview',
    args: { relative_path: projectPath(file, place), depth: flags.depth ?? -1 },
  }),
  render: (answer, { shown }) => {
    const ofFile = symbolsByKind.safeParse(answer);
    if (ofFile.success) return lines(ofFile.data, '');
    return Object.entries(overviewsByFile.parse(answer)).flatMap(([file, symbols]) => {
      const own = typeof symbols.error === 'string' ? [`error: ${symbols.error}`] : lines(symbols, '');
      return own.map((line) => `${shown(file)}: ${line}`);
    });
  },
};

function lines(answer: unknown, prefix: string): string[] {
  return Object.entries(symbolsByKind.parse(answer)).flatMap(([kind, symbols]) =>
    symbols.flatMap((symbol) => {
      if (typeof symbol === 'string') return [`${kind} ${prefix}${symbol}`];
      return Object.entries(symbol).flatMap(([name, members]) => [
        `${kind} ${prefix}${name}`,
        ...lines(members, `${prefix}${name}/`),
      ]);
    }),
  );
}
