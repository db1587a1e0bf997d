import type { Gap } from '../base/gap.ts';
import type { Edits } from '../edits/edits.ts';
import { parseDependencyAddress } from '../search/dependency-address.ts';
import type { SourceFiles } from '../servers/assignment/source-files.ts';
import type { ServerSpec } from '../servers/spec.ts';
import { syntaxTrees } from '../syntax/syntax-trees.ts';
import type { ChangedText } from '../text/diff.ts';
import type { Place } from '../text/place.ts';
import type { TextLines } from '../text/text-lines.ts';
import { changeSignature } from './edits/change-signature.ts';
import { applyAction, listActions, runServerCommand } from './edits/code-actions.ts';
import type { EditReporting } from './edits/compare-edit.ts';
import { insertAfter, insertBefore, replaceBody } from './edits/edit.ts';
import { type EditCheck, EditProblems, type EditScope, type Preview } from './edits/edit-problems.ts';
import type { SymbolAddress } from './edits/edited-symbol.ts';
import { findUnused, type UnusedSymbols } from './edits/find-unused.ts';
import { formatCode } from './edits/format-code.ts';
import { moveSymbol } from './edits/move-symbol.ts';
import { renameFile } from './edits/rename-file.ts';
import { renameSymbols } from './edits/rename-symbols.ts';
import { rewriteStructure } from './edits/rewrite-structure.ts';
import { safeDelete } from './edits/safe-delete.ts';
import { isUnavailable } from './model/file-symbols.ts';
import type { KindFilter } from './model/kinds.ts';
import { parsePattern } from './model/name-path.ts';
import { requireFile, resolveRoot, type SymbolScope, treeIn } from './model/scope.ts';
import type { SymbolNode } from './model/symbol.ts';
import { hasServerRanges, parsedLanguageOf } from './model/syntax-language.ts';
import { bodyOf } from './model/text-range.ts';
import { type SymbolSource, TreeProvider } from './model/tree-provider.ts';
import { reportUnseen } from './prepare-servers/not-analyzed.ts';
import { affectedFiles } from './queries/affected-files.ts';
import { findChangedSymbols } from './queries/changed-symbols.ts';
import { findDeclaration, findTypes, namedDeclaration } from './queries/declaration.ts';
import { dependencyTree, findInDependencies } from './queries/dependency-symbols.ts';
import {
  fileDiagnostics,
  type OwnedDiagnostic,
  ownedDiagnostics,
  symbolDiagnostics,
  withOwners,
} from './queries/diagnostics.ts';
import {
  type DirectorySources,
  directorySources,
  findFilesAndPackages,
  findSymbols,
  sourceFilesBelow,
} from './queries/find.ts';
import { forwardRequest, symbolsMeantAt, withUnsavedTexts } from './queries/forward.ts';
import { findHierarchy } from './queries/hierarchy.ts';
import { findImplementations } from './queries/implementations.ts';
import { importedImplementations } from './queries/imported-implementations.ts';
import { importedReferences } from './queries/imported-references.ts';
import { hoverInfo } from './queries/info.ts';
import { type NamedReferences, namedReferences } from './queries/named-references.ts';
import { type NamedSymbols, namedSymbols } from './queries/named-symbols.ts';
import { findNeighborhood, libraryNeighborhood, type Neighborhood } from './queries/neighborhood.ts';
import { findNear, orEmpty, uniqueInLibraries, uniqueSymbol } from './queries/one-symbol.ts';
import { findPaths } from './queries/paths.ts';
import {
  type ExplainedOccurrence,
  explainReferences,
  findReferences,
  type Reference,
  referencePlaces,
} from './queries/references.ts';
import { findStructure } from './queries/structure.ts';
import { verifyChanges } from './queries/verify-changes.ts';
import { findWhatIf, type Reached, type WhatIf } from './queries/what-if.ts';

/** The references to a symbol that a language server reports, or matches of its name. */
export type References = { readonly references: readonly Reference[] } | NamedReferences;

/** The parts of a tool call that its symbol queries need. */
export interface SymbolsOptions extends Omit<SymbolScope, 'gaps' | 'trees' | 'parsedBecause' | 'indexesUsed'> {
  /** What answers where a syntax tree can; see {@link TreeProvider}. */
  readonly source: SymbolSource;
  readonly reportsEdits?: EditReporting;
  /** True if overviews and searches do not wait at all for a server that is not ready. */
  readonly isHasty?: boolean | undefined;
}

/**
 * The symbol queries and edits of one tool call. `gaps` collects what its answers do not cover.
 *
 * Paths are project-relative with `/`; lines are 0-based and columns UTF-16.
 */
export class Symbols {
  readonly #scope: EditScope;
  readonly #source: SymbolSource;
  /** Scope of the questions that a syntax tree can answer. */
  readonly #reading: SymbolScope & { readonly trees: TreeProvider };
  /** Scope of the questions that wait for a server, and that a syntax tree answers where none can be had. */
  readonly #waiting: SymbolScope & { readonly trees: TreeProvider };
  /** Likewise, of edits: only in languages whose syntax trees have the server's ranges. */
  readonly #editing: EditScope & { readonly trees: TreeProvider };

  // Questions and edits as their own modules document them. Files at positions are from `source()`.
  readonly unique = this.#on(uniqueSymbol);
  readonly uniqueInLibraries = this.#on(uniqueInLibraries);
  readonly meantAt = this.#on(symbolsMeantAt);
  readonly declaration = this.#on(findDeclaration);
  readonly typesAt = this.#on(findTypes);
  readonly namedDeclaration = this.#on(namedDeclaration);

  readonly explained = this.#on(explainReferences);
  readonly hierarchy = this.#on(findHierarchy);
  readonly paths = this.#on(findPaths);
  readonly structure = this.#on(findStructure);

  readonly changes = this.#on(findChangedSymbols);
  readonly affectedFiles = this.#on(affectedFiles);
  readonly verifyChanges = this.#on(verifyChanges);

  readonly problemsOf = this.#on(fileDiagnostics);
  readonly diagnosticsOfSymbols = this.#on(symbolDiagnostics);
  readonly withOwners = this.#on(withOwners);
  readonly forward = this.#on(forwardRequest);

  readonly rename = this.#on(renameSymbols);
  readonly renameFile = this.#on(renameFile);
  readonly move = this.#on(moveSymbol);
  readonly rewriteStructure = this.#on(rewriteStructure);
  readonly formatCode = this.#on(formatCode);
  readonly changeSignature = this.#on(changeSignature);
  readonly safeDelete = this.#on(safeDelete);
  readonly codeActions = this.#on(listActions);
  readonly applyAction = this.#on(applyAction);
  readonly runCommand = this.#on(runServerCommand);

  readonly replaceBody = this.#onEdited(replaceBody);
  readonly insertAfter = this.#onEdited(insertAfter);
  readonly insertBefore = this.#onEdited(insertBefore);

  /** `reportsEdits` is whether the problems of every edited file are compared; see {@link Symbols.editProblems}. */
  constructor({ files, call, adapters, source, reportsEdits = false, isHasty = false }: SymbolsOptions) {
    const scope = { files, call, adapters, gaps: [], parsedBecause: new Set<string>(), indexesUsed: new Set<string>() };
    this.#source = source;
    this.#scope = { ...scope, problems: new EditProblems(scope, reportsEdits), notes: new Set() };
    this.#reading = { ...scope, trees: new TreeProvider(scope, { source, isHasty }) };
    this.#waiting = { ...scope, trees: new TreeProvider(scope, { source, isPatient: true }) };
    const trees = new TreeProvider(scope, { source, isPatient: true, accepts: hasServerRanges });
    this.#editing = { ...this.#scope, trees };
  }

  /** Starts what a first answer needs whatever the project: the thread that parses. Returns at once. */
  static prepare(source: SymbolSource): void {
    if (source !== 'server') syntaxTrees.start();
  }

  /** New problems of the files that the call edits. The call's commits must run `editProblems.around`. */
  get editProblems(): EditProblems {
    return this.#scope.problems;
  }

  /** Notes about the edits so far, for the caller. */
  get editNotes(): readonly string[] {
    return [...this.#scope.problems.notes, ...this.#scope.notes];
  }

  /** Returns the problems that planned changes would cause; see {@link EditProblems.preview}. */
  preview(changes: readonly ChangedText[]): Promise<Preview> {
    return this.editProblems.preview(changes);
  }

  /** Returns the problems of a part of planned changes, which are not made; see {@link EditProblems.previewPart}. */
  previewPart(changes: readonly ChangedText[]): Promise<Preview> {
    return this.editProblems.previewPart(changes);
  }

  /** The assignment of the project's files to language servers. */
  get sources(): SourceFiles {
    return this.#scope.files.sources;
  }

  /** What answered in place of language servers so far, and why. */
  get sourcesBesidesServers(): readonly string[] {
    const reasons = this.#providers.flatMap((trees) => trees.reasons);
    const parsed = [...new Set([...reasons, ...this.#scope.parsedBecause])].map((reason) => `syntax tree (${reason})`);
    return [...parsed, ...this.#scope.indexesUsed];
  }

  /** Gaps of all answers so far. */
  get gaps(): readonly Gap[] {
    return [...this.#scope.gaps, ...this.#providers.flatMap((trees) => trees.gaps)];
  }

  get #providers(): readonly TreeProvider[] {
    return [this.#reading, this.#waiting, this.#editing].map(({ trees }) => trees);
  }

  /**
   * Returns the top-level symbols of a file with all their descendants.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes;
   *   `server.*`.
   */
  async overview(relativePath: string): Promise<readonly SymbolNode[]> {
    if (parseDependencyAddress(relativePath)) return await dependencyTree(this.#reading, relativePath);
    const root = await resolveRoot(this.#reading, relativePath);
    requireFile(root);
    const tree = await treeIn(this.#reading, root.path);
    reportUnseen(this.#reading, { file: root.path, tree });
    return tree;
  }

  /**
   * Returns the symbols that an overview of a file shows, with all their descendants; see {@link overviewOf}.
   *
   * @throws {ExpectedError} errors of {@link overview}.
   */
  async outline(relativePath: string): Promise<readonly SymbolNode[]> {
    const roots = await this.overview(relativePath);
    const file = roots[0]?.file;
    if (file === undefined || parseDependencyAddress(file)) return roots;
    return overviewOf(roots, this.#scope.files.sources.requireServer(file).spec);
  }

  /** Returns the source files of a directory; `undefined` for a file. See {@link directorySources}. */
  async sourcesIn(relativePath: string): Promise<DirectorySources | undefined> {
    if (parseDependencyAddress(relativePath)) return undefined;
    return await directorySources(this.#reading, relativePath);
  }

  /**
   * Returns the symbols that match a name path pattern below `within`, sorted by path and position. Files and packages
   * are included only if `kinds` lists their numbers. Those of dependencies follow if they are requested, or alone if
   * `within` is the address of one.
   *
   * @throws {ExpectedError} `symbol.bad-pattern`, `file.*`; `server.*` if nothing was found and a server failed.
   */
  async find(
    namePathPattern: string,
    options: { within: string; isSubstring: boolean; kinds: KindFilter; inDependencies?: boolean },
  ): Promise<SymbolNode[]> {
    const pattern = parsePattern(namePathPattern, options);
    const { kinds, within, inDependencies = false } = options;
    const address = parseDependencyAddress(within) ? within : undefined;
    if (address !== undefined) return await findInDependencies(this.#reading, pattern, { within: address, kinds });
    const root = await resolveRoot(this.#scope, within);
    const filesAndPackages = await findFilesAndPackages(this.#scope, pattern, { root, kinds });
    const found = await findSymbols(this.#reading, pattern, { root, kinds });
    const libraries = inDependencies ? await findInDependencies(this.#reading, pattern, { kinds }) : [];
    return [...filesAndPackages, ...found, ...libraries];
  }

  /** Returns the symbols of a name as far as they are known at once; see {@link namedSymbols}. */
  named(name: string, limitMs: number): Promise<NamedSymbols | undefined> {
    const trees = new TreeProvider(this.#scope, { source: this.#source, isPassive: true });
    return namedSymbols(this.#scope, trees, { name, limitMs });
  }

  /**
   * Suggests symbols below `within` for a pattern without a match; see {@link findNear}. Leaves no gaps: the answer to
   * the pattern itself already has them.
   */
  near(pattern: string, within: string): Promise<SymbolNode[]> {
    return orEmpty(this.#reading, async () => {
      const root = await resolveRoot(this.#reading, within);
      return await findNear(this.#reading, { pattern, root });
    });
  }

  /**
   * Returns the references to the only symbol that a name path matches. Where no language server can be had, they are those
   * of an imported index, or else matches of the name; see {@link findReferences}, {@link importedReferences} and {@link
   * namedReferences}.
   */
  async referencesTo(address: SymbolAddress, kinds: KindFilter): Promise<References> {
    const { trees, call } = this.#waiting;
    const target = await uniqueSymbol(this.#waiting, address.namePath, address.relativePath);
    if (trees.parsedTextOf(target.file) === undefined) {
      try {
        return { references: await this.references(target, kinds) };
      } catch (error) {
        call.signal.throwIfAborted();
        if (!trees.replaces(target.file, error)) throw error;
      }
    }
    const imported = await importedReferences(this.#waiting, target, { kinds });
    return imported ?? (await namedReferences(this.#waiting, target, { kinds }));
  }

  /** Returns the references to a symbol; see {@link findReferences}. */
  references(symbol: SymbolNode, kinds: KindFilter): Promise<Reference[]> {
    return findReferences(this.#scope, symbol, { kinds });
  }

  /** Returns the places of the references to a symbol that {@link meantAt} has returned; see {@link referencePlaces}. */
  referencePlaces(symbol: SymbolNode): Promise<Place[]> {
    return referencePlaces({ ...this.#scope, areChangesReported: true }, symbol);
  }

  /** Runs `work` while a language server has unsaved texts; see {@link withUnsavedTexts}. */
  withUnsaved<T>(file: string, texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    return withUnsavedTexts(this.#scope, file, texts, work);
  }

  /** Returns what each occurrence of a symbol's name means, and why; see {@link explainReferences}. */
  async explainedReferences(address: SymbolAddress): Promise<readonly ExplainedOccurrence[]> {
    const target = await uniqueSymbol(this.#waiting, address.namePath, address.relativePath);
    return await explainReferences(this.#scope, target);
  }

  /**
   * Returns the implementations of the only symbol that a name path matches. Where no language server can be had, they are
   * those of an imported index; see {@link findImplementations} and {@link importedImplementations}.
   */
  async implementationsOf({ namePath, relativePath }: SymbolAddress, kinds: KindFilter): Promise<SymbolNode[]> {
    try {
      return await this.implementations(await this.unique(namePath, relativePath), kinds);
    } catch (error) {
      this.#scope.call.signal.throwIfAborted();
      if (!isUnavailable(error)) throw error;
      const target = await uniqueSymbol(this.#waiting, namePath, relativePath);
      const found = await importedImplementations(this.#waiting, target, { kinds });
      if (found === undefined) throw error;
      return found;
    }
  }

  /** Returns the implementations of a symbol; see {@link findImplementations}. */
  implementations(symbol: SymbolNode, kinds: KindFilter): Promise<SymbolNode[]> {
    return findImplementations(this.#scope, symbol, { kinds });
  }

  /** Returns the declarations in a file or directory that nothing uses; see {@link findUnused}. */
  async unused(edits: Edits, relativePath: string): Promise<UnusedSymbols> {
    return await findUnused(this.#scope, edits, await sourceFilesBelow(this.#scope, relativePath));
  }

  /** Returns what is around a symbol; see {@link findNeighborhood} and {@link libraryNeighborhood}. */
  neighborhood(symbol: SymbolNode, infoBudgetMs: number): Promise<Neighborhood> {
    if (parseDependencyAddress(symbol.file)) return libraryNeighborhood(this.#waiting, symbol);
    return findNeighborhood(this.#scope, symbol, infoBudgetMs);
  }

  /** Returns what depends on symbols below a path that have not changed; see {@link findWhatIf}. */
  async whatIf(what: WhatIf, within: string): Promise<ReadonlyMap<SymbolNode, Reached>> {
    return await findWhatIf(this.#scope, { what, files: await sourceFilesBelow(this.#scope, within) });
  }

  /**
   * Returns a test for the source files below `within` that can be parsed.
   *
   * @throws {ExpectedError} `file.outside-project`, `file.not-found`, `file.not-source`.
   */
  async acceptsBelow(within: string): Promise<(path: string) => boolean> {
    const { path: root } = await resolveRoot(this.#scope, within);
    const { sources } = this.#scope.files;
    const isBelow = (path: string) => root === '' || path === root || path.startsWith(`${root}/`);
    return (path) =>
      isBelow(path) && sources.serverOf(path) !== undefined && parsedLanguageOf(sources, path) !== undefined;
  }

  /**
   * Returns a source file's path, as the other methods expect it, and its text.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes.
   */
  async source(relativePath: string): Promise<{ readonly file: string; readonly text: TextLines }> {
    const root = await resolveRoot(this.#scope, relativePath);
    requireFile(root);
    return { file: root.path, text: this.#scope.files.textOf(root.path) };
  }

  /**
   * Returns the diagnostics of a file as it is on disk now, each with the symbol that contains it.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes;
   *   `server.*`.
   */
  async diagnosticsOfFile(relativePath: string): Promise<OwnedDiagnostic[]> {
    const root = await resolveRoot(this.#scope, relativePath);
    requireFile(root);
    return ownedDiagnostics(this.#scope, root.path);
  }

  /** Sets which files the call's edits check for new problems; see {@link EditProblems.checkFiles}. */
  checkEdits(check: EditCheck): void {
    this.editProblems.checkFiles(check);
  }

  /** Returns hover texts; see {@link hoverInfo}. */
  info(symbols: readonly SymbolNode[], budgetMs: number): Promise<ReadonlyMap<SymbolNode, string>> {
    const own = symbols.filter(({ file }) => parseDependencyAddress(file) === undefined);
    if (own.length < symbols.length) this.#scope.gaps.push(dependencyInfoGap);
    return hoverInfo(this.#scope, own, budgetMs);
  }

  /** Returns the text of a symbol's body; see {@link bodyOf}. */
  body(symbol: SymbolNode): string {
    return bodyOf(symbol, this.#scope.files.textOf(symbol.file));
  }

  /** Binds a question or an edit to the scope of this call. */
  #on<Args extends unknown[], Result>(work: (scope: EditScope, ...args: Args) => Result): (...args: Args) => Result {
    return (...args) => work(this.#scope, ...args);
  }

  #onEdited<Args extends unknown[], Result>(work: (scope: EditScope, ...args: Args) => Result) {
    return (...args: Args): Result => work(this.#editing, ...args);
  }
}

const dependencyInfoGap: Gap = {
  missing: 'Information about symbols of dependencies is missing',
  reason: 'their files come from syntax trees, not from a language server',
  next: 'Pass `include_body` instead',
};

/**
 * Returns the symbols that an overview of a file shows: the top-level symbols, where meaningless ones are replaced by
 * their children. If nothing remains, returns the top-level symbols unchanged.
 */
function overviewOf(roots: readonly SymbolNode[], { quirks }: ServerSpec): readonly SymbolNode[] {
  if (quirks?.overview === undefined) return roots;
  const { without, kind, isFlat } = quirks.overview;
  const isMeaningful = (node: SymbolNode) => (kind !== undefined && node.kind !== kind) || !without.test(node.name);
  const shown = (nodes: readonly SymbolNode[]): SymbolNode[] =>
    nodes.flatMap((node) => {
      if (!isMeaningful(node)) return node.children.length > 0 || isFlat ? shown(node.children) : [node];
      return isFlat ? [node, ...shown(node.children.filter((child) => child.kind === kind))] : [node];
    });
  const found = shown(roots);
  return found.length > 0 ? found : roots;
}
