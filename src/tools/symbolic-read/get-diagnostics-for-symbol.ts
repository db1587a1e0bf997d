import { z } from 'zod';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { diagnosticsAnswer, minSeverity, requireSeverity } from '../answers/diagnostics-answer.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

/** Containers of top-level references such as imports, which are not code of their own to check. */
const notCode: readonly number[] = [kinds.file, kinds.module, kinds.namespace, kinds.package];

export const getDiagnosticsForSymbol = defineTool({
  name: 'get_diagnostics_for_symbol',
  description: `Shows the language server's diagnostics for one symbol and optionally the symbols that reference it.
Call it after changing a signature. Returns JSON by file, severity and symbol, with 0-based ranges.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  stage: 'optional',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: z.string().describe('Name path, such as Class/method.'),
      reference_file: z.string().default('').describe('Defining file or directory; empty = all.'),
      check_symbol_references: z.boolean().default(false).describe('Check the symbols that reference it as well.'),
      min_severity: minSeverity,
      ...pageParts,
    }),
  aliases: { name_path_pattern: 'name_path', relative_path: 'reference_file' },
  async run(context, input) {
    requireSeverity(input.min_severity);
    const target = await context.symbols.unique(input.name_path, input.reference_file);
    const referencing = input.check_symbol_references ? await referencingSymbols(context, target) : [];
    return diagnosticsAnswer(await context.symbols.diagnosticsOfSymbols([target, ...referencing]), input.min_severity);
  },
});

async function referencingSymbols({ symbols }: SymbolsContext, target: SymbolNode): Promise<SymbolNode[]> {
  const references = await symbols.references(target, { include: [], exclude: notCode });
  return references.map(({ symbol }) => symbol);
}
