import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { overlapsLines } from '../../symbols/queries/diagnostics.ts';
import { diagnosticsAnswer, minSeverity, requireSeverity } from '../answers/diagnostics-answer.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const getDiagnosticsForFile = defineTool({
  name: 'get_diagnostics_for_file',
  description: `Shows the language server's diagnostics for a file or line range, for example after an edit. Returns
JSON by file, severity and symbol, with 0-based ranges.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
      relative_path: z.string().describe('Source file to check.'),
      start_line: z.int().default(0).describe('First line, 0-based.'),
      end_line: z.int().default(-1).describe('Last line, 0-based, inclusive; -1 = end of file.'),
      min_severity: minSeverity,
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
