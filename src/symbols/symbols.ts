import type { Gap } from '../base/gap.ts';
import type { Edits } from '../edits/edits.ts';
import type { Position } from '../lsp/documents/ranges.ts';
import type { SourceFiles } from '../servers/assignment/source-files.ts';
import type { TextLines } from '../text/text-lines.ts';
import { insertAfter, insertBefore, replaceBody, type SymbolEdit } from './edits/edit.ts';
import { type Renamed, type RenameRequest, renameSymbol } from './edits/rename.ts';
import { type SafeDeletion, safeDelete } from './edits/safe-delete.ts';
import type { SymbolAddress } from './edits/target.ts';
import { bodyOf } from './model/body.ts';
import type { KindFilter } from './model/kinds.ts';
import { parsePattern } from './model/name-path.ts';
import { overviewOf } from './model/overview.ts';
import { requireFile, resolvePlace, type SymbolScope } from './model/scope.ts';
import type { SymbolNode } from './model/symbol.ts';
import { findDeclaration } from './queries/declaration.ts';
import {
  type OwnedDiagnostic,
  ownedDiagnostics,
  type ProblemOptions,
  problemsInTime,
  symbolDiagnostics,
  withOwners,
} from './queries/diagnostics.ts';
import { findSymbols } from './queries/find.ts';
import { findImplementations } from './queries/implementations.ts';
import { hoverInfo } from './queries/info.ts';
import { findNear, orNothing } from './queries/near-names.ts';
import type { FileProblems } from './queries/new-problems.ts';
import { findPlaces } from './queries/places.ts';
import { findReferences, type Reference } from './queries/references.ts';
import { uniqueSymbol } from './queries/unique.ts';
import { noteUnseen } from './sync/not-analyzed.ts';

/**
 * The symbol questions and edits of one tool call. What its answers do not cover collects in `gaps`.
 *
 * Paths are project-relative with `/`; lines are 0-based and columns UTF-16.
 */
export class Symbols {
  readonly #scope: SymbolScope;

  constructor(scope: Omit<SymbolScope, 'gaps'>) {
    this.#scope = { ...scope, gaps: [] };
  }

  /** Which language server each file of the project belongs to. */
  get sources(): SourceFiles {
    return this.#scope.files.sources;
  }

  /** What the answers given so far leave out. */
  get gaps(): readonly Gap[] {
    return this.#scope.gaps;
  }

  /**
   * Returns the top-level symbols of a file with everything below them.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes; `server.*`.
   */
  async overview(relativePath: string): Promise<readonly SymbolNode[]> {
    const place = await resolvePlace(this.#scope, relativePath);
    requireFile(place);
    const tree = await this.#scope.files.treeOf(place.path, this.#scope.call);
    noteUnseen(this.#scope, { file: place.path, tree });
    return tree;
  }

  /**
   * Returns the symbols that stand for a file in an overview, with everything below them; see {@link overviewOf}.
   *
   * @throws {ExpectedError} as {@link overview} does.
   */
  async outline(relativePath: string): Promise<readonly SymbolNode[]> {
    const roots = await this.overview(relativePath);
    const file = roots[0]?.file;
    return file === undefined ? roots : overviewOf(roots, this.#scope.files.sources.requireServer(file).spec);
  }

  /**
   * Returns the symbols that match a name path pattern below `within`, in order of path and of text; files and packages
   * only where `kinds` includes them by number.
   *
   * @throws {ExpectedError} `symbol.bad-pattern`, `file.*`, and `server.*` when nothing was found because of it.
   */
  async find(
    namePathPattern: string,
    options: { within: string; isSubstring: boolean; kinds: KindFilter },
  ): Promise<SymbolNode[]> {
    const pattern = parsePattern(namePathPattern, options);
    const place = await resolvePlace(this.#scope, options.within);
    const places = await findPlaces(this.#scope, pattern, { place, kinds: options.kinds });
    return [...places, ...(await findSymbols(this.#scope, pattern, { place, kinds: options.kinds }))];
  }

  /**
   * Returns symbols below `within` that a pattern which matches none may be meant for; see {@link findNear}. What cannot be
   * searched is left out: the answer to the pattern itself has named it.
   */
  near(pattern: string, within: string): Promise<SymbolNode[]> {
    return orNothing(this.#scope, async () => {
      const place = await resolvePlace(this.#scope, within);
      return await findNear(this.#scope, { pattern, place });
    });
  }

  /** Returns the one symbol that a name path means; see {@link uniqueSymbol}. */
  unique(namePath: string, relativePath: string): Promise<SymbolNode> {
    return uniqueSymbol(this.#scope, namePath, relativePath);
  }

  /** Returns the uses of a symbol; see {@link findReferences}. */
  references(symbol: SymbolNode, kinds: KindFilter): Promise<Reference[]> {
    return findReferences(this.#scope, symbol, { kinds });
  }

  /** Returns what implements a symbol; see {@link findImplementations}. */
  implementations(symbol: SymbolNode, kinds: KindFilter): Promise<SymbolNode[]> {
    return findImplementations(this.#scope, symbol, { kinds });
  }

  /**
   * Returns a source file's path and text as the other questions about it need them.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes.
   */
  async source(relativePath: string): Promise<{ readonly file: string; readonly text: TextLines }> {
    const place = await resolvePlace(this.#scope, relativePath);
    requireFile(place);
    return { file: place.path, text: this.#scope.files.textOf(place.path) };
  }

  /** Returns the symbol that a name at a position stands for; see {@link findDeclaration}. `file` is from {@link source}. */
  declaration(file: string, position: Position): Promise<SymbolNode> {
    return findDeclaration(this.#scope, file, position);
  }

  /**
   * Returns what the server finds wrong in a file as it is on disk now, each with the symbol that it stands in.
   *
   * @throws {ExpectedError} `file.not-found`; `file.not-source` for a directory or a file that no server takes; `server.*`.
   */
  async diagnosticsOfFile(relativePath: string): Promise<OwnedDiagnostic[]> {
    const place = await resolvePlace(this.#scope, relativePath);
    requireFile(place);
    return ownedDiagnostics(this.#scope, place.path);
  }

  /** Returns what is found on the lines of symbols; see {@link symbolDiagnostics}. */
  diagnosticsOfSymbols(symbols: readonly SymbolNode[]): Promise<OwnedDiagnostic[]> {
    return symbolDiagnostics(this.#scope, symbols);
  }

  /**
   * Returns what is wrong in a file now, for `newProblems(before, after)`: asked before an edit is committed and again
   * afterwards, it tells what the edit broke. Syntax errors have `isSyntaxError` set. `undefined` where no server covers
   * the file, it does not exist, or the server has not said in time (`patienceMs`, 2.5 s as a rule): then nothing can be
   * told. With `mayStart` off only a server that runs is asked, which an edit of plain text should not start one for.
   *
   * Never throws for a failure of the server, and leaves no gap.
   */
  async problems(relativePath: string, options: ProblemOptions): Promise<FileProblems | undefined> {
    const [found] = (await problemsInTime(this.#scope, [relativePath], options)).values();
    return found;
  }

  /** As {@link problems}, for several files, by project-relative path: those of which nothing can be told are absent. */
  problemsOf(paths: readonly string[], options: ProblemOptions): Promise<ReadonlyMap<string, FileProblems>> {
    return problemsInTime(this.#scope, paths, options);
  }

  /** Returns problems of a file, each with the symbol that it stands in. */
  withOwners(file: string, problems: FileProblems['problems']): Promise<OwnedDiagnostic[]> {
    return withOwners(this.#scope, file, problems);
  }

  /** Replaces a symbol's body and returns notes; see {@link replaceBody}. */
  replaceBody(edits: Edits, edit: SymbolEdit): Promise<string[]> {
    return replaceBody(this.#scope, edits, edit);
  }

  /** Inserts a text below a symbol and returns notes; see {@link insertAfter}. */
  insertAfter(edits: Edits, edit: SymbolEdit): Promise<string[]> {
    return insertAfter(this.#scope, edits, edit);
  }

  /** Inserts a text above a symbol and returns notes; see {@link insertBefore}. */
  insertBefore(edits: Edits, edit: SymbolEdit): Promise<string[]> {
    return insertBefore(this.#scope, edits, edit);
  }

  /** Renames a symbol; see {@link renameSymbol}. */
  rename(edits: Edits, request: RenameRequest): Promise<Renamed> {
    return renameSymbol(this.#scope, edits, request);
  }

  /** Deletes a symbol unless it is used; see {@link safeDelete}. */
  safeDelete(edits: Edits, address: SymbolAddress & { ignoresUnresolved: boolean }): Promise<SafeDeletion> {
    return safeDelete(this.#scope, edits, address);
  }

  /** Returns hover texts; see {@link hoverInfo}. */
  info(symbols: readonly SymbolNode[], budgetMs: number): Promise<ReadonlyMap<SymbolNode, string>> {
    return hoverInfo(this.#scope, symbols, budgetMs);
  }

  /** Returns the text of a symbol's body; see {@link bodyOf}. */
  body(symbol: SymbolNode): string {
    return bodyOf(symbol, this.#scope.files.textOf(symbol.file));
  }
}
