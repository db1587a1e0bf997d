import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { markLength } from '../../text/lines.ts';
import type { Range } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type Span, spanOf } from '../model/text-range.ts';
import { changedSince } from '../prepare-servers/prepare-search.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { changedMeanwhile, requireSameLines } from './edited-symbol.ts';

/** Changes that a server proposes, with the data to check them. */
interface ServerEdit {
  readonly steps: readonly WorkspaceStep[];
  readonly active: ActiveServer;
  /** The text that is usually at the edited ranges: the old name; `undefined` for an edit of any code. */
  readonly name: string | undefined;
}

/**
 * Plans a server's steps in `edits`, and returns the project-relative paths of their files. Writes nothing.
 *
 * @throws {ExpectedError} naming the file: if it is outside the project, ignored, or in a directory that the server
 *   does not search; if it cannot be read or written; if it has no such range.
 */
export async function planServerEdit(scope: SymbolScope, edits: Edits, edit: ServerEdit): Promise<string[]> {
  try {
    const paths = edit.steps.flatMap((step) => (step.do === 'move' ? [step.from, step.file] : [step.file]));
    const files = [...new Set(paths)].map((path) => resolveInProject(scope.files.project, path));
    for (const file of files) await requireSourceFile(scope, file, edit.active);
    for (const step of edit.steps) planStep(edits, step, edit);
    return files;
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const message = `cannot apply the changes that ${edit.active.spec.name} proposed; nothing was changed: ${error.message}`;
    throw new ExpectedError(error.code, message, { cause: error, hints: error.hints });
  }
}

async function requireSourceFile({ files, call }: SymbolScope, file: string, active: ActiveServer): Promise<void> {
  const {
    project: { scanner },
    sources,
  } = files;
  const directories = file.split('/').slice(0, -1);
  const isPruned = directories.some((name) => sources.prunedFor(active).includes(name));
  if (!isPruned && !(await scanner.isIgnored(file, call.signal))) return;
  throw new ExpectedError(
    'edit.refused',
    `\`${file}\` is ${isPruned ? "not one of the project's source files" : "ignored by the project's ignore rules"}`,
    { hints: ['call `find_referencing_symbols` and edit each reference'] },
  );
}

function planStep(edits: Edits, step: WorkspaceStep, edit: ServerEdit): void {
  try {
    if (step.do === 'edit') planTextEdits(edits.open(step.file), step.edits, edit);
    else if (step.do === 'remove') edits.remove(step.file);
    else if (step.do === 'create') edits.write(step.file, '', { mayReplace: step.ifExists === 'replace' });
    else edits.move(step.from, step.file, { mayReplace: step.ifExists === 'replace' });
  } catch (error) {
    const isSkipped = 'ifExists' in step && step.ifExists === 'skip' && isExpected(error, 'file.exists');
    const isGone = step.do === 'remove' && step.mayBeAbsent && isExpected(error, 'file.not-found');
    if (!isSkipped && !isGone) throw error;
  }
}

function planTextEdits(draft: FileDraft, edits: readonly RangeEdit[], { active, name }: ServerEdit): void {
  requireSameLines(active, draft);
  const shift = markShift(draft, edits, name);
  // A server that reads a file itself decodes it as UTF-8: with another encoding its columns may differ.
  const isDoubtful = Buffer.compare(Buffer.from(draft.raw), draft.bytes) !== 0;
  for (const { range, newText } of edits) {
    const { start, end } = requireSpan(draft, range, shift);
    if (isDoubtful && draft.text.slice(start, end) !== name) throw otherText(draft, { line: range.start.line, name });
    draft.replace(start, end, newText);
  }
}

function otherText(draft: FileDraft, { line, name }: { line: number; name: string | undefined }): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `the language server's edit in line ${line} of \`${draft.path}\` ${name === undefined ? 'cannot be located' : `does not replace \`${name}\``}: the server does not know the file's encoding`,
    { hints: ['call `find_referencing_symbols` and edit each reference', 'convert the file to UTF-8'] },
  );
}

/**
 * Returns the number of columns by which edits of the first line must be shifted. Some servers count a byte order mark
 * as a character and some do not; tsserver counts it only in files that were opened. The text at the edited ranges
 * decides.
 */
function markShift(draft: FileDraft, edits: readonly RangeEdit[], name: string | undefined): 0 | 1 {
  const first = edits.filter(({ range }) => range.start.line === 0);
  if (markLength(draft.text) === 0 || first.length === 0) return 0;
  const hits = (shift: 0 | 1) =>
    first.filter(({ range }) => {
      const { start, end } = requireSpan(draft, range, shift);
      return draft.text.slice(start, end) === name;
    }).length;
  if (hits(0) !== hits(1)) return hits(0) > hits(1) ? 0 : 1;
  throw new ExpectedError(
    'edit.refused',
    `cannot locate the language server's edit in line 0 of \`${draft.path}\`, which begins with a byte order mark`,
    { hints: ['remove the byte order mark from the file, then repeat the call'] },
  );
}

function requireSpan(draft: FileDraft, range: Range, shift: 0 | 1): Span {
  const moved = ({ line, character }: Range['start']) => ({
    line,
    character: line === 0 ? character + shift : character,
  });
  const span = spanOf(draft.lines, { start: moved(range.start), end: moved(range.end) });
  if (span) return span;
  throw new ExpectedError(
    'edit.out-of-range',
    `the language server's edit in line ${range.start.line} (0-based) is outside \`${draft.path}\`, which has ${counted(draft.lines.starts.length, 'line')}`,
    { hints: ['repeat the call: the server may have had an older version of the file'] },
  );
}

interface Proposal {
  readonly active: ActiveServer;
  readonly steps: readonly WorkspaceStep[];
  /** Up to which change of files the server knew the project when it answered; see `ServerState.reportedUpTo`. */
  readonly cursor: number | undefined;
  /** Project-relative path of the file whose diagnostics are compared. */
  readonly file: string;
  /** Fails if the planned changes must not be made. */
  readonly check?: () => Promise<void>;
}

/**
 * Makes the changes that a server proposes, or none. Returns the sorted paths of the changed, created and removed files,
 * and those of the server's files that something else changed while the server was answering.
 *
 * @throws {ExpectedError} `edit.conflict` if files of the proposal changed in the meantime; errors of
 *   {@link planServerEdit} and {@link Edits.commit}.
 */
export async function commitProposal(
  scope: EditScope,
  edits: Edits,
  { active, steps, cursor, file, check }: Proposal,
): Promise<{ changed: string[]; others: readonly string[] }> {
  const planned = await planServerEdit(scope, edits, { steps, active, name: undefined });
  await check?.();
  const since = (await changedSince(scope, active, cursor)) ?? [];
  const conflicts = planned.filter((path) => since.includes(path));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
  const changed = await commitWatched(scope, edits, file);
  return { changed: changed.sort(), others: since };
}
