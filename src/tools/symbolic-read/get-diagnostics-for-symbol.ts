import { z } from 'zod';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { diagnosticsAnswer, minSeverity, requireSeverity } from '../answers/diagnostics-answer.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

/** A use in the file itself, such as an import, stands for no code that could be wrong. */
const notCode: readonly number[] = [kinds.file, kinds.module, kinds.namespace, kinds.package];

export const getDiagnosticsForSymbol = defineTool({
  name: 'get_diagnostics_for_symbol',
  description: `Shows what the language server finds wrong in the lines of one symbol and, if wanted, in the symbols that use
it. Call it after changing a signature. Returns a JSON object from file, severity and symbol to messages with their 0-based
ranges, an empty object if all is clean.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  stage: 'optional',
  needs: 'symbols',
  input: z.object({
    name_path: z.string().describe('Name path of one symbol, such as `Class/method`.'),
    reference_file: z.string().default('').describe('File or directory that defines the symbol; empty to look in all.'),
    check_symbol_references: z
      .boolean()
      .default(false)
      .describe('Whether to check also the symbols in which the symbol is used.'),
    min_severity: minSeverity,
    max_answer_chars: maxAnswerChars,
  }),
  aliases: { name_path_pattern: 'name_path', relative_path: 'reference_file' },
  async run(context, input) {
    requireSeverity(input.min_severity);
    const target = await context.symbols.unique(input.name_path, input.reference_file);
    const users = input.check_symbol_references ? await usersOf(context, target) : [];
    return diagnosticsAnswer(await context.symbols.diagnosticsOfSymbols([target, ...users]), input.min_severity);
  },
});

async function usersOf({ symbols }: SymbolsContext, target: SymbolNode): Promise<SymbolNode[]> {
  const references = await symbols.references(target, { include: [], exclude: notCode });
  return references.map(({ symbol }) => symbol);
}
