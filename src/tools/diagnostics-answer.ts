import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { groupSymbols } from '../symbols/compact.ts';
import type { OwnedDiagnostic } from '../symbols/diagnostics.ts';
import { namePathOf } from '../symbols/name-path.ts';
import { countBy, labelled } from './shortening.ts';
import type { Output } from './tool.ts';

export const minSeverity = z
  .int()
  .default(4)
  .describe('Least severe kind to show: 1 errors, 2 also warnings, 3 also information, 4 also hints.');

const severityNames: Readonly<Record<number, string>> = { 1: 'Error', 2: 'Warning', 3: 'Information', 4: 'Hint' };

/**
 * Checks a tool's `min_severity`.
 *
 * @throws {ExpectedError} `tool.invalid-input`.
 */
export function requireSeverity(severity: number): void {
  if (severity in severityNames) return;
  throw new ExpectedError('tool.invalid-input', `\`min_severity\` is ${severity}; it must be 1, 2, 3 or 4`, {
    hints: ['Pass 1 for errors only, or leave it out for everything'],
  });
}

/** Returns the answer that shows diagnostics at least as severe as `severity`, in the order given. */
export function diagnosticsAnswer(found: readonly OwnedDiagnostic[], severity: number): Output {
  const shown = found.filter(({ diagnostic }) => (diagnostic.severity ?? severity) <= severity);
  return {
    value: groupDiagnostics(shown),
    shorter: [
      () => labelled('Messages with their 0-based lines', grouped(shown, lineOf)),
      () => labelled('Number of diagnostics', countsOf(shown)),
    ],
  };
}

/** Returns diagnostics grouped by file, severity and name path, `<file>` for those in no symbol (`spec/tools.md` §9.6). */
export function groupDiagnostics(found: readonly OwnedDiagnostic[]): unknown {
  return grouped(found, ({ diagnostic: { message, range, code, source } }) => ({ message, range, code, source }));
}

function grouped(found: readonly OwnedDiagnostic[], render: (one: OwnedDiagnostic) => object): unknown {
  const entries = found.map((one) => ({
    relative_path: one.file,
    severity: severityName(one.diagnostic.severity),
    owner: one.owner ? namePathOf(one.owner) : '<file>',
    ...render(one),
  }));
  return groupSymbols(entries, { own: ['relative_path', 'severity', 'owner'], children: [] });
}

function severityName(severity: number | undefined): string {
  return severity === undefined ? 'Unknown' : (severityNames[severity] ?? `Severity_${severity}`);
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
