import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { comparePositions } from '../../lsp/documents/ranges.ts';
import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { type AllReferences, allReferences, editLimits, openReasons } from '../queries/all-references.ts';
import { keepOurs, type LocatedIn } from '../queries/project-locations.ts';
import { prepareTarget } from '../queries/references.ts';
import { changedSince, reportedUpTo } from '../sync/cross-file.ts';
import { leftOver, placesNote } from './left-over.ts';
import { requireNewName } from './require-new-name.ts';
import { notingSyntax } from './syntax-note.ts';
import { changedMeanwhile, identifierOf, openTarget, type SymbolAddress, type Target } from './target.ts';
import { planServerEdit } from './workspace-edit.ts';

/** A rename to be made. */
export interface RenameRequest extends SymbolAddress {
  readonly newName: string;
  /** Whether a name is accepted that another symbol of the same scope has. */
  readonly mayCollide: boolean;
}

/** A rename that was made. */
export interface Renamed {
  /** As it was before. */
  readonly namePath: string;
  /** How many files have changed; one that was moved counts once. */
  readonly fileCount: number;
  /** Where the old name still stands. */
  readonly notes: readonly string[];
}

/**
 * Renames a symbol everywhere that its language server knows, in one transaction, and looks for the old name afterwards
 * (`spec/tools.md` §10.4).
 *
 * @throws {ExpectedError} `tool.invalid-input` for a name that the language does not accept; `edit.refused` for one that is
 *   taken, and where the server would change nothing, or what is not ours; `edit.conflict` when files change meanwhile; what
 *   {@link openTarget}, the server and committing throw. Nothing has changed then.
 */
export async function renameSymbol(scope: SymbolScope, edits: Edits, request: RenameRequest): Promise<Renamed> {
  const { newName } = request;
  const target = await openTarget(scope, edits, request);
  const { symbol } = target;
  const name = identifierOf(target);
  const active = scope.files.sources.requireServer(symbol.file);
  await requireNewName(scope, target, request);
  const answer = await askServer(scope, target, { active, newName });
  const steps = [...answer.steps, ...missedSteps(scope, target, answer, newName)];
  const files = await planServerEdit(scope, edits, { steps, active, name });
  await requireUnchanged(scope, { active, mark: answer.mark, files });
  const missed = await missedUses(scope, target, { ...answer, steps });
  let changed: readonly string[] = [];
  const broken = await notingSyntax(scope, symbol.file, async () => {
    changed = await edits.commit(scope.call.signal);
  });
  if (changed.length === 0) throw nothingChanged(answer.server, target);
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? [inProject(scope, step.from)] : [])));
  return {
    namePath: namePathOf(symbol),
    fileCount: changed.filter((path) => !moved.has(path)).length,
    notes: [
      ...broken,
      ...missed,
      ...(await leftOver(scope, { name, active, reported: answer.references?.unresolved ?? [] })),
    ],
  };
}

interface Answer {
  readonly server: LanguageServer;
  /** How the files were when the server was asked. */
  readonly mark: number | undefined;
  readonly steps: readonly WorkspaceStep[];
  /** Where the symbol is referred to; `undefined` where the server cannot be asked for it. */
  readonly references: AllReferences | undefined;
}

/** Nothing is saved before this is over, so that a server that dies over it can be asked again. */
function askServer(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { active, newName }: { active: ActiveServer; newName: string },
): Promise<Answer> {
  const { files, call } = scope;
  const name = identifierOf({ symbol, draft });
  const text = textSearch(scope, { active, name });
  return files.ask(active, call, async (server) => {
    const place = await prepareTarget(scope, { active, server, target: symbol, text });
    if (place.text !== draft.raw) throw changedMeanwhile([symbol.file]);
    const mark = reportedUpTo(server);
    // References first: this opens files that the server's configuration excludes, so that it renames in them too.
    const references = await orUndefined(() =>
      allReferences(scope, { active, server, target: symbol, place, name, text }, editLimits),
    );
    const rename = active.spec.quirks?.rename ?? requestRename;
    const steps = await rename(server, { ...place, newName }, files.limits(call));
    return { server, mark, steps, references };
  });
}

async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isExpected(error, 'server.refused')) return undefined;
    throw error;
  }
}

/** Returns the edits of references that only the cross-check found: the server would leave them with the old name. */
function missedSteps(
  scope: SymbolScope,
  target: Target,
  { references, steps }: Answer,
  newName: string,
): WorkspaceStep[] {
  const name = identifierOf(target);
  return (references?.missed ?? []).flatMap(({ path, range }): WorkspaceStep[] => {
    const use = { file: inProject(scope, path), range };
    if (isCovered(scope, use, steps) || readUse(scope, use) !== name) return [];
    return [{ do: 'edit', path, edits: [{ range, newText: newName }] }];
  });
}

/** A file that changed after the server was asked has other text at the places that the answer names. */
async function requireUnchanged(
  scope: SymbolScope,
  { active, mark, files }: { active: ActiveServer; mark: number | undefined; files: readonly string[] },
): Promise<void> {
  const changed = await changedSince(scope, active, mark);
  const conflicts = changed === undefined ? files : files.filter((file) => changed.includes(file));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
}

/** Returns notes about references that the server would not rename, and about what may be one. */
async function missedUses(
  scope: SymbolScope,
  target: Target,
  { server, steps, references }: Answer,
): Promise<string[]> {
  if (references === undefined) return [`${server.name} could not be asked for references, to compare the rename with`];
  const name = identifierOf(target);
  const missed = (await keepOurs(scope, references.locations)).filter(
    (use) => !isCovered(scope, use, steps) && readUse(scope, use) === name,
  );
  const open = openReasons(references, name);
  if (missed.length === 0) return open;
  return [`${server.name} finds these references but did not rename them: ${placesNote(missed.map(placeOf))}`, ...open];
}

function placeOf({ file, range }: LocatedIn) {
  return { file, line: range.start.line };
}

function isCovered(scope: SymbolScope, { file, range }: LocatedIn, steps: readonly WorkspaceStep[]): boolean {
  return steps.some(
    (step) =>
      step.do === 'edit' &&
      inProject(scope, step.path) === file &&
      step.edits.some(
        (edit) =>
          comparePositions(edit.range.start, range.end) <= 0 && comparePositions(range.start, edit.range.end) <= 0,
      ),
  );
}

/** Under another name, as after `import a as b`, a use stays what it is. */
function readUse(scope: SymbolScope, { file, range }: LocatedIn): string | undefined {
  try {
    const lines = scope.files.textOf(file);
    const span = spanOf(lines, range);
    return span && lines.text.slice(span.start, span.end);
  } catch (error) {
    // The note is about what can be read; the server may know a file that is gone.
    if (isExpected(error)) return undefined;
    throw error;
  }
}

function inProject(scope: SymbolScope, path: string): string {
  return resolveInProject(scope.files.project, path);
}

function nothingChanged({ name }: LanguageServer, { symbol }: Target): ExpectedError {
  return new ExpectedError('edit.refused', `${name} has nothing to change to rename \`${namePathOf(symbol)}\``, {
    hints: ['Call `find_referencing_symbols` and change each place yourself'],
  });
}
