import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { realPathIfExists, relativeWithin } from '../../base/paths.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { positionParams, requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import { type RenameRequest, requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions, contains, type Place, placeKey, type Range } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { definitionsIn, flat } from '../corrections.ts';
import { isHeader, otherPrograms } from './other-programs.ts';

/**
 * clangd 22.1 resolves a name that depends on parameters of a template to the primary template, or to nothing:
 *
 * ```cpp
 * template <class T> struct Traits { static int size(); };
 * template <> struct Traits<int> { static int size(); };
 * template <class T> int twice() { return 2 * Traits<T>::size(); }   // may mean either of them
 * ```
 *
 * True if clangd's syntax tree (`textDocument/ast`, its own request) has such a name at a range of an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function isDependentName(
  server: LanguageServer,
  { file, range }: Place,
  limits: RequestLimits,
): Promise<boolean> {
  const textDocument = { uri: server.files.uriOf(file) };
  const node = await server.request('textDocument/ast', { textDocument, range }, limits);
  const kind = field(node, 'kind');
  return typeof kind === 'string' && kind.includes('Dependent');
}

const templateLine = /^[ \t]*template[ \t]*</m;

/**
 * clangd 22.1 checks code that depends on parameters of a template only with arguments, which other files have:
 *
 * ```cpp
 * // shelf.h
 * template <class T> int count(const T &items) { return items.missing(); }   // no error here
 * ```
 *
 * It reads no bodies of included files, and so finds no such errors while it checks those others.
 */
const templateGap: NonNullable<ServerAdapter['diagnosticsGapOf']> = (file, text) => {
  if (!isHeader(file) || !templateLine.test(text)) return undefined;
  return {
    missing: `Errors of \`${file}\` in code that depends on parameters of templates may be missing`,
    reason: 'clangd does not check that code with the arguments that other files use',
    next: 'Compile a file that uses the templates',
  };
};

const templateKeyword = /\btemplate\s*$/;
/** Longer headers are not looked for. */
const maxHeaderChars = 2_000;

/**
 * clangd 22.1 leaves the header out of the range of a template:
 *
 * ```cpp
 * template <class T>
 * T largest(T one, T other);   // the range begins here: a deletion would leave the line above
 * ```
 *
 * Returns symbols with the headers. Covered by the tests of edits of templates in `test/languages/cpp/templates.test.ts`.
 */
function withTemplateHeaders(symbols: readonly PlainSymbol[], text: string): PlainSymbol[] {
  const starts = lineStarts(text);
  const extended = (symbol: PlainSymbol): PlainSymbol => {
    const { line, character } = symbol.range.start;
    const offset = (starts[line] ?? 0) + character;
    const first = headerStart(text, offset);
    const start = first === offset ? symbol.range.start : positionAt(text, starts, first);
    return { ...symbol, range: { ...symbol.range, start }, children: symbol.children.map(extended) };
  };
  return symbols.map(extended).sort((a, b) => comparePositions(a.range.start, b.range.start));
}

/** Returns where the template headers before an offset begin; the offset itself if there are none. */
function headerStart(text: string, offset: number): number {
  let first = offset;
  for (;;) {
    const end =
      text.slice(Math.max(0, first - maxHeaderChars), first).trimEnd().length + Math.max(0, first - maxHeaderChars);
    const open = text[end - 1] === '>' ? openingOf(text, end - 1) : undefined;
    const before = open === undefined ? null : templateKeyword.exec(text.slice(Math.max(0, open - 20), open));
    if (open === undefined || before === null) return first;
    first = open - before[0].length;
  }
}

/** Returns the offset of the `<` that the `>` at an offset closes; what is in parentheses is skipped. */
function openingOf(text: string, close: number): number | undefined {
  let angles = 0;
  let parentheses = 0;
  for (let at = close; at >= Math.max(0, close - maxHeaderChars); at--) {
    const char = text[at];
    if (char === ')') parentheses++;
    if (char === '(') parentheses--;
    if (char === ';' || char === '{' || char === '}' || parentheses < 0) return undefined;
    if (parentheses > 0) continue;
    if (char === '>') angles++;
    if (char === '<' && --angles === 0) return at;
  }
  return undefined;
}

/**
 * clangd 22.1 returns the direct subclasses of a class, and the methods that directly override one:
 *
 * ```cpp
 * struct Shape { virtual void draw(); };
 * struct Square : Shape { void draw() override; };
 * struct Tile : Square { void draw() override; };   // no implementation of `Shape`
 * ```
 *
 * Requests the implementations of implementations, too. A subclass is only opened if the type hierarchy, which needs no
 * file, has a class below it. As long as clangd has only parsed the header it names the declarations of methods; here their
 * definitions are returned. Covered by the tests of implementations in `test/languages/cpp/cpp.test.ts`.
 */
const derivedImplementations: NonNullable<Quirks['implementations']> = async (server, place, limits) => {
  const found = new Map<string, Place>();
  const pending = [place];
  for (let asked = pending.pop(); asked !== undefined; asked = pending.pop()) {
    const { direct, isDeep } = await implementationsOf(server, asked, limits);
    for (const location of direct.filter((one) => !found.has(placeKey(one)))) {
      found.set(placeKey(location), location);
      if (isDeep) pending.push(location);
    }
  }
  const defined: Place[] = [];
  for (const location of found.values()) defined.push(await definitionOf(server, location, limits));
  return defined;
};

/** Returns the definition of a symbol; at a definition, clangd would answer with the declaration. */
function definitionOf(server: LanguageServer, place: Place, limits: RequestLimits): Promise<Place> {
  return server.documents.holding(place.file, async () => {
    server.documents.sync(place.file);
    const params = positionParams(server, place);
    const described = listed(await server.request('textDocument/symbolInfo', params, limits));
    const isDefined = described.some((one) => field(one, 'definitionRange') !== undefined);
    const [definition] = isDefined ? [] : (await requestDefinition(server, place, limits)).locations;
    return definition ?? place;
  });
}

/** The direct implementations of a symbol; `isDeep` if one of its class's subclasses has subclasses itself. */
interface Implementations {
  readonly direct: readonly Place[];
  readonly isDeep: boolean;
}

function implementationsOf(server: LanguageServer, place: Place, limits: RequestLimits): Promise<Implementations> {
  return server.documents.holding(place.file, async () => {
    server.documents.sync(place.file);
    const direct = await requestImplementations(server, place, limits);
    return { direct, isDeep: direct.length > 0 && (await isDeepClass(server, place, limits)) };
  });
}

/** Of a method, the type hierarchy is that of its class. */
async function isDeepClass(server: LanguageServer, place: Place, limits: RequestLimits): Promise<boolean> {
  const params = positionParams(server, place);
  const subtypes = async (item: unknown) => listed(await server.request('typeHierarchy/subtypes', { item }, limits));
  for (const item of listed(await server.request('textDocument/prepareTypeHierarchy', params, limits))) {
    for (const subtype of await subtypes(item)) {
      if ((await subtypes(subtype)).length > 0) return true;
    }
  }
  return false;
}

function listed(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** Codes of the errors after which clang reports no further errors, whatever it cannot parse. */
const lastError = /^(?:fatal_|pp_file_not_found$)/;
/** Objective-C has no syntax table. */
const foreign = /^[ \t]*@(?:interface|implementation|protocol)\b/m;
const directive = /^[ \t]*#[ \t]*define\b/m;

/**
 * clangd 22.1 reports no symbols where it cannot parse, and no macros:
 *
 * ```cpp
 * // part.inl, which `shop.cpp` includes behind `struct Item`
 * double price(const Item &item);   // `Item` is unknown here
 * #define LIMIT 10
 * ```
 *
 * Adds what the syntax tree has. Definitions in code that is not compiled stay out. Covered by the tests of parts of files
 * and of macros in `test/languages/cpp/cpp.test.ts`.
 */
const withUnreported: NonNullable<Quirks['completeSymbols']> = async (symbols, text, problems) => {
  const errors = problems.filter(({ severity }) => severity === 1);
  if (foreign.test(text) || (errors.length === 0 && !directive.test(text))) return symbols;
  const reported = flat(symbols).map(({ selectionRange }) => selectionRange.start);
  const starts = lineStarts(text);
  const isMacro = ({ range: { start } }: PlainSymbol) => text[(starts[start.line] ?? 0) + start.character] === '#';
  const isMissing = (symbol: PlainSymbol) =>
    !reported.some((start) => contains(symbol.selectionRange, start)) &&
    (isMacro(symbol) || errors.some((error) => explains(error, symbol.range)));
  return merged(symbols, (await definitionsIn('cpp', text)) ?? [], isMissing);
};

function explains({ code, range }: Diagnostic, definition: Range): boolean {
  return lastError.test(String(code)) || contains(definition, range.start);
}

function merged(
  symbols: readonly PlainSymbol[],
  defined: readonly PlainSymbol[],
  isMissing: (symbol: PlainSymbol) => boolean,
): PlainSymbol[] {
  const complete = symbols.map((symbol) => {
    const same = defined.find(({ selectionRange }) => contains(selectionRange, symbol.selectionRange.start));
    return same ? { ...symbol, children: merged(symbol.children, same.children, isMissing) } : symbol;
  });
  const all = [...complete, ...defined.filter(isMissing)];
  return all.sort((a, b) => comparePositions(a.range.start, b.range.start));
}

/** LSP's `String`, which clangd uses for the expansion of a macro, and for nothing else. */
const expansionKind = 15;

/**
 * clangd nests what the expansion of a macro declares in a symbol for the macro, which is no declaration.
 *
 * clangd treats the `main` functions of all programs of a project as one symbol and would rename them together.
 */
export const clangdQuirks: Quirks = {
  prepare: ({ root, cache }) => ({ compilation_database: correctedDatabase(root, cache) }),
  completeSymbols: async (symbols, text, problems) =>
    withTemplateHeaders(await withUnreported(symbols, text, problems), text),
  adjustSymbols: withoutExpansions,
  rename: (server, request, limits) => {
    if (isMain(server.documents.textOf(request.file), request.range.start)) throw mainRefused();
    return renameInProgram(server, request, limits);
  },
  implementations: derivedImplementations,
  hasSeparateDefinitions: true,
  leavesImports: true,
  readsHeadersOnDisk: true,
  editCommands: ['clangd.applyTweak', 'clangd.applyFix', 'clangd.applyRename'],
  formatterConfig: ['.clang-format', '_clang-format'],
  renamesIncompletely: true,
  publishing: {
    // Publishes after each change, once all headers are parsed.
    timeoutMs: 60_000,
    // Of a changed text, and with `forceRebuild`, clangd may first publish what it finds with the former headers.
    checksWhenOpened: true,
  },
  errorLimit: { code: 'fatal_too_many_errors', count: 20 },
};

export const clangdAdapter: ServerAdapter = {
  otherPrograms,
  isDependentName,
  diagnosticsGapOf: templateGap,
  includes: { directive: /^[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]/gm, errorMark: /^In included file: / },
};

/** A macro that opens a namespace would be the first part of each name path in the file. */
function withoutExpansions(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  return symbols.flatMap((symbol) => {
    const children = withoutExpansions(symbol.children);
    return symbol.kind === expansionKind && children.length > 0 ? children : [{ ...symbol, children }];
  });
}

/** Matches the refusal for a file whose text differs from what clangd has indexed, with its absolute path. */
const staleIndex = /Index results don't match the content of file (.+?) \(the index may be stale\)/;
/** Files that are opened for one rename. */
const maxOpened = 20;

const renameInProgram: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await renameIndexed(server, request, limits);
  const others = await otherPrograms(server, request, limits);
  return steps.filter(({ file }) => !others.has(file));
};

/** Requests a rename, after files were opened whose text has changed since clangd indexed them: it then reads them. */
async function renameIndexed(
  server: LanguageServer,
  request: RenameRequest,
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  const opened = new Set<string>();
  for (;;) {
    try {
      return await requestRename(server, request, limits);
    } catch (error) {
      const path = isExpected(error, 'server.refused') ? staleIndex.exec(error.message)?.[1] : undefined;
      if (path === undefined || opened.has(path) || opened.size === maxOpened) throw error;
      opened.add(path);
      server.documents.sync(path);
      await server.documents.published.settled(
        server.files.fileAt(path),
        limits.signal ?? new AbortController().signal,
      );
    }
  }
}

function isMain(text: string, { line, character }: RenameRequest['range']['start']): boolean {
  return /^main(?!\w)/.test(text.split(/\r\n|\n|\r/)[line]?.slice(character) ?? '');
}

function mainRefused(): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    'clangd would rename every `main` of the project, including those of other programs',
    {
      hints: ['edit the definition of this `main` as text'],
    },
  );
}

const databaseName = 'compile_commands.json';
/** Relative paths at which clangd looks for a project's database, in this order. */
const databasePaths = [databaseName, join('build', databaseName)];
/** Larger databases exist in real projects (some 100 MB); clangd needs a minute for those. */
const maxDatabaseBytes = 64 * 1024 * 1024;
/** A quick test: parsing the database takes seconds in large projects, whose directories are absolute. */
const relativeDirectory = /"directory"\s*:\s*"(?!\/|\\\\|[A-Za-z]:)/;

/** The key and the value. In a command, which is a string, the quotes are escaped. */
const anyDirectory = /((?<!\\)"directory"\s*:\s*)("(?:[^"\\\n]|\\.)*")/g;

/**
 * clangd 22.1 resolves relative directories of a compilation database against its own working directory:
 *
 * ```json
 * [{ "directory": "build", "command": "c++ -I../include -c ../shop.cpp", "file": "../shop.cpp" }]
 * ```
 *
 * Then it finds no command for a file, and borrows that of a similar name. Returns the directory of a corrected copy;
 * `undefined` if the project needs none. Covered by the tests of relative directories in `test/languages/cpp/cpp.test.ts`.
 */
function correctedDatabase(root: string, cache: string): string | undefined {
  for (const candidate of databasePaths) {
    const path = join(root, candidate);
    try {
      const text = readInside(root, path);
      if (text === undefined) continue;
      if (!relativeDirectory.test(text)) return undefined;
      // Not parsed: that takes up to a hundred times as much memory as the text.
      const corrected = text.replace(anyDirectory, (whole, key: string, value: string) => {
        const directory: string = JSON.parse(value);
        return isAbsolute(directory) ? whole : `${key}${JSON.stringify(resolve(dirname(path), directory))}`;
      });
      writeTextAtomically(join(cache, databaseName), corrected);
      return cache;
    } catch (error) {
      log('servers').warn(`cannot correct \`${path}\` for clangd: ${messageOf(error)}`);
      return undefined;
    }
  }
  return undefined;
}

/**
 * Returns the text of a file of the project, `undefined` if there is none. The project may be hostile.
 *
 * @throws {Error} for a file outside the project, for one that is not regular, or that is too large.
 */
function readInside(root: string, path: string): string | undefined {
  const real = realPathIfExists(path);
  if (real === undefined) return undefined;
  if (relativeWithin(realpathSync(root), real) === undefined) throw new Error('it is outside the project');
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > maxDatabaseBytes) throw new Error(`it has ${stats.size} bytes, more than ${maxDatabaseBytes}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
