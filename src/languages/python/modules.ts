import type { TextEdit } from '../../text/apply-edits.ts';
import type { ReadCode } from '../../text/code-names.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { lineAt, lineEnd } from '../../text/lines.ts';
import type { TextLines } from '../../text/text-lines.ts';
import {
  bindingsIn,
  type PythonBinding,
  type PythonImport,
  type PythonScope,
  type PythonStatement,
  pythonImports,
  pythonStatements,
} from './statements.ts';

/** How a file is imported: its names from the directory that imports start from. */
export interface ModulePath {
  /** The nearest directory above the file that is no package; `''` for the root of the project. */
  readonly root: string;
  /** The module, such as `['shop', 'prices']`. */
  readonly parts: readonly string[];
  /** The package that relative imports of the module start from. */
  readonly package: readonly string[];
}

/** Returns how a project-relative file is imported. `exists` is asked about project-relative paths of `__init__.py`. */
export function modulePath(file: string, exists: (path: string) => boolean): ModulePath {
  const directories = file.split('/').slice(0, -1);
  let depth = directories.length;
  const isPackage = (length: number) => exists([...directories.slice(0, length), '__init__.py'].join('/'));
  while (depth > 0 && isPackage(depth)) depth--;
  const inPackage = directories.slice(depth);
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.pyi?$/, '');
  const parts = stem === '__init__' ? inPackage : [...inPackage, stem];
  return { root: directories.slice(0, depth).join('/'), parts, package: inPackage };
}

/** Returns a module with leading dots, as a file of another module names it; `undefined` in another top-level package. */
export function relativeModule(parts: readonly string[], importer: ModulePath): string | undefined {
  const from = importer.package;
  if (from.length === 0 || from[0] !== parts[0]) return undefined;
  let common = 0;
  while (common < from.length && from[common] === parts[common]) common++;
  return '.'.repeat(from.length - common + 1) + parts.slice(common).join('.');
}

/** Returns the parts of a module in an import of `importer`; `undefined` if its dots lead out of the package. */
export function absoluteModule(module: string, importer: ModulePath): readonly string[] | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = module.slice(dots).split('.').filter(Boolean);
  if (dots === 0) return rest;
  const depth = importer.package.length - (dots - 1);
  return depth <= 0 ? undefined : [...importer.package.slice(0, depth), ...rest];
}

/** Files that a module may be in, and its directory if it is a package; paths are project-relative. */
interface ModulePlace {
  /** The first one that exists counts. */
  readonly files: readonly string[];
  readonly directory: string;
}

/**
 * Returns where a module may be that a file imports, the first place first. `module` has its leading dots. Sources may
 * be at the root, in `src`, and in any directory above the file that is no package itself.
 */
export function modulePlaces(module: string, file: string, exists: (path: string) => boolean): ModulePlace[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split('.').filter(Boolean);
  const above = parents(file);
  if (dots > 0) {
    const base = above[dots - 1];
    return base === undefined ? [] : [placeOf([base, ...parts])];
  }
  const outside = above.filter((directory) => !exists(`${directory}/__init__.py`));
  const roots = new Set(['', 'src', ...outside]);
  return parts.length === 0 ? [] : [...roots].map((root) => placeOf([root, ...parts]));
}

/** Returns the directories of a file, the innermost first; the root is `''`. */
function parents(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return [...parts.keys(), parts.length].map((length) => parts.slice(0, length).join('/')).reverse();
}

function placeOf(parts: readonly string[]): ModulePlace {
  const directory = parts.filter(Boolean).join('/');
  // Code first: a stub says what it declares, not what happens.
  const inside = directory === '' ? '' : `${directory}/`;
  const beside = directory === '' ? [] : [`${directory}.py`];
  const stubs = directory === '' ? [] : [`${directory}.pyi`];
  return { files: [`${inside}__init__.py`, ...beside, `${inside}__init__.pyi`, ...stubs], directory };
}

export interface PythonModule {
  /** Project-relative. */
  readonly file: string;
  readonly lines: TextLines;
  readonly statements: readonly PythonStatement[];
  readonly path: ModulePath;
}

const typeChecking = /^if\s+(?:[\p{L}\p{N}_]+\s*\.\s*)?TYPE_CHECKING\s*:$/u;

/** The modules of a project, by their code alone. */
export class PythonModules {
  readonly #read: ReadCode;
  readonly #known = new Map<string, PythonModule | undefined>();

  constructor(read: ReadCode) {
    this.#read = read;
  }

  readonly exists = (file: string): boolean => this.#read(file) !== undefined;

  /** Returns the module in a project-relative file; `undefined` if the file does not exist. */
  get(file: string): PythonModule | undefined {
    if (this.#known.has(file)) return this.#known.get(file);
    const lines = this.#read(file);
    const module = lines && {
      file,
      lines,
      statements: pythonStatements(lines.text),
      path: modulePath(file, this.exists),
    };
    this.#known.set(file, module);
    return module;
  }

  /** Returns the file of a module with leading dots that a file imports, if it is in the project. */
  resolve(module: string, importer: string): string | undefined {
    const places = modulePlaces(module, importer, this.exists);
    return places.flatMap(({ files }) => files).find(this.exists);
  }

  /** Returns the files of the project that run when a file is imported, as far as its own imports cause it. */
  loadedBy(file: string): readonly string[] {
    const module = this.get(file);
    if (module === undefined) return [];
    const loaded = module.statements
      .filter((statement) => !isDeferred(statement) && guardOf(module, statement) !== 'types')
      .flatMap((statement) => this.#filesOf(statement, file));
    return [...new Set(loaded)].filter((other) => other !== file);
  }

  /** Returns the files by which importing `to` imports `from`, both included; `undefined` if it does not. */
  chain(to: string, from: string): readonly string[] | undefined {
    const before = new Map<string, string | undefined>([[to, undefined]]);
    for (const file of before.keys()) {
      if (file === from) {
        const chain: string[] = [];
        for (let at: string | undefined = file; at !== undefined; at = before.get(at)) chain.unshift(at);
        return chain;
      }
      for (const next of this.loadedBy(file)) if (!before.has(next)) before.set(next, file);
    }
    return undefined;
  }

  #filesOf(statement: PythonStatement, file: string): string[] {
    return pythonImports(statement).flatMap(({ module, member, memberOffset }) => {
      if (member === undefined) {
        const whole = /^[\p{L}\p{N}_.]+/u.exec(statement.code.slice(memberOffset - statement.start))?.[0] ?? module;
        return this.#withPackages(this.resolve(whole, file), file);
      }
      const base = this.resolve(module, file);
      const inside = this.resolve(module.endsWith('.') ? module + member : `${module}.${member}`, file);
      const owner = base === undefined ? undefined : this.get(base);
      const isBound = owner !== undefined && moduleBindings(owner, member).length > 0;
      return [
        ...(inside === undefined || isBound ? this.#withPackages(base, file) : []),
        ...this.#withPackages(inside, file),
      ];
    });
  }

  /** Returns a file with the packages that are imported before it, unless the importer is in them. */
  #withPackages(file: string | undefined, importer: string): string[] {
    const module = file === undefined ? undefined : this.get(file);
    if (file === undefined || module === undefined) return [];
    const { root, package: inside } = module.path;
    const directories = inside.map((_, at) => [root, ...inside.slice(0, at + 1)].filter(Boolean).join('/'));
    const others = directories.filter((directory) => !importer.startsWith(`${directory}/`));
    return [...others.map((directory) => `${directory}/__init__.py`), file];
  }
}

/** True if a statement runs when a function is called, not when its module is imported. */
export function isDeferred({ scope }: PythonStatement): boolean {
  for (let at: PythonScope | undefined = scope; at !== undefined; at = at.parent)
    if (at.kind === 'function') return true;
  return false;
}

/** Returns the condition of a statement: `types` for `if TYPE_CHECKING:`, or `other`; `undefined` if it has none. */
export function guardOf({ statements }: PythonModule, statement: PythonStatement): 'types' | 'other' | undefined {
  if (statement.indent === 0) return undefined;
  const head = statements.findLast(({ start, indent }) => start < statement.start && indent < statement.indent);
  return head !== undefined && head.indent === 0 && typeChecking.test(head.code) ? 'types' : 'other';
}

/** A statement of a module that binds a name there. */
export type ModuleBinding = PythonBinding & { readonly statement: PythonStatement };

/** Returns the bindings of a name at the top level of a module; `*` for imports of all names. */
export function moduleBindings({ statements }: PythonModule, name: string): ModuleBinding[] {
  const top = statements.find(({ scope }) => scope.kind === 'module');
  const found = top === undefined ? [] : bindingsIn(statements, top.scope, name).bindings;
  return found.flatMap((binding) => {
    const statement = statements.find(({ start, end }) => start <= binding.offset && binding.offset < end);
    return statement === undefined ? [] : [{ ...binding, statement }];
  });
}

/** Returns where the module of `from module import …` is. */
export function moduleSpan({ start, code }: PythonStatement): { start: number; end: number } | undefined {
  const found = /^from\s*([.\p{L}\p{N}_]+)\s*(?<=[.\s])import\b/u.exec(code);
  const at = found?.[1] === undefined ? undefined : start + found[0].indexOf(found[1], 4);
  return at === undefined || found?.[1] === undefined ? undefined : { start: at, end: at + found[1].length };
}

/**
 * Returns the edits that import some names of a statement `from … import` from another module; without a module they
 * are no longer imported. `undefined` for a form that is not understood.
 */
export function reimport(
  lines: TextLines,
  statement: PythonStatement,
  { moved, module }: { moved: readonly PythonImport[]; module: string | undefined },
): TextEdit[] | undefined {
  const { text, starts } = lines;
  const span = moduleSpan(statement);
  if (span === undefined || text.slice(statement.start, statement.end).includes('\\\n')) return undefined;
  const isAll = pythonImports(statement).length === moved.length;
  if (isAll && module !== undefined) return [{ ...span, text: module }];
  const line = lineAt(starts, statement.start);
  const lineStart = starts[line] ?? 0;
  const indent = text.slice(lineStart, statement.start);
  const isFirst = indent.trim() === '';
  if (isAll) {
    const end = lineEnd(text, starts, lineAt(starts, statement.end - 1));
    const isAlone = isFirst && statement.indent === 0 && /^\s*(?:#.*)?$/.test(text.slice(statement.end, end));
    return isAlone ? [{ start: lineStart, end: Math.min(end + 1, text.length), text: '' }] : undefined;
  }
  const clauses = moved.map(({ member, bound }) => (member === bound ? bound : `${member} as ${bound}`));
  const separator = isFirst ? `\n${indent}` : '; ';
  const added = module === undefined ? '' : `from ${module} import ${clauses.join(', ')}${separator}`;
  const removed = moved.map((one) => withoutItem(lines, statement, one));
  return [...(added === '' ? [] : [{ start: statement.start, end: statement.start, text: added }]), ...merged(removed)];
}

/** Returns the removal of one name of a list with its comma, and of its line if nothing else is there. */
function withoutItem({ text }: TextLines, statement: PythonStatement, item: PythonImport): TextEdit {
  const { code, start: base } = statement;
  const end = item.offset + item.bound.length;
  const behind = /^\s*,[ \t]*/.exec(code.slice(end - base))?.[0];
  const before = text.slice(base, item.memberOffset);
  const ownLine = /\n[ \t]*$/.exec(before)?.[0];
  const restOfLine =
    behind === undefined ? undefined : /^(?:#[^\n]*)?(?=\n)/.exec(text.slice(end + behind.length))?.[0];
  if (ownLine !== undefined && behind !== undefined && restOfLine !== undefined) {
    return { start: item.memberOffset - ownLine.length, end: end + behind.length + restOfLine.length, text: '' };
  }
  if (behind !== undefined) return { start: item.memberOffset, end: end + behind.length, text: '' };
  const comma = /,\s*$/.exec(code.slice(0, item.memberOffset - base))?.[0].length ?? 0;
  return { start: item.memberOffset - comma, end, text: '' };
}

/** Joins removals that overlap: that of the last name includes the comma before it. */
function merged(edits: readonly TextEdit[]): TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || edit.start > last.end) joined.push(edit);
    else joined[joined.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
  }
  return joined;
}

/** The beginning of a module: its description, imports, and what is between them. */
interface ModuleHead {
  /** Where further imports belong: the start of a line, or the end of the text. */
  readonly offset: number;
  /** True if an import is directly before. */
  readonly hasImports: boolean;
}

/** Returns where imports at the top level of a module belong: after the first ones, or else above the code. */
export function moduleHead(lines: TextLines, statements: readonly PythonStatement[]): ModuleHead {
  const { text, starts } = lines;
  const after = ({ end }: PythonStatement) => Math.min(lineEnd(text, starts, lineAt(starts, end - 1)) + 1, text.length);
  let offset: number | undefined;
  let hasImports = false;
  for (const statement of statements) {
    const isImport = pythonImports(statement).length > 0;
    if (statement.indent > 0 || !(isImport || /^(?:"+|__\w+__\s*=.*)$/su.test(statement.code))) break;
    if (isImport || offset === undefined) offset = after(statement);
    hasImports ||= isImport;
  }
  if (offset !== undefined) return { offset, hasImports };
  const first = statements[0];
  if (first === undefined) return { offset: text.length, hasImports };
  return { offset: starts[firstAttachedLine(lines, lineAt(starts, first.start), 'python')] ?? 0, hasImports };
}
