import { Option } from 'commander';
import { z } from 'zod';
import { parseCount } from '../option-values.ts';
import { usageError } from '../usage.ts';
import { parseSymbol } from './address.ts';
import type { CodeCommand, View } from './code-command.ts';

const kinds = ['callers', 'callees', 'supertypes', 'subtypes'] as const;

/** The lines of a neighbor; its own neighbors are under the kind of the hierarchy. */
const neighbor = z.union([
  z.array(z.int()).transform((lines) => ({ lines, repeated: false })),
  z.looseObject({ lines: z.array(z.int()), repeated: z.boolean().default(false) }),
]);

const neighborsByFile = z.record(z.string(), z.record(z.string(), neighbor));

export const hierarchy: CodeCommand = {
  name: 'hierarchy',
  description: 'Find the callers or callees of a function, or the supertypes or subtypes of a type',
  operands: [
    ['<kind>', kinds.join(', ')],
    ['<symbol>', 'name path, or <file or directory>#<name path>'],
  ],
  options: [new Option('--depth <n>', 'levels to list').argParser(parseCount)],
  examples: ['serena hierarchy callers Basket/total --depth 2', 'serena hierarchy subtypes src/discount.ts#Discount'],
  request: ({ operands: [kind = '', symbol = ''], flags, place }) => {
    if (!kinds.some((one) => one === kind)) throw usageError(`\`${kind}\` is no kind`, [`use ${kinds.join(', ')}`]);
    const { path, namePath } = parseSymbol(symbol, place);
    const args = { name_path: namePath, relative_path: path, kind, depth: flags.depth ?? 1 };
    return { tool: 'symbol_hierarchy', args };
  },
  render: neighborLines,
};

/** Returns `file:line: name path` for each line of a neighbor; the neighbors of a neighbor are indented below it. */
function neighborLines(answer: unknown, view: View): string[] {
  return Object.entries(neighborsByFile.parse(answer)).flatMap(([file, byName]) =>
    Object.entries(byName).flatMap(([name, { lines, repeated, ...others }]) => {
      const note = repeated ? ' (its own are shown above)' : '';
      const below = Object.values(others).flatMap((level) => neighborLines(level, view));
      return [
        ...lines.map((line) => `${view.shown(file)}:${line + 1}: ${name}${note}`),
        ...below.map((line) => `  ${line}`),
      ];
    }),
  );
}
