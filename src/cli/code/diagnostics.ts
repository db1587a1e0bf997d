import { Option } from 'commander';
import { z } from 'zod';
import { parseFileOrSymbol } from './address.ts';
import type { CodeCommand, View } from './code-command.ts';

/** In the order of the numbers that the tools take, from 1. */
const severities = ['error', 'warning', 'information', 'hint'];

const diagnostic = z.object({
  message: z.string(),
  range: z.object({ start: z.object({ line: z.int(), character: z.int() }) }),
  code: z.union([z.string(), z.number()]).optional(),
  source: z.string().optional(),
});

const byFile = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(diagnostic))));

export const diagnostics: CodeCommand = {
  name: 'diagnostics',
  description: 'List the problems that language servers find in a file or symbol',
  operands: [['<file-or-symbol>', 'source file, <file>#<name path>, or name path']],
  options: [new Option('--severity <severity>', 'least severe problems to list').choices(severities).default('hint')],
  examples: ['serena diagnostics src/basket.ts --severity warning', 'serena diagnostics src/basket.ts#Basket/total'],
  request: ({ operands: [text = ''], flags, place }) => {
    const { path, namePath } = parseFileOrSymbol(text, place);
    const min_severity = severities.indexOf(flags.severity ?? 'hint') + 1;
    if (namePath === '') return { tool: 'get_diagnostics_for_file', args: { relative_path: path, min_severity } };
    return {
      tool: 'get_diagnostics_for_symbol',
      args: { name_path: namePath, reference_file: path, min_severity },
    };
  },
  render: (answer, view) =>
    Object.entries(byFile.parse(answer)).flatMap(([file, bySeverity]) =>
      Object.entries(bySeverity)
        .flatMap(([severity, byOwner]) =>
          Object.values(byOwner)
            .flat()
            .map((one) => ({ ...one, severity })),
        )
        .toSorted(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character)
        .flatMap((one) => lines(file, one, view)),
    ),
};

function lines(file: string, one: z.infer<typeof diagnostic> & { severity: string }, view: View): string[] {
  const { line, character } = one.range.start;
  const origin = [one.source, one.code].filter((part) => part !== undefined).join(' ');
  const ending = origin === '' ? '' : ` (${origin})`;
  const place = `${view.shown(file)}:${line + 1}:${character + 1}`;
  return `${place}: ${one.severity}: ${one.message}${ending}`
    .split('\n')
    .map((text, index) => (index === 0 ? text : `    ${text}`));
}
