import { basename } from 'node:path/posix';
import type { SymbolMoveTask } from '../../symbols/adapter.ts';
import { linesNote } from '../../symbols/edits/left-over.ts';
import { keepName, moveRefused } from '../../symbols/edits/moves.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { bodySpan } from '../../symbols/model/text-range.ts';
import { editLimits } from '../../symbols/occurrences/ledger.ts';
import { referenceLocations } from '../../symbols/queries/references.ts';
import { definitionsAt } from '../../symbols/queries/requests.ts';
import { type Place, placeAt } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import {
  type ModulePath,
  moduleBindings,
  modulePath,
  type PythonModule,
  type PythonModules,
  relativeModule,
} from './modules.ts';
import {
  type DefinitionSpan,
  definitionSpan,
  type PythonImport,
  type PythonStatement,
  pythonImports,
} from './statements.ts';

/** A definition of Python to move, as far as it can be judged by its own file and the target. */
export interface PythonCodeMove {
  readonly task: SymbolMoveTask;
  readonly name: string;
  readonly modules: PythonModules;
  readonly source: PythonModule;
  readonly span: DefinitionSpan;
  /** Project-relative path of the target, how it is imported, and its code if it exists. */
  readonly to: string;
  readonly toPath: ModulePath;
  readonly target: PythonModule | undefined;
}

/** Values of these names belong to the module. */
const moduleValues =
  /(?<![\p{L}\p{N}_.])(?:__(?:name|file|package|path|spec|doc|loader|builtins)__|globals|eval|exec)(?![\p{L}\p{N}_])/u;

/**
 * Returns a move of Python code after the checks that need no language server.
 *
 * @throws {ExpectedError} `edit.refused` with the reason.
 */
export function pythonCodeMove(modules: PythonModules, task: SymbolMoveTask): PythonCodeMove {
  const {
    target: { symbol, draft },
    to,
  } = task;
  const { name, file } = symbol;
  const source = modules.get(file);
  const offset = offsetAt(draft.text, draft.lines.starts, symbol.selectionRange.start);
  const span = source && offset !== undefined ? definitionSpan(source.lines, source.statements, offset) : undefined;
  if (source === undefined || span === undefined || bodySpan(symbol, draft.lines).end > span.end + 1) {
    throw moveRefused(name, 'it is not a whole statement at the top level of its file');
  }
  const move = {
    task,
    name,
    modules,
    source,
    span,
    to,
    toPath: modulePath(to, modules.exists),
    target: modules.get(to),
  };
  requireModules(move);
  requireOneBinding(move);
  requirePlainCode(move);
  requireFreeTarget(move);
  return move;
}

/** Returns the error for a move that some lines of a file are in the way of. */
export function refusedByLines(
  { name }: Pick<PythonCodeMove, 'name'>,
  reason: string,
  { module, offsets, hint }: { module: PythonModule; offsets: readonly number[]; hint?: string },
): Error {
  const numbers = new Set(offsets.map((offset) => lineOf(module, offset)).sort((a, b) => a - b));
  const lines = [...numbers].map((line) => ({ file: module.file, line }));
  return moveRefused(name, `${reason}: ${linesNote(lines)}`, hint === undefined ? undefined : [hint]);
}

/** Returns the 0-based line of an offset. */
export function lineOf({ lines: { text } }: PythonModule, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

/** True if an offset is in the lines that move. */
export function isMoved({ span }: PythonCodeMove, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

function requireModules({ name, source, to, toPath, modules }: PythonCodeMove): void {
  for (const file of [source.file, to]) {
    if (!file.endsWith('.py')) throw moveRefused(name, `\`${file}\` is not a module of Python code`);
    if (basename(file) === '__main__.py') throw moveRefused(name, `\`${file}\` is not imported by its name`);
    if (modules.exists(`${file}i`)) throw moveRefused(name, `\`${file}i\` declares the names of \`${file}\` as well`);
  }
  const odd = toPath.parts.find((part) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part));
  if (odd !== undefined) throw moveRefused(name, `\`${odd}\` cannot be the name of a module that is imported`);
  if (toPath.root === source.path.root) return;
  throw moveRefused(name, `\`${to}\` and \`${source.file}\` are not imported from the same directory`, [
    'choose a file of the same package, or create the missing `__init__.py` first',
  ]);
}

function requireOneBinding(move: PythonCodeMove): void {
  const { name, source } = move;
  const others = moduleBindings(source, name).filter(({ offset }) => !isMoved(move, offset));
  const globals = source.statements.filter(({ code }) =>
    new RegExp(`^global\\s.*(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'su').test(code),
  );
  const offsets = [...others.map(({ offset }) => offset), ...globals.map(({ start }) => start)];
  if (offsets.length > 0)
    throw refusedByLines(move, 'its name is also bound elsewhere in the file', { module: source, offsets });
}

function requirePlainCode(move: PythonCodeMove): void {
  const { source, span } = move;
  const own = source.statements.filter(({ start }) => isMoved(move, start));
  const odd = own.filter(({ code }) => moduleValues.test(code) || /^global\s/.test(code));
  const offsets = odd.map(({ start }) => start);
  if (offsets.length > 0)
    throw refusedByLines(move, 'its code depends on the module that it is in', { module: source, offsets });
  const comment = /#\s*type:\s*(?!ignore)/.exec(source.lines.text.slice(span.start, span.end));
  if (comment === null) return;
  throw refusedByLines(move, 'names in type comments are not followed', {
    module: source,
    offsets: [span.start + comment.index],
  });
}

function requireFreeTarget(move: PythonCodeMove): void {
  const { name, source, to, target, modules } = move;
  if (target === undefined) return;
  const taken = moduleBindings(target, name).filter(
    (one) => one.by !== 'import' || one.member !== name || modules.resolve(one.module, to) !== source.file,
  );
  const at = (bindings: readonly { offset: number }[]) => ({
    module: target,
    offsets: bindings.map(({ offset }) => offset),
  });
  if (taken.length > 0) throw refusedByLines(move, `\`${to}\` binds the name already`, at(taken));
  const stars = moduleBindings(target, '*');
  if (stars.length > 0) throw refusedByLines(move, `\`import *\` in \`${to}\` may bind any name`, at(stars));
  const hasCode = target.statements.some(({ code }) => !/^"+$/.test(code));
  const ignored = hasAnnotations(move) ? '' : 'annotations';
  const [own, theirs] = [source, target].map((module) => futures(module).filter((one) => one !== ignored));
  if (!hasCode || own?.join() === theirs?.join()) return;
  throw moveRefused(move.name, `\`${source.file}\` and \`${to}\` have different \`from __future__\` imports`, [
    'add the same `from __future__` imports to both files first',
  ]);
}

/** True if moved code has annotations of parameters, results or variables. */
function hasAnnotations(move: PythonCodeMove): boolean {
  const own = move.source.statements.filter(({ start }) => isMoved(move, start));
  return own.some(({ code }) => {
    const head = /^(?:async\s+)?def\s/.test(code) ? code.replace(/:$/, '') : undefined;
    return head === undefined
      ? /^[\p{L}\p{N}_.]+\s*:/u.test(code) && !/^else\s*:$|^try\s*:$|^finally\s*:$/.test(code)
      : /->|:/.test(head);
  });
}

/** Returns what a module imports from `__future__`, sorted. */
export function futures({ statements }: PythonModule): string[] {
  return statements
    .flatMap(pythonImports)
    .filter(({ module }) => module === '__future__')
    .map(({ bound }) => bound)
    .sort();
}

/** How the statements of a move name its two modules. */
export class ModuleNames {
  readonly #move: PythonCodeMove;
  readonly #prefix: readonly string[];

  /** @throws {ExpectedError} `edit.refused` if the project names the modules of their directory in several ways. */
  constructor(move: PythonCodeMove, imports: readonly ImportUse[]) {
    this.#move = move;
    const { source, target } = move;
    const users = [source, ...(target === undefined ? [] : [target]), ...imports.map(({ module }) => module)];
    const prefixes = [...new Set(users.flatMap((module) => prefixesIn(move, module)))];
    if (prefixes.length > 1) {
      throw moveRefused(
        move.name,
        `modules beside \`${source.file}\` are imported with and without \`${prefixes.join('')}\``,
      );
    }
    this.#prefix = (prefixes[0] ?? '').split('.').filter(Boolean);
  }

  /** Returns the new module as `importer` names it: with dots if it names others so. */
  ofTarget(importer: PythonModule): string {
    return this.#named(this.#move.toPath.parts, importer);
  }

  /** Returns the old module as the new one names it. */
  ofSource(): string {
    const { source, target, toPath } = this.#move;
    const isRelative = usesDots(source) || (target !== undefined && usesDots(target));
    const relative = isRelative ? relativeModule(source.path.parts, toPath) : undefined;
    return relative ?? this.#absolute(source.path.parts);
  }

  /** Returns the new module in the way in which a statement names the old one. */
  inPlaceOf({ module, statement, items }: ImportUse): string {
    const { toPath } = this.#move;
    const isRelative = items[0]?.module.startsWith('.') === true;
    const named = isRelative ? relativeModule(toPath.parts, module.path) : this.#absolute(toPath.parts);
    if (named !== undefined) return named;
    throw refusedByLines(this.#move, 'this import cannot lead to another package', {
      module,
      offsets: [statement.start],
    });
  }

  #named(parts: readonly string[], importer: PythonModule): string {
    return (usesDots(importer) ? relativeModule(parts, importer.path) : undefined) ?? this.#absolute(parts);
  }

  #absolute(parts: readonly string[]): string {
    return [...this.#prefix, ...parts].join('.');
  }
}

function usesDots({ statements }: PythonModule): boolean {
  return statements.some((statement) => pythonImports(statement).some(({ module }) => module.startsWith('.')));
}

/** Returns what a file's imports write before the names of modules that start from the directory of the move. */
function prefixesIn({ modules, source }: PythonCodeMove, { statements, file }: PythonModule): string[] {
  return statements.flatMap(pythonImports).flatMap(({ module, member }) => {
    if (member === undefined || module.startsWith('.')) return [];
    const found = modules.resolve(module, file);
    const path = found === undefined ? undefined : modules.get(found)?.path;
    const ending = path?.parts.join('.') ?? '';
    if (path?.root !== source.path.root || ending === '' || !`.${module}`.endsWith(`.${ending}`)) return [];
    return [module.slice(0, module.length - ending.length)];
  });
}

const maxChars = 200_000;

/**
 * Returns a note about lines that name the symbol with its old module, in documentation and files of other types.
 *
 * @throws {ExpectedError} `edit.refused` for strings of code that do, unless the old name is kept.
 */
export async function pythonMentions(scope: SymbolScope, move: PythonCodeMove): Promise<string[]> {
  const { source, name, modules, task } = move;
  const own = source.path.parts.at(-1) ?? '';
  const pattern = `(?<![\\w])${own}[.:]${name}(?!\\w)|(?<=["'])${name}(?=["'])`;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars, pattern };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  const noted: { file: string; line: number }[] = [];
  for (const { path: file, lines = [] } of files) {
    const module = file.endsWith('.py') ? modules.get(file) : undefined;
    if (module === undefined) noted.push(...qualifiedLines(scope, file, { lines, own }));
    for (const { index, 0: found } of module?.lines.text.matchAll(new RegExp(pattern, 'gu')) ?? []) {
      const statement = module?.statements.find(({ start, end }) => start <= index && index < end);
      const isString = statement?.code[index - statement.start] === '"';
      // As in `setattr(module, "name", value)`.
      const isBare = found === name;
      if (isBare && !(statement !== undefined && attributeOf(own).test(statement.code))) continue;
      const isText = statement === undefined || /^"+$/.test(statement.code);
      if (module !== undefined && isString && !isText && !task.reExports) {
        throw refusedByLines(move, 'a string names it with its module', {
          module,
          offsets: [index],
          hint: 'pass `re_export` to keep the old name as well, or change the string first',
        });
      }
      const line = module?.lines.text.slice(0, index).split('\n').length ?? 1;
      if (isText && module !== undefined) noted.push({ file, line: line - 1 });
    }
  }
  return noted.length === 0 || task.reExports ? [] : [`These lines may still name its old module: ${linesNote(noted)}`];
}

/** Returns a pattern for a statement that may name an attribute of a module by a string. */
function attributeOf(module: string): RegExp {
  const word = `(?<![\\p{L}\\p{N}_])${module}(?![\\p{L}\\p{N}_])`;
  return new RegExp(`(?:attr|object|attrgetter)\\s*\\(.*${word}|${word}.*attr`, 'su');
}

/** Returns the lines of a file of another type that have the name of the module. */
function qualifiedLines(
  { files }: SymbolScope,
  file: string,
  { lines, own }: { lines: readonly number[]; own: string },
): { file: string; line: number }[] {
  const { text } = files.textOf(file);
  const all = text.split('\n');
  return lines.filter((line) => all[line]?.includes(own)).map((line) => ({ file, line }));
}

/** A statement that imports the moved symbol from its old module. */
export interface ImportUse {
  readonly module: PythonModule;
  readonly statement: PythonStatement;
  readonly items: readonly PythonImport[];
}

/** The name as an attribute of its old module, such as `shop.prices.price`. Offsets. */
interface AttributeUse {
  readonly module: PythonModule;
  readonly statement: PythonStatement;
  readonly start: number;
  readonly end: number;
}

/** Where a symbol is used outside its own code. */
export interface PythonUses {
  /** Offsets in its own file. */
  readonly own: readonly number[];
  readonly imports: readonly ImportUse[];
  readonly attributes: readonly AttributeUse[];
}

const chainBefore = /(?:[\p{L}\p{N}_]+[ \t]*\.[ \t]*)+$/u;

/**
 * Returns all uses of the symbol that a move changes.
 *
 * @throws {ExpectedError} `edit.refused` if uses may be missing, or for a use of a form that is not understood;
 *   `server.*`.
 */
export async function pythonUses(scope: SymbolScope, move: PythonCodeMove): Promise<PythonUses> {
  const { task, name, source } = move;
  const locations = await referenceLocations(scope, task.target.symbol, { limits: editLimits });
  if (scope.gaps.length > 0) {
    const reasons = scope.gaps.map((gap) => `${gap.missing}: ${gap.reason}`).join('; ');
    throw moveRefused(name, `it may have uses that are not known. ${reasons}`, [
      'pass `re_export` to keep the old name as well',
    ]);
  }
  const found = new UseSorter(scope, move, new Set(locations.map(({ file }) => file)));
  for (const location of locations) await found.add(location);
  const own = found.own.filter((offset) => !isMoved(move, offset));
  const exported = exportedAt(source, name);
  return { own: [...own, ...exported], imports: found.imports, attributes: found.attributes };
}

/** Returns where `__all__` of a module names a symbol. */
function exportedAt({ statements, lines: { text } }: PythonModule, name: string): number[] {
  const lists = statements.filter(({ code, indent }) => indent === 0 && /^__all__\b/.test(code));
  return lists
    .filter(({ start, end }) => new RegExp(`["']${name}["']`).test(text.slice(start, end)))
    .map(({ start }) => start);
}

class UseSorter {
  readonly own: number[] = [];
  readonly attributes: AttributeUse[] = [];
  readonly #imports = new Map<PythonStatement, ImportUse>();
  readonly #scope: SymbolScope;
  readonly #move: PythonCodeMove;
  readonly #files: ReadonlySet<string>;

  constructor(scope: SymbolScope, move: PythonCodeMove, files: ReadonlySet<string>) {
    this.#scope = scope;
    this.#move = move;
    this.#files = files;
  }

  get imports(): readonly ImportUse[] {
    return [...this.#imports.values()];
  }

  async add({ file, range }: Place): Promise<void> {
    const { source, name, modules } = this.#move;
    const module = modules.get(file);
    const offset = module && offsetAt(module.lines.text, module.lines.starts, range.start);
    if (module === undefined || offset === undefined || !/\.pyi?$/.test(file)) {
      throw moveRefused(name, `\`${file}\` uses it, and is not changed by this tool`);
    }
    const statement = module.statements.find(({ start, end }) => start <= offset && offset < end);
    const imported =
      statement && pythonImports(statement).find((one) => one.memberOffset === offset || one.offset === offset);
    const chain = chainBefore.exec(module.lines.text.slice(Math.max(0, offset - 200), offset))?.[0];
    if (statement !== undefined && imported !== undefined) this.#addImport(module, { statement, imported });
    else if (statement !== undefined && chain !== undefined)
      await this.#addAttribute(module, { statement, chain, offset });
    else if (/[.)\]]\s*$/.test(module.lines.text.slice(0, offset)))
      this.#refuse('this use is not understood', module, offset);
    else if (file === source.file) this.own.push(offset);
    else this.#requireImported(module, offset);
  }

  #addImport(
    module: PythonModule,
    { statement, imported }: { statement: PythonStatement; imported: PythonImport },
  ): void {
    const { source, modules, name } = this.#move;
    const from = modules.resolve(imported.module, module.file);
    if (imported.member === name && from === source.file) {
      const known = this.#imports.get(statement)?.items ?? [];
      const items = known.some(({ memberOffset }) => memberOffset === imported.memberOffset)
        ? known
        : [...known, imported];
      this.#imports.set(statement, { module, statement, items });
      // What another file passes on is still there after its own import is corrected.
    } else if (from === undefined || !this.#files.has(from) || from === source.file) {
      this.#refuse('where this import leads is not understood', module, imported.offset);
    }
  }

  async #addAttribute(
    module: PythonModule,
    { statement, chain, offset }: { statement: PythonStatement; chain: string; offset: number },
  ): Promise<void> {
    const { source, task, name } = this.#move;
    const { text, starts } = module.lines;
    const last = /([\p{L}\p{N}_]+)[ \t]*\.[ \t]*$/u.exec(chain);
    const position = positionAt(text, starts, offset - chain.length + (last?.index ?? 0));
    const locations = await definitionsAt(this.#scope, task.active, placeAt(module.file, position));
    const isSource = locations.some(({ file, range: { end } }) => {
      return file === source.file && end.line === 0 && end.character === 0;
    });
    const end = offset + name.length;
    const isWritten = /^\s*(?::[^=]*)?(?:[-+*/%@&|^]|\*\*|\/\/|<<|>>)?=(?!=)/.test(text.slice(end, statement.end));
    const isStatement = statement.start === offset - chain.length;
    if (isSource && !(isStatement && isWritten)) {
      this.attributes.push({ module, statement, start: offset - chain.length, end });
      return;
    }
    const passes = ({ file }: Place) => file !== source.file && this.#files.has(file);
    const isPassedOn = !isSource && locations.some(passes);
    if (!isPassedOn) this.#refuse('this use is not understood', module, offset);
  }

  /** A bare name must come from an import that names it. */
  #requireImported(module: PythonModule, offset: number): void {
    const { name } = this.#move;
    const isImported = module.statements.some((one) => pythonImports(one).some(({ bound }) => bound === name));
    if (isImported) return;
    const isStar = moduleBindings(module, '*').length > 0;
    this.#refuse(isStar ? 'it is used through `import *`' : 'this use is not understood', module, offset);
  }

  #refuse(reason: string, module: PythonModule, offset: number): never {
    throw refusedByLines(this.#move, reason, { module, offsets: [offset], hint: keepName });
  }
}
