import { namePathOf } from '../../symbols/model/name-path.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import { groupSymbols } from './compact.ts';

export const severityNames: Readonly<Record<number, string>> = {
  1: 'Error',
  2: 'Warning',
  3: 'Information',
  4: 'Hint',
};

/** Returns diagnostics grouped by file, severity and name path; those outside symbols are under `<file>`. */
export function groupDiagnostics(found: readonly OwnedDiagnostic[]): unknown {
  return groupBySymbol(found, ({ diagnostic: { message, range, code, source } }) => ({ message, range, code, source }));
}

/** Like {@link groupDiagnostics}, with each diagnostic rendered by `render`. */
export function groupBySymbol(
  found: readonly OwnedDiagnostic[],
  render: (diagnostic: OwnedDiagnostic) => object,
): unknown {
  const entries = found.map((one) => ({
    relative_path: one.file,
    severity: severityName(one.diagnostic.severity),
    owner: one.owner ? namePathOf(one.owner) : '<file>',
    ...render(one),
  }));
  return groupSymbols(entries, { own: ['relative_path', 'severity', 'owner'], children: [] });
}

/** Returns the name of a severity in answers. */
export function severityName(severity: number | undefined): string {
  return severity === undefined ? 'Unknown' : (severityNames[severity] ?? `Severity_${severity}`);
}
