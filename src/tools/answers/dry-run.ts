import { counted } from '../../base/counted.ts';
import type { PlannedChange } from '../../edits/edits.ts';
import type { PreviewedProblem } from '../../symbols/edits/preview-problems.ts';
import { decode } from '../../text/decode.ts';
import { getCodec } from '../../text/encodings.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { type ChangedText, unifiedDiff } from '../../text/unified-diff.ts';
import type { BareContext, Output, SymbolsContext } from '../tool.ts';

/** Problems that an answer lists; a single missing bracket may cause any number. */
const maxProblems = 20;

/**
 * Runs an edit without writing anything. Returns the changes that it plans as a unified diff, and the problems that they
 * would cause; the edit's own result if it plans none.
 *
 * @throws {ExpectedError} what the edit throws.
 */
export async function dryRun(
  { project, edits, symbols }: BareContext & Partial<SymbolsContext>,
  edit: () => Promise<Output>,
): Promise<Output> {
  if (project === undefined || edits === undefined || symbols === undefined) throw new Error('edits need a project');
  const ran = await edits.collecting(edit);
  const changes = edits.changes.map((change) => textsOf(change, project.config.encoding));
  if (changes.length === 0) return ran;
  const { problems, compared, gaps } = await symbols.preview(changes.filter(({ isText }) => isText));
  const header = `Nothing was changed. The edit would change ${counted(changes.length, 'file')}:`;
  const found = problemLines(problems, compared);
  const names = () => changes.map(({ path }) => path).join('\n');
  return {
    value: [header, ...changes.map(diffOf), ...found].join('\n'),
    shorter: [() => [header, names(), ...found].join('\n'), () => [header, ...found].join('\n')],
    gaps: [...(ran.gaps ?? []), ...gaps],
    notes: ran.notes ?? [],
  };
}

interface ReadChange extends ChangedText {
  /** False if the content before or after is no text. */
  readonly isText: boolean;
}

function textsOf({ path, before, after }: PlannedChange, encoding: string): ReadChange {
  const read = (bytes: Uint8Array | undefined) => bytes && decode(bytes, getCodec(encoding));
  const [old, now] = [read(before), read(after)];
  const isText = [old, now].every((one) => one === undefined || one.kind === 'text');
  const text = (one: typeof old) => (one?.kind === 'text' ? normalizeNewlines(one.text) : undefined);
  return { path, before: text(old), after: text(now), isText };
}

function diffOf(change: ReadChange): string {
  if (!change.isText) return `Binary file ${change.path} differs`;
  return unifiedDiff(change)?.trimEnd() ?? `--- a/${change.path}\n+++ b/${change.path}\n(too many changes to show)`;
}

function problemLines(problems: readonly PreviewedProblem[], compared: readonly string[]): string[] {
  if (compared.length === 0) return [];
  if (problems.length === 0) return [`No new problems in ${counted(compared.length, 'compared file')}.`];
  const lines = problems.slice(0, maxProblems).map(({ file, diagnostic: { range, severity, message } }) => {
    const kind = severity === 1 ? 'error' : 'warning';
    return `  ${file}:${range.start.line}: ${kind}: ${message.replace(/\s+/g, ' ').trim()}`;
  });
  const more = problems.length - lines.length;
  return ['New problems (0-based lines of the changed text):', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}
