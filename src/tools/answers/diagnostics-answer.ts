import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import type { Output } from '../tool.ts';
import { groupBySymbol, groupDiagnostics, severityName, severityNames } from './group-diagnostics.ts';
import { countBy, labelled } from './shortening.ts';

export const minSeverity = z
  .int()
  .default(4)
  .describe('Minimum severity: 1 = error, 2 = warning, 3 = information, 4 = hint.');

/**
 * Checks a tool's `min_severity`.
 *
 * @throws {ExpectedError} `tool.invalid-input`.
 */
export function requireSeverity(severity: number): void {
  if (severity in severityNames) return;
  throw new ExpectedError('tool.invalid-input', `\`min_severity\` is ${severity}; it must be 1, 2, 3 or 4`, {
    hints: ['pass 1 for errors only, or leave it out for everything'],
  });
}

/** Returns the answer that shows diagnostics at least as severe as `severity`, in the order given. */
export function diagnosticsAnswer(found: readonly OwnedDiagnostic[], severity: number): Output {
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
  const byFile = Map.groupBy(found, ({ file }) => file);
  const counts = [...byFile].map(([file, own]) => [
    file,
    countBy(own, ({ diagnostic }) => severityName(diagnostic.severity)),
  ]);
  return Object.fromEntries(counts);
}
