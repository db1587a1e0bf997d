import type { Gap } from '../base/gap.ts';
import type { Edits } from '../edits/edits.ts';
import type { FileDraft } from '../edits/file-draft.ts';
import type { PathsMove } from '../edits/moved-files.ts';
import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { WorkspaceStep } from '../lsp/features/rename.ts';
import type { IdentifierResult } from '../search/scan-protocol.ts';
import type { ActiveServer } from '../servers/assignment/source-files.ts';
import type { Place } from '../text/place.ts';
import type { BaseTypes, Overrides, OverridesQuestion } from './model/overrides.ts';
import type { SymbolNode } from './model/symbol.ts';
import type { Entry, Judge, Ledger, NameQuestion, SymbolQuestion } from './occurrences/ledger.ts';
import type { Occurrence } from './occurrences/occurrence.ts';

/**
 * What queries and edits of one language do besides the usual steps, in `languages/<language>/adapter.ts`. Each member is
 * asked where its question arises; where it is absent, and where it returns nothing, the usual answer is right. All of
 * them may fail with `server.*`. `Scope` is `SymbolScope`, which contains the adapters.
 */
export interface LanguageAdapter<Scope> {
  // References.

  /**
   * Java: `Item::label` is the method `label` of `Item`, although jdtls resolves it to `Function.apply`. Decide what
   * occurrences mean before the general judges do.
   */
  readonly judges?: readonly Judge<Scope>[];
  /**
   * Python: pytest passes the fixture `account` to a test with a parameter `account`. Returns what a framework takes for
   * uses of a symbol by its name alone, which may be in strings; it counts before what the judges say.
   */
  readonly usesByName?: (scope: Scope, question: NameQuestion) => Promise<readonly Entry[]>;
  /**
   * C++: uses of `template <> int parse<int>()` are references to `parse`, although clangd lists them under the
   * specialization alone. Returns the other specializations that belong to the same template as the target. The server
   * renames each together with a location for which `isShared` is true.
   */
  readonly specializations?: (
    scope: Scope,
    question: NameQuestion,
    files: IdentifierResult['files'],
    isShared: (location: Place) => boolean,
  ) => Promise<readonly SymbolNode[]>;

  // Implementations and overriding members.

  /**
   * Python: `class Square(Shape)` is an implementation of `Shape`, which pyright is not able to find. Returns the
   * implementations of a symbol, for servers that do not find any; `undefined` if this is no such symbol.
   */
  readonly implementations?: (
    scope: Scope,
    active: ActiveServer,
    target: SymbolNode,
  ) => Promise<readonly SymbolNode[] | undefined>;
  /**
   * Go: gopls on Linux does not list `func (p winPrinter) Print()` in `print_windows.go` as an implementation of
   * `Printer.Print`. Returns the implementations in files of other build configurations, and methods that may be some.
   */
  readonly conditionalImplementations?: (
    scope: Scope,
    question: ImplementationsQuestion,
  ) => Promise<ConditionalImplementations>;
  /**
   * Java: jdtls leaves `write` of an anonymous class in a static initializer out of the implementations of `write`. C++:
   * clangd lists an overriding method where it is defined, and not where it is declared. Returns the implementations that are
   * missing among the listed ones.
   */
  readonly omittedImplementations?: (
    scope: Scope,
    question: NameQuestion,
    listed: readonly Place[],
  ) => Promise<readonly Place[]>;
  /**
   * Python: `run` of `class Worker(threading.Thread)` overrides a member outside the project. Returns the overrides of a
   * member; `undefined` for other symbols.
   */
  readonly overrides?: (
    scope: Scope,
    active: ActiveServer,
    question: OverridesQuestion,
  ) => Promise<Overrides | undefined>;
  /**
   * Python: `class ArrayField(CheckFieldDefaultMixin, Field)` extends both. Returns the types that a type extends directly;
   * absent in languages where this is not known.
   */
  readonly basesOf?: (scope: Scope, active: ActiveServer, type: SymbolNode) => Promise<BaseTypes>;

  // Renames.

  /**
   * Rust: `#[cfg(unix)] fn open()` and `#[cfg(windows)] fn open()` are renamed together, although rust-analyzer reads only
   * the first one. Returns the target and the definitions that take its place in other builds.
   */
  readonly definitionsByBuild?: (scope: Scope, question: SymbolQuestion) => Promise<DefinitionsByBuild>;
  /**
   * Java: jdtls renames `getTotal()` together with the field `total`. Returns the steps of a rename without the edits of
   * other symbols. `rename` requests the rename of the symbol at a place.
   *
   * @throws {ExpectedError} `edit.refused` if it is not certain which edits are those.
   */
  readonly withoutOtherSymbols?: (scope: Scope, question: NameQuestion, renaming: Renaming) => Promise<WorkspaceStep[]>;
  /**
   * TypeScript: `pet.name` with `pet: Cat | Dog` refers to both members `name`, of which tsserver renames one. Go:
   * `ExampleStore_Get` is an example of `Get`. Returns the steps of a rename with those for further declarations.
   */
  readonly withFurtherSymbols?: (
    scope: Scope,
    question: NameQuestion,
    renaming: FurtherRenaming,
  ) => Promise<WorkspaceStep[]>;
  /**
   * Go: `open` in `open_windows.go` is renamed together with `open` in `open_unix.go`. Returns further definitions that may
   * need the target's new name, which the server does not rename with it.
   */
  readonly furtherDefinitions?: (
    scope: Scope,
    question: NameQuestion,
    renaming: { readonly text: IdentifierResult; readonly isRenamed: (location: Place) => boolean },
  ) => Promise<readonly FurtherDefinition[]>;
  /**
   * C++: `shape.area()` in a template may be `Square::area`, which depends on the type of `shape`. Returns the occurrences
   * that may mean the target, although the server resolves nothing there, or renames them by a guess.
   */
  readonly uncertainOccurrences?: (scope: Scope, renaming: ProposedRename) => Promise<UncertainOccurrences>;

  /**
   * Go: gopls resolves no name in a file with `//go:build integration`. Returns why the server does not resolve the names
   * of a file, as a clause.
   */
  readonly whyUnresolved?: (file: string, text: string) => string | undefined;

  // Other edits and diagnostics.

  /**
   * C++: uses of `Traits<T>` may mean the specialization `Traits<int>`, to which nothing refers by itself. Returns why an
   * unreferenced symbol may be used nevertheless, as a clause.
   */
  readonly whyUsed?: (scope: Scope, active: ActiveServer, symbol: SymbolNode) => string | undefined;
  /**
   * Go: after a move of the directory `shop/prices` to `shop/costs`, `import "example.org/shop/prices"` must name the new
   * path. Plans in `edits` the changes of imports that a move requires, at the paths before the move, for servers that do
   * not change them (`quirks.leavesImports`). Plans nothing that is not certain: an import that cannot be rewritten
   * refuses the move.
   *
   * @throws {ExpectedError} `edit.refused`.
   */
  readonly moveFiles?: (scope: Scope, move: FilesMove) => Promise<void>;
  /**
   * Python: a class moves to another module together with the imports that its code needs, and
   * `from shop.basket import Basket` becomes `from shop.cart import Basket`. Returns the changes that move a symbol, for
   * servers that do not move symbols. Changes nothing; what is not certain refuses the move.
   *
   * @throws {ExpectedError} `edit.refused`.
   */
  readonly moveSymbol?: (scope: Scope, move: SymbolMoveTask) => Promise<MoveSteps>;
  /** True if {@link moveSymbol} also is for servers that change the imports of moved files. */
  readonly movesSymbolsAnyway?: true;
  /**
   * Go: gopls checks a file for one operating system, and so misses that `open` has other parameters on Windows. Returns the
   * gap in the diagnostics of a file.
   */
  readonly diagnosticsGap?: (scope: Scope, active: ActiveServer, file: string) => Promise<Gap | undefined>;
}

/**
 * Returns the adapter of a language by its LSP id, for the server with an id; it is loaded at the first use. Returns an
 * adapter without members where nothing but the usual steps is needed.
 */
export type LanguageAdapters<Scope> = (languageId: string, server: string) => Promise<LanguageAdapter<Scope>>;

/** A query for the implementations of a method, or of an interface by one of its methods. */
export interface ImplementationsQuestion {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  /** The method, in an open document. */
  readonly sought: SymbolNode;
  /** True if the types that have the method are wanted. */
  readonly wantsTypes: boolean;
  /** Occurrences of the method's name in code. */
  readonly text: IdentifierResult;
}

/** Implementations in files of other build configurations, and methods about which the server does not answer. */
export interface ConditionalImplementations {
  readonly locations: readonly Place[];
  readonly unresolved: readonly Occurrence[];
}

/** The definitions of one name path in a file, of which a build has one. */
export interface DefinitionsByBuild {
  /** Those that the server analyzes, in document order. */
  readonly analyzed: readonly SymbolNode[];
  /** Those that the server reports as not being part of the build: it does not rename them. */
  readonly excluded: readonly SymbolNode[];
}

/** The steps of a rename as the server proposes them. */
export interface Renaming {
  readonly steps: readonly WorkspaceStep[];
  /** Requests the rename of the symbol at a place to the same name. */
  readonly rename: (place: Place) => Promise<readonly WorkspaceStep[]>;
}

/** The steps of a rename, and what it changes. */
export interface FurtherRenaming extends Renaming {
  /** Occurrences of the name in code. */
  readonly text: IdentifierResult;
  /** True for a location that some of the steps change. */
  readonly isChanged: (location: Place, steps: readonly WorkspaceStep[]) => boolean;
  readonly newName: string;
}

/** A definition that may need the target's new name. */
export interface FurtherDefinition {
  readonly node: SymbolNode;
  /** False if it needs the name only where it is used in the same place as the target. */
  readonly isImplementation: boolean;
}

/** A rename, and what the server would change. */
export interface ProposedRename extends NameQuestion {
  readonly references: Ledger | undefined;
  /** True for a location that the server would rename. */
  readonly isRenamed: (location: Place) => boolean;
}

/** Occurrences that the server of a rename does not resolve with certainty. */
export interface UncertainOccurrences {
  /** Those that can only mean the target: they are renamed too. */
  readonly certain: readonly Occurrence[];
  /** Those that mean the target or another symbol: they are a reason to refuse the rename. */
  readonly doubtful: readonly Occurrence[];
}

/** A move of files whose imports are to be changed. */
export interface FilesMove {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly edits: Edits;
  readonly move: PathsMove;
}

/** A move of a top-level symbol to another file of the same language server. */
export interface SymbolMoveTask {
  readonly active: ActiveServer;
  /** The symbol and the draft of its file. */
  readonly target: { readonly symbol: SymbolNode; readonly draft: FileDraft };
  /** Project-relative. */
  readonly to: string;
  /** True if the old file goes on offering the name, so that its users stay as they are. */
  readonly reExports: boolean;
}

/** The changes of a move, and notes about what they do not cover. */
export interface MoveSteps {
  readonly steps: readonly WorkspaceStep[];
  readonly notes: readonly string[];
}
