import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { type OwnedDiagnostic, overlapsLines } from '../../symbols/queries/diagnostics.ts';
import { countBy, groupedBy, labelled } from '../answers/answer-text.ts';
import { groupBySymbol, groupDiagnostics, severityName, severityNames } from '../answers/diagnostics.ts';
import { flag, pageParts } from '../parameters.ts';
import { defineTool, type Output, type SymbolsContext, symbolQuery } from '../tool.ts';

const minSeverity = () =>
  z.int().default(4).describe('Minimum severity: 1 = error, 2 = warning, 3 = information, 4 = hint.');

const getDiagnosticsForFile = defineTool({
  ...symbolQuery,
  name: 'get_diagnostics_for_file',
  description: `Shows the language server's diagnostics for a file or line range, for example after an edit. Returns
JSON by file, severity and symbol, with 0-based ranges.`,
  input: () => ({
    relative_path: z.string().describe('Source file to check.'),
    start_line: z.int().default(0).describe('First line, 0-based.'),
    end_line: z.int().default(-1).describe('Last line, 0-based, inclusive; -1 = end of file.'),
    min_severity: minSeverity(),
    ...pageParts,
  }),
  async run({ symbols }, { relative_path, start_line, end_line, min_severity }) {
    requireSeverity(min_severity);
    requireLines(start_line, end_line);
    const last = end_line === -1 ? Number.POSITIVE_INFINITY : end_line;
    const found = await symbols.diagnosticsOfFile(relative_path);
    return diagnosticsAnswer(
      found.filter(({ diagnostic }) => overlapsLines(diagnostic.range, start_line, last)),
      min_severity,
    );
  },
});

function requireLines(first: number, last: number): void {
  if (first >= 0 && (last === -1 || last >= first)) return;
  throw new ExpectedError('tool.invalid-input', `lines ${first} to ${last} are not a valid range`, {
    hints: ['lines are 0-based; omit `end_line` to read from `start_line` to the end of the file'],
  });
}

/** Containers of top-level references such as imports, which are not code of their own to check. */
const notCode: readonly number[] = [kinds.file, kinds.module, kinds.namespace, kinds.package];

const getDiagnosticsForSymbol = defineTool({
  ...symbolQuery,
  name: 'get_diagnostics_for_symbol',
  description: `Shows the language server's diagnostics for one symbol and optionally the symbols that reference it.
Call it after changing a signature. Returns JSON by file, severity and symbol, with 0-based ranges.`,
  stage: 'optional',
  input: () => ({
    name_path: z.string().describe('Name path, such as Class/method.'),
    reference_file: z.string().default('').describe('Defining file or directory; empty = all.'),
    check_symbol_references: flag('Check the symbols that reference it as well.'),
    min_severity: minSeverity(),
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

/**
 * Checks a tool's `min_severity`.
 *
 * @throws {ExpectedError} `tool.invalid-input`.
 */
function requireSeverity(severity: number): void {
  if (severity in severityNames) return;
  throw new ExpectedError('tool.invalid-input', `\`min_severity\` is ${severity}; it must be 1, 2, 3 or 4`, {
    hints: ['pass 1 for errors only, or leave it out for everything'],
  });
}

/** Returns the answer that shows diagnostics at least as severe as `severity`, in the order given. */
function diagnosticsAnswer(found: readonly OwnedDiagnostic[], severity: number): Output {
  const shown = found.filter(({ diagnostic }) => (diagnostic.severity ?? severity) <= severity);
  return {
    value: groupDiagnostics(shown),
    shorter: [
      () => labelled('Messages with their 0-based lines', groupBySymbol(shown, lineOf)),
      () => labelled('Number of diagnostics', countsOf(shown)),
    ],
  };
}

function lineOf({ diagnostic: { range, message } }: OwnedDiagnostic): { line: string } {
  return { line: `${range.start.line}: ${message.split('\n')[0]}` };
}

function countsOf(found: readonly OwnedDiagnostic[]): unknown {
  const counts = (own: readonly OwnedDiagnostic[]) =>
    countBy(own, ({ diagnostic }) => severityName(diagnostic.severity));
  return groupedBy(found, ({ file }) => file, counts);
}

export const diagnosticsTools = [getDiagnosticsForFile, getDiagnosticsForSymbol];
