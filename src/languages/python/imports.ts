import { basename, dirname, relative } from 'node:path/posix';
import { ExpectedError } from '../../base/errors.ts';
import { tryStat } from '../../base/file-state.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { FilesMove } from '../../symbols/adapter.ts';
import { linesNote } from '../../symbols/edits/left-over.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { textSearch } from '../../symbols/model/text-search.ts';
import type { TextEdit } from '../../text/apply-edits.ts';
import { placeAt } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** The name of a module in parts, such as `['shop', 'helper']`. */
type ModuleName = readonly string[];

/** The changes of a text, or the offset of a name that they do not cover. */
interface ModuleEdits {
  readonly edits: readonly TextEdit[];
  readonly unclear?: number;
}

/**
 * Returns the changes of a text in Python that make it refer to a module by its new name. `offsets` are those of the
 * last part of the module's name, wherever it means the module.
 */
function moduleEdits(
  text: string,
  offsets: readonly number[],
  { from, to }: { from: ModuleName; to: ModuleName },
): ModuleEdits {
  const [oldName = '', newName = ''] = [from.at(-1), to.at(-1)];
  const isSamePackage = from.slice(0, -1).join('.') === to.slice(0, -1).join('.');
  const inPlace = (offset: number) => ({ start: offset, end: offset + oldName.length, text: newName });
  const binds = offsets.some((offset) => listAround(text, offset) !== undefined);
  if (binds && newName !== oldName && new RegExp(`(?<![.\\w])${newName}(?!\\w)`).test(text)) {
    return { edits: [], unclear: offsets[0] ?? 0 };
  }
  if (isSamePackage) return { edits: offsets.map(inPlace) };
  const edits: TextEdit[] = [];
  for (const offset of offsets) {
    const list = listAround(text, offset);
    const chain = /(?:\.*(?:\w+\.)+|\.+)?$/.exec(text.slice(0, offset))?.[0] ?? '';
    const isRelative = chain.startsWith('.');
    const end = offset + oldName.length;
    if (list !== undefined) {
      const own = withoutName(text, list, { offset, oldName, to });
      if (own === undefined) return { edits: [], unclear: offset };
      edits.push(...own);
    } else if (chain === '' && binds) edits.push(inPlace(offset));
    else if (isRelative || chain === [...from.slice(0, -1), ''].join('.')) {
      edits.push({ start: offset - chain.length, end, text: to.join('.') });
    } else return { edits: [], unclear: offset };
  }
  return { edits };
}

/** The statement `from module import names`. Offsets; `end` exclusive. */
interface ImportList {
  readonly start: number;
  readonly indent: string;
  readonly module: { readonly start: number; readonly end: number };
  readonly names: { readonly start: number; readonly end: number };
  readonly end: number;
}

/** Returns the statement whose imported names contain the one at an offset. */
function listAround(text: string, offset: number): ImportList | undefined {
  const before = /(?:^|\n)([ \t]*)from[ \t]+([.\w]+)[ \t]+import[ \t]*(?:\(([^()]*)|([^()\n]*))$/.exec(
    text.slice(0, offset),
  );
  if (before === null) return undefined;
  const [whole, indent = '', module = '', inBrackets] = before;
  const start = before.index + (whole.startsWith('\n') ? 1 : 0);
  const moduleStart = text.indexOf('from', start + indent.length) + 4;
  const at = text.indexOf(module, moduleStart);
  const namesStart = offset - (inBrackets ?? before[4] ?? '').length;
  const close = text.slice(offset).search(inBrackets === undefined ? /\n|$/ : /\)|$/) + offset;
  const end = inBrackets === undefined ? close : close + 1;
  return {
    start,
    indent,
    module: { start: at, end: at + module.length },
    names: { start: namesStart, end: close },
    end,
  };
}

/** Returns the edits that import one name of a list from elsewhere; `undefined` if the list has comments. */
function withoutName(
  text: string,
  list: ImportList,
  { offset, oldName, to }: { offset: number; oldName: string; to: ModuleName },
): TextEdit[] | undefined {
  const names = text.slice(list.names.start, list.names.end);
  if (/[#\\;]/.test(names)) return undefined;
  const [parent, newName = ''] = [to.slice(0, -1).join('.'), to.at(-1)];
  const keyword = parent === '' ? 'import ' : `from ${parent} import `;
  const parts = names.split(',').filter((part) => part.trim() !== '');
  const own = /^[^,]*/.exec(text.slice(offset, list.names.end))?.[0].trim() ?? oldName;
  const statement = keyword + newName + own.slice(oldName.length);
  if (parts.length === 1) return [{ start: list.start + list.indent.length, end: list.end, text: statement }];
  const others = parts.map((part) => part.trim()).filter((part) => part !== own);
  return [
    { start: list.start, end: list.start, text: `${list.indent}${statement}\n` },
    { start: list.names.start, end: list.names.end, text: others.join(', ') },
  ];
}

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
export async function moveModules(scope: SymbolScope, change: FilesMove): Promise<void> {
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
}

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
  { active, server, move }: FilesMove,
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
function absolutize({ edits, move }: FilesMove, inPackage: ModuleName): void {
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
