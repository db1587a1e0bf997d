import { ExpectedError, isExpected } from '../base/errors.ts';
import type { Edits } from '../edits/edits.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { Location } from '../lsp/locations.ts';
import { comparePositions } from '../lsp/ranges.ts';
import { requestRename, type WorkspaceStep } from '../lsp/rename.ts';
import { resolveInProject } from '../project/project-path.ts';
import type { ActiveServer } from '../project/source-files.ts';
import { changedSince, toldUpTo } from './cross-file.ts';
import { leftOver, placesNote } from './left-over.ts';
import { namePathOf } from './name-path.ts';
import { keepOurs, type LocatedIn } from './project-locations.ts';
import { prepareTarget } from './references.ts';
import { requestUses } from './request-uses.ts';
import type { SymbolScope } from './scope.ts';
import { changedMeanwhile, identifierOf, openTarget, type SymbolAddress, type Target } from './target.ts';
import { spanOf } from './text-range.ts';
import { planServerEdit } from './workspace-edit.ts';

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
 * @throws {ExpectedError} `tool.invalid-input` for an empty name; `edit.refused` for the name that the symbol has, and where
 *   the server would change nothing, or what is not ours; `edit.conflict` when files change meanwhile; what
 *   {@link openTarget}, the server and committing throw. Nothing has changed then.
 */
export async function renameSymbol(
  scope: SymbolScope,
  edits: Edits,
  request: SymbolAddress & { readonly newName: string },
): Promise<Renamed> {
  const { newName } = request;
  if (newName.trim() === '') throw new ExpectedError('tool.invalid-input', 'Cannot rename to an empty `new_name`');
  const target = await openTarget(scope, edits, request);
  const { symbol } = target;
  const name = identifierOf(target);
  if (newName === name) {
    throw new ExpectedError('edit.refused', `\`${namePathOf(symbol)}\` is called \`${newName}\` already`);
  }
  const active = scope.files.project.sources.requireServer(symbol.file);
  const answer = await askServer(scope, target, { active, newName });
  const { steps } = answer;
  const files = await planServerEdit(scope, edits, { steps, active, name });
  await requireUnchanged(scope, { active, mark: answer.mark, files });
  const missed = await missedUses(scope, target, answer);
  const changed = await edits.commit(scope.call.signal);
  if (changed.length === 0) throw nothingChanged(answer.server, target);
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? [inProject(scope, step.from)] : [])));
  return {
    namePath: namePathOf(symbol),
    fileCount: changed.filter((path) => !moved.has(path)).length,
    notes: [...missed, ...(await leftOver(scope, name, active))],
  };
}

interface Answer {
  readonly server: LanguageServer;
  /** How the files were when the server was asked. */
  readonly mark: number | undefined;
  readonly steps: readonly WorkspaceStep[];
  /** Where the server says the symbol is used; `undefined` where it does not say. */
  readonly uses: readonly Location[] | undefined;
}

/** Nothing is saved before this is over, so that a server that dies over it can be asked again. */
function askServer(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { active, newName }: { active: ActiveServer; newName: string },
): Promise<Answer> {
  const { files, call } = scope;
  return files.ask(active, call, async (server) => {
    const place = await prepareTarget(scope, { active, server, target: symbol });
    if (place.text !== draft.raw) throw changedMeanwhile([symbol.file]);
    const mark = toldUpTo(server);
    const rename = active.spec.quirks?.rename ?? requestRename;
    const steps = await rename(server, { ...place, newName }, files.limits(call));
    const uses = await tryUses(() => requestUses(scope, { active, server, place, name: symbol.name }));
    return { server, mark, steps, uses };
  });
}

async function tryUses(ask: () => Promise<readonly Location[]>): Promise<readonly Location[] | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isExpected(error, 'server.refused')) return undefined;
    throw error;
  }
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

/** Returns a note about uses that the server knows and would not rename. */
async function missedUses(scope: SymbolScope, target: Target, { server, steps, uses }: Answer): Promise<string[]> {
  if (uses === undefined) return [`${server.name} could not be asked for references, to compare the rename with`];
  const name = identifierOf(target);
  const missed = (await keepOurs(scope, uses)).filter(
    (use) => !isCovered(scope, use, steps) && readUse(scope, use) === name,
  );
  if (missed.length === 0) return [];
  return [`${server.name} knows these uses but did not rename them: ${placesNote(missed.map(placeOf))}`];
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
