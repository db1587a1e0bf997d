import { dirname } from 'node:path/posix';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { extensionIn } from '../../base/paths.ts';
import type { ScannedFile } from '../../search/scan-protocol.ts';
import { fileNode } from '../model/at-position.ts';
import { inFlightPerServer, isServerFailure } from '../model/file-symbols.ts';
import { acceptsKind, kinds as allKinds, type KindFilter } from '../model/kinds.ts';
import {
  literalOf,
  matchesPattern,
  matchingNodes,
  type NamePathPattern,
  withParameterCount,
} from '../model/name-path.ts';
import { resolveRoot, type SearchRoot, type SymbolScope, treeIn } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { reportUnseen } from '../prepare-servers/not-analyzed.ts';

/**
 * Returns the matching symbols below a file or directory, sorted by path and position.
 *
 * Searches only files whose text contains the pattern's last name, and asks their servers concurrently. Files that
 * could not be searched become a gap.
 *
 * @throws {ExpectedError} the first failure, if nothing was found and some files could not be searched.
 */
export async function findSymbols(
  scope: SymbolScope,
  pattern: NamePathPattern,
  options: SearchOptions,
): Promise<SymbolNode[]> {
  const found = await findMatching(scope, pattern, options);
  // The last part may also be the name of an element of a list.
  const counted = found.length === 0 ? withParameterCount(pattern) : undefined;
  return counted === undefined ? found : await findMatching(scope, counted, options);
}

interface SearchOptions {
  readonly root: SearchRoot;
  readonly kinds: KindFilter;
}

async function findMatching(
  scope: SymbolScope,
  pattern: NamePathPattern,
  { root, kinds }: SearchOptions,
): Promise<SymbolNode[]> {
  const matching = (nodes: readonly SymbolNode[], file: string) => {
    reportUnseen(scope, { file, tree: nodes, pattern });
    return matchingNodes(nodes, pattern).filter(({ kind }) => acceptsKind(kinds, kind));
  };
  if (root.isFile) return matching(await treeIn(scope, root.path), root.path);
  const { claimed, unclaimed } = await candidates(scope, pattern, root);
  const results = await Promise.all(claimed.map((own) => searchFiles(scope, own, matching)));
  const found = results.flatMap((result) => result.found).sort(byPath);
  if (unclaimed.length > 0) scope.gaps.push(unclaimedGap(unclaimed));
  const failures = results.flatMap((result) => result.failures);
  if (found.length === 0 && failures[0]) throw failures[0].error;
  scope.gaps.push(...failures.map(failureGap));
  return found;
}

/** Compares by path. The sort is stable, so symbols of one file keep their order. */
function byPath(a: SymbolNode, b: SymbolNode): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}

async function candidates(scope: SymbolScope, pattern: NamePathPattern, root: SearchRoot) {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const walk = {
    under: root.path,
    extensions: [...sources.extensions, ...Object.keys(sources.unclaimedLanguages)],
    pruneDirectories: sources.prunedDirectories,
  };
  const name = literalOf(pattern);
  const mayBeInvented = sources.servers.some(({ spec }) =>
    (spec.quirks?.syntheticNames ?? []).some((invented) => invented.includes(name) || name.includes(invented)),
  );
  const files = mayBeInvented
    ? await scanner.listFiles(walk, scope.call.signal)
    : await scanner.filesContaining({ ...walk, literal: name }, scope.call.signal);
  const byServer = Map.groupBy(files, ({ path }) => sources.serverOf(path));
  const claimed = [...byServer].flatMap(([server, own]) => (server ? [own] : []));
  const others = (byServer.get(undefined) ?? []).map(({ path }) => path);
  return { claimed, unclaimed: mayBeInvented ? [] : await mayDefine(scope, pattern, others) };
}

/** Filters files without an active server: returns those in whose code the name occurs. */
async function mayDefine(scope: SymbolScope, pattern: NamePathPattern, others: readonly string[]): Promise<string[]> {
  const languages = scope.files.sources.unclaimedLanguages;
  const extensions = Object.keys(languages);
  const paths = others.filter((path) => extensionIn(path, extensions) !== undefined);
  if (paths.length === 0) return [];
  const query = { name: literalOf(pattern), isPart: pattern.isSubstring, languages, paths };
  const { files } = await scope.files.project.scanner.identifiers(query, scope.call.signal);
  return files.map(({ path }) => path);
}

interface Failure {
  readonly error: ExpectedError;
  readonly files: readonly string[];
}

async function searchFiles(
  scope: SymbolScope,
  files: readonly ScannedFile[],
  matching: (nodes: readonly SymbolNode[], file: string) => SymbolNode[],
): Promise<{ found: SymbolNode[]; failures: Failure[] }> {
  const failures = new Map<string, { error: ExpectedError; files: string[] }>();
  const fail = (error: ExpectedError, file: string) => {
    const known = failures.get(error.message);
    if (known) known.files.push(file);
    else failures.set(error.message, { error, files: [file] });
  };
  let serverFailure: ExpectedError | undefined;
  const found = await mapConcurrently(files, inFlightPerServer, async ({ path, fingerprint }) => {
    try {
      // A failed server would fail for the next file too, perhaps after another long wait.
      if (serverFailure) throw serverFailure;
      return matching(await treeIn(scope, path, { fingerprint }), path);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      if (isServerFailure(error)) serverFailure = error;
      // The file was deleted since the walk.
      if (error.code !== 'file.not-found') fail(error, path);
      return [];
    }
  });
  return { found: found.flat(), failures: [...failures.values()] };
}

function failureGap({ error, files }: Failure): Gap {
  return {
    missing: `${namedFiles(files)} ${files.length === 1 ? 'was' : 'were'} not searched`,
    reason: messageOf(error),
    next: error.hints[0] ?? 'Call `search_for_pattern` on these files',
  };
}

function unclaimedGap(files: readonly string[]): Gap {
  return {
    missing: `Definitions in ${namedFiles(files)} may be missing`,
    reason: 'the name occurs there, but no language server is active for this type of file',
    next: 'Call `search_for_pattern` on these files',
  };
}

const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * Returns the files and packages (directories with source files) that match, sorted by path. Returns none unless
 * `kinds` includes them explicitly: otherwise every module would be listed besides symbols of the same name.
 */
export async function findFilesAndPackages(
  scope: SymbolScope,
  pattern: NamePathPattern,
  options: { root: SearchRoot; kinds: KindFilter },
): Promise<SymbolNode[]> {
  const included = options.kinds.include.filter((kind) => kind === allKinds.file || kind === allKinds.package);
  if (included.length === 0 || options.root.isFile) return [];
  const { project, sources } = scope.files;
  const walk = {
    under: options.root.path,
    extensions: sources.extensions,
    pruneDirectories: sources.prunedDirectories,
  };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  const packages = new Map<string, SymbolNode>();
  const rootPackage = packageNode(project.root.split(/[\\/]/).at(-1) ?? '', '', undefined);
  packages.set('', rootPackage);
  const found: SymbolNode[] = [];
  const consider = (node: SymbolNode) => {
    if (acceptsKind(options.kinds, node.kind) && matchesPattern(pattern, node)) found.push(node);
  };
  consider(rootPackage);
  for (const { path } of files) {
    const directories = path.split('/').slice(0, -1);
    let parent = rootPackage;
    for (const [depth, name] of directories.entries()) {
      const directory = directories.slice(0, depth + 1).join('/');
      const known = packages.get(directory);
      parent = known ?? packageNode(name, directory, parent);
      if (!known) {
        packages.set(directory, parent);
        consider(parent);
      }
    }
    const node = fileNode(path, 0, parent);
    if (acceptsKind(options.kinds, node.kind) && matchesPattern(pattern, node)) {
      found.push(fileNode(path, scope.files.textOf(path).starts.length, parent));
    }
  }
  return found;
}

function packageNode(name: string, directory: string, parent: SymbolNode | undefined): SymbolNode {
  return {
    name,
    kind: allKinds.package,
    range: nowhere,
    selectionRange: nowhere,
    file: directory,
    overloadIndex: undefined,
    parent,
    children: [],
  };
}

/** The source files of a directory: paths of those directly in it, and their number by subdirectory. */
export interface DirectorySources {
  readonly files: readonly string[];
  readonly below: Readonly<Record<string, number>>;
}

/**
 * Returns the source files of a directory that are not ignored, sorted by path; `undefined` for a file.
 *
 * @throws {ExpectedError} `file.*`.
 */
export async function directorySources(
  scope: SymbolScope,
  relativePath: string,
): Promise<DirectorySources | undefined> {
  const { path, isFile } = await resolveRoot(scope, relativePath);
  if (isFile) return undefined;
  const claimed = await sourcesUnder(scope, path);
  const isDirect = (file: string) => dirname(file) === (path === '' ? '.' : path);
  const prefix = path === '' ? '' : `${path}/`;
  const below = new Map<string, number>();
  for (const file of claimed) {
    if (isDirect(file)) continue;
    const directory = file.slice(0, file.indexOf('/', prefix.length));
    below.set(directory, (below.get(directory) ?? 0) + 1);
  }
  return { files: claimed.filter(isDirect).sort(), below: Object.fromEntries(below) };
}

/**
 * Returns a file, or the source files of a directory and those below it that are not ignored, sorted by path.
 *
 * @throws {ExpectedError} `file.*`.
 */
export async function sourceFilesBelow(scope: SymbolScope, relativePath: string): Promise<string[]> {
  const { path, isFile } = await resolveRoot(scope, relativePath);
  return isFile ? [path] : (await sourcesUnder(scope, path)).sort();
}

async function sourcesUnder(scope: SymbolScope, under: string): Promise<string[]> {
  const { project, sources } = scope.files;
  const walk = { under, extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
  const found = await project.scanner.listFiles(walk, scope.call.signal);
  return found.map((file) => file.path).filter((file) => sources.serverOf(file) !== undefined);
}
