import { extname } from 'node:path/posix';
import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Lookup } from '../../project/dependencies/dependencies.ts';
import type { Place } from '../../text/place.ts';
import { fileNode, symbolAround, symbolAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { acceptsKind, type KindFilter } from '../model/kinds.ts';
import { literalOf, matchesPattern, type NamePathPattern } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import type { SyntaxTree } from '../model/tree.ts';

/** A parser takes a few milliseconds for a file; a name in more files is too common for one answer. */
const maxParsedFiles = 400;

/**
 * Returns the symbols of a file of a dependency, according to its syntax tree.
 *
 * @throws {ExpectedError} `file.*`; `file.not-source` for a file that cannot be parsed.
 */
export async function dependencyTree(scope: SymbolScope, address: string): Promise<readonly SymbolNode[]> {
  const { nodes, hasError } = await parsedTree(scope, address);
  if (hasError) reportSyntaxErrors(scope, [address]);
  return nodes;
}

async function parsedTree({ files, parsedBecause, call }: SymbolScope, address: string): Promise<SyntaxTree> {
  await files.project.dependencies.locate(address, call.signal);
  const text = files.textOf(address);
  const language = parsedLanguageOf(files.sources, address);
  if (language === undefined) {
    throw new ExpectedError('file.not-source', `cannot parse \`${address}\`: its extension belongs to no language`, {
      hints: ['call `read_file` with this address'],
    });
  }
  parsedBecause.add('no language server is asked about files of dependencies');
  return await files.parsed.treeOf(address, text, language);
}

function reportSyntaxErrors({ gaps }: SymbolScope, addresses: readonly string[]): void {
  gaps.push({
    missing: `Definitions in ${namedFiles(addresses)} may be missing`,
    reason: 'the syntax has errors, or the parser does not support all of it',
    next: 'Read the file',
  });
}

/**
 * Returns the matching symbols of the libraries that the project uses, sorted by path and position in each root. `within`
 * is the address of a file or directory. Gaps name the libraries that could not be searched.
 *
 * @throws {ExpectedError} `file.*` for `within`.
 */
export async function findInDependencies(
  scope: SymbolScope,
  pattern: NamePathPattern,
  { within, kinds }: { within?: string | undefined; kinds: KindFilter },
): Promise<SymbolNode[]> {
  const matching = (nodes: readonly SymbolNode[]) =>
    preOrder(nodes).filter((node) => matchesPattern(pattern, node) && acceptsKind(kinds, node.kind));
  const { dependencies } = scope.files.project;
  const isFile = within !== undefined && (await dependencies.isFile(within, scope.call.signal));
  if (isFile) return matching(await dependencyTree(scope, within));
  const searched = await candidates(scope, literalOf(pattern), within);
  const unread: string[] = [];
  const withErrors: string[] = [];
  const found = await mapConcurrently(searched, inFlightPerServer, async (address) => {
    scope.call.signal.throwIfAborted();
    try {
      const { nodes, hasError } = await parsedTree(scope, address);
      if (hasError) withErrors.push(address);
      return matching(nodes);
    } catch (error) {
      if (!isExpected(error)) throw error;
      unread.push(address);
      return [];
    }
  });
  if (withErrors.length > 0) reportSyntaxErrors(scope, withErrors.sort());
  if (unread.length > 0) {
    const missing = `Symbols in ${namedFiles(unread.sort())} may be missing`;
    scope.gaps.push({ missing, reason: 'the files could not be read as UTF-8', next: 'Read the files' });
  }
  return found.flat();
}

async function candidates(scope: SymbolScope, literal: string, within: string | undefined): Promise<readonly string[]> {
  const { project } = scope.files;
  const extensions = within === undefined ? await usedExtensions(scope) : [];
  reportOtherLanguages(scope, extensions);
  const { files, gaps } = await project.dependencies.filesContaining(
    { literal, within, extensions },
    scope.call.signal,
  );
  scope.gaps.push(...gaps);
  const searched = files.slice(0, maxParsedFiles);
  if (searched.length < files.length) {
    scope.gaps.push({
      missing: `Symbols in ${counted(files.length - searched.length, 'file')} of dependencies may be missing`,
      reason: `the name occurs in ${files.length} files, and only the first ${maxParsedFiles} were searched`,
      next: 'Pass the address of a package as `relative_path`',
    });
  }
  return searched;
}

/** Returns the extensions of the project's source files, with those of no server. */
async function usedExtensions({ files: { project, sources }, call }: SymbolScope): Promise<readonly string[]> {
  const extensions = [...new Set([...sources.extensions, ...Object.keys(sources.catalog.codeLanguages)])];
  const walk = { extensions, pruneDirectories: sources.prunedDirectories };
  const files = await project.scanner.listFiles(walk, call.signal);
  return [...new Set(files.map(({ path }) => extname(path)))];
}

/** Reports the languages of the project whose libraries are not located at all. */
function reportOtherLanguages({ files, gaps }: SymbolScope, extensions: readonly string[]): void {
  const others = extensions
    .filter((extension) => !files.project.dependencies.extensions.includes(extension))
    .map((extension) => files.sources.catalog.codeLanguages[extension])
    .filter((language) => language !== undefined && language !== 'shellscript')
    .map((language) => `\`${language}\``);
  if (others.length === 0) return;
  gaps.push({
    missing: `Symbols of libraries in ${[...new Set(others)].sort().join(', ')} are missing`,
    reason: 'libraries are found only for Python, Node.js, Go, Rust and Java',
    next: 'Search the project for uses of the library with `search_for_pattern`',
  });
}

/** Returns the symbol at the first location that is in a dependency; `undefined` if none is. */
export async function dependencySymbol(
  scope: SymbolScope,
  locations: readonly Place[],
): Promise<SymbolNode | undefined> {
  for (const { file, range } of locations) {
    const path = scope.files.absolute(file);
    const address = await scope.files.project.dependencies.addressOf(path, lookupOf(scope));
    if (address === undefined) continue;
    const tree = await dependencyTree(scope, address);
    const found = symbolAround(tree, range.start) ?? symbolAt(tree, range.start);
    return found ?? fileNode(address, scope.files.textOf(address).starts.length);
  }
  return undefined;
}

/** A definition in an archive of a library: the only symbol that can be meant, if the name decides, and its file. */
export interface ArchivedDefinition {
  readonly address: string;
  readonly symbol: SymbolNode | undefined;
}

/** Returns what the URI of a definition in an archive means; `undefined` if its source is not in a dependency. */
export async function archivedDefinition(
  scope: SymbolScope,
  source: { container: string; path: string },
  name: string,
): Promise<ArchivedDefinition | undefined> {
  const address = await scope.files.project.dependencies.addressInArchive(source, lookupOf(scope));
  if (address === undefined) return undefined;
  const named = preOrder(await dependencyTree(scope, address)).filter((node) => node.name === name);
  // A constructor has the name of its type, which is the better answer if there are several.
  const types = named.filter(({ parent }) => parent?.name !== name);
  const [symbol, ...others] = named.length === 1 ? named : types;
  return { address, symbol: others.length === 0 ? symbol : undefined };
}

function lookupOf({ call, gaps }: SymbolScope): Lookup {
  return { signal: call.signal, gaps };
}
