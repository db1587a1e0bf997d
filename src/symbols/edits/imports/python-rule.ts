import { basename, dirname, relative } from 'node:path/posix';
import { ExpectedError } from '../../../base/errors.ts';
import { tryStat } from '../../../base/file-state.ts';
import type { PathsMove } from '../../../edits/moved-files.ts';
import { requestDefinition } from '../../../lsp/features/locations.ts';
import { placeAt } from '../../../text/place.ts';
import { offsetAt } from '../../../text/position.ts';
import type { TextLines } from '../../../text/text-lines.ts';
import type { SymbolScope } from '../../model/scope.ts';
import { textSearch } from '../../model/text-search.ts';
import { linesNote } from '../left-over.ts';
import type { ImportChange, ImportRule } from './import-rule.ts';
import { type ModuleName, moduleEdits } from './python-statements.ts';

/** An occurrence of a module's name that leads to the module. */
interface ModuleUse {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
}

/**
 * Changes the names of moved modules: wherever the language server leads the name to the module. A package is renamed
 * where it is; a module may also move to another package, and its own relative imports become absolute.
 */
export const pythonRule: ImportRule = async (scope, change) => {
  const { move } = change;
  const module = moduleOf(scope, move);
  if (module === undefined) return;
  const uses = await usesOf(scope, change, module);
  const { from, to } = module;
  if (uses.length > 0 && !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(to.at(-1) ?? '')) {
    throw refused(move, `\`${to.at(-1)}\` cannot be the name of a module that is imported`);
  }
  if (move.isDirectory && dirname(move.from) !== dirname(move.to) && uses.length > 0) {
    throw refused(move, `the imports of a package that moves to another one are not rewritten: ${linesNote(uses)}`, [
      'rename the package within its directory, or move its modules one by one',
    ]);
  }
  for (const [file, own] of Map.groupBy(uses, (use) => use.file)) {
    const draft = change.edits.open(file);
    const offsets = own.map(({ offset }) => offset);
    const found = moduleEdits(draft.text, offsets, { from, to });
    if (found.unclear !== undefined) {
      const line = own.find(({ offset }) => offset === found.unclear)?.line ?? 0;
      throw refused(move, `this import cannot be rewritten: ${linesNote([{ file, line }])}`, [
        'write the import in another form first, then move the file',
      ]);
    }
    for (const { start, end, text } of found.edits) draft.replace(start, end, text);
  }
  if (!move.isDirectory && dirname(move.from) !== dirname(move.to)) absolutize(change, from.slice(0, -1));
};

/** The file of a module, and its names before and after a move, from the directory that imports start from. */
interface MovedModule {
  readonly file: string;
  readonly from: ModuleName;
  readonly to: ModuleName;
}

function moduleOf(scope: SymbolScope, move: PathsMove): MovedModule | undefined {
  const isFile = (path: string) => tryStat(scope.files.absolute(path))?.isFile() === true;
  const file = move.isDirectory ? `${move.from}/__init__.py` : move.from;
  if (move.isDirectory ? !isFile(file) : !/\.pyi?$/.test(file)) return undefined;
  if (!move.isDirectory && /^__(?:init|main)__\.pyi?$/.test(basename(file))) {
    throw refused(move, 'its name has a meaning', ['move the whole package instead']);
  }
  let root = dirname(move.from);
  while (root !== '.' && isFile(`${root}/__init__.py`)) root = dirname(root);
  const nameOf = (path: string) => relative(root, path.replace(/\.pyi?$/, '')).split('/');
  const to = nameOf(move.to);
  if (to[0] === '..') throw refused(move, `it would leave the directory \`${root}\`, from which it is imported`);
  return { file, from: nameOf(move.from), to };
}

async function usesOf(
  scope: SymbolScope,
  { active, server, move }: ImportChange,
  { file, from }: MovedModule,
): Promise<ModuleUse[]> {
  const { files, call } = scope;
  const name = from.at(-1) ?? '';
  const found = await textSearch(scope, { active, name })?.();
  const uses: ModuleUse[] = [];
  const unread = found?.unread ?? [];
  if (unread.length > 0) throw refused(move, `\`${unread[0]}\` cannot be read, and may import it`);
  for (const { path: user, places } of found?.files ?? []) {
    if (files.sources.serverOf(user) !== active) continue;
    await files.show(server, user, call);
    const text = files.textOf(user);
    for (const position of places) {
      const { locations } = await requestDefinition(server, placeAt(user, position), files.limits(call));
      // The range of a module is empty, unlike that of a name at the start of its file.
      const leadsThere = locations.some(
        (location) => location.file === file && location.range.end.character === 0 && location.range.end.line === 0,
      );
      if (leadsThere) uses.push({ file: user, line: position.line, offset: offsetIn(text, position) });
    }
  }
  return uses;
}

function offsetIn({ text, starts }: TextLines, position: { line: number; character: number }): number {
  return offsetAt(text, starts, position) ?? text.length;
}

/** Makes the relative imports of a moved module absolute; `inPackage` is the package that it was in. */
function absolutize({ edits, move }: ImportChange, inPackage: ModuleName): void {
  const draft = edits.open(move.from);
  for (const match of draft.text.matchAll(/^([ \t]*from[ \t]+)(\.+)([ \t]*[\w.]*)/gm)) {
    const [, before = '', dots = '', rest = ''] = match;
    const base = inPackage.slice(0, inPackage.length - (dots.length - 1));
    if (base.length === 0) throw refused(move, 'a relative import in it leads out of its package');
    const start = match.index + before.length;
    const name = [...base, ...(rest.trim() === '' ? [] : [rest.trim()])].join('.');
    draft.replace(start, start + dots.length + rest.length, name);
  }
}

function refused({ from }: PathsMove, reason: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move \`${from}\`: ${reason}; nothing was changed`, { hints });
}
