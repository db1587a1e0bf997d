import { z } from 'zod';
import { parseSymbol } from './address.ts';
import type { CodeCommand } from './code-command.ts';
import { matchLines } from './match-lines.ts';

const referencesByFile = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ content_around_reference: z.string() }))),
);

export const refs: CodeCommand = {
  name: 'refs',
  description: 'Find the references to a symbol',
  operands: [['<symbol>', 'name path, or <file or directory>#<name path>']],
  examples: ['serena refs src/basket.ts#Basket/total'],
  request: ({ operands: [symbol = ''], place }) => {
    const { path, namePath } = parseSymbol(symbol, place);
    return { tool: 'find_referencing_symbols', args: { name_path: namePath, relative_path: path } };
  },
  render: (answer, view) =>
    Object.entries(referencesByFile.parse(answer)).flatMap(([file, byKind]) => {
      const excerpts = Object.values(byKind).flat();
      return matchLines(
        file,
        excerpts.map(({ content_around_reference: excerpt }) => excerpt),
        { ...view, hasContext: false },
      );
    }),
};
