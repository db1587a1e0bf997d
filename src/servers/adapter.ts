import type { Gap } from '../base/gap.ts';
import type { RequestLimits } from '../lsp/client/connection.ts';
import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { Diagnostic } from '../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { WorkspaceStep } from '../lsp/features/rename.ts';
import type { CodeNames, ReadCode } from '../text/code-names.ts';
import type { Place, Range } from '../text/place.ts';

/**
 * What a server answers otherwise than most, as data and as code that reads texts and asks the server. Each member is used
 * where the question arises, and absent if the usual answers are right. What queries and edits of one language do besides is
 * in `LanguageAdapter` of `src/symbols/adapter.ts`.
 */
export interface ServerAdapter {
  /** Returns the definitions of a document that the server reports no symbols for. `text` is the document's text. */
  readonly missingSymbols?: (symbols: readonly PlainSymbol[], text: string) => readonly MissingSymbol[];
  /**
   * Returns a predicate over files (absolute path and text). It is false for files that cannot refer to the target: if
   * the server finds no references in such a file, the occurrences of the name there need not be resolved.
   */
  readonly mayReferTo?: (target: ReferredSymbol) => (path: string, text: string) => boolean;
  /**
   * Resolves names by the code of the project, which `read` returns, if the server leads names to stubs in place of the
   * code, or nowhere.
   */
  readonly namesInCode?: (read: ReadCode) => CodeNames;
  /**
   * Returns the files with other programs, whose symbol of the same name the server takes for the one
   * at a position.
   */
  readonly otherPrograms?: (
    server: LanguageServer,
    place: Place,
    limits: RequestLimits,
  ) => Promise<ReadonlySet<string>>;
  /**
   * Returns the changes that move a top-level declaration to another file, and changes nothing; `undefined` for a
   * declaration that the server does not move.
   *
   * @throws {ExpectedError} `edit.refused` with the reason.
   */
  readonly moveSymbol?: (
    server: LanguageServer,
    move: SymbolMove,
    limits: RequestLimits & { readonly signal: AbortSignal },
  ) => Promise<readonly WorkspaceStep[] | undefined>;
  /**
   * Present if {@link moveSymbol} also moves members of types, and its result is checked by diagnostics. `widened` returns
   * the names of the declarations that are no longer private in a changed text.
   */
  readonly memberMoves?: { readonly widened: (before: string, after: string) => readonly string[] };
  /** How the server offers to import what a text uses; absent if it does not. */
  readonly importActions?: ImportActions;
  /** Matches the message of an error about an import of a module that does not exist, with its name as group 1 or 2. */
  readonly missingModule?: RegExp;
  /** Matches the message of an error about an open file that is not on disk: its text was not checked. */
  readonly unreadFile?: RegExp;
  /** How changes by symbol are checked before they are written, if the server's diagnostics show what they would break. */
  readonly editChecks?: EditChecks;
  /**
   * Returns the text to delete with a declaration whose range is only a part of it, such as one of the declarators of a
   * `const`; a reason if it cannot be deleted alone; `undefined` for other declarations, and where the text is not
   * understood.
   */
  readonly deletedPart?: (text: string, declaration: PartialDeclaration) => OffsetSpan | { reason: string } | undefined;
  /**
   * True if the name at a place of an open document depends on the parameters of a template, so that the server leads it
   * to the primary template even where it means a specialization. Present for servers that do not resolve some members
   * whose type depends on such parameters, take others for those of the parameter's default, and lead names that they do
   * not resolve to several definitions, or to a declaration around them. A rename is refused where these may be the symbol.
   */
  readonly isDependentName?: (server: LanguageServer, location: Place, limits: RequestLimits) => Promise<boolean>;
  /** Returns errors in a text that the server does not report; those on a line with an error of the server are dropped. */
  readonly moreDiagnostics?: (text: string) => Promise<readonly Diagnostic[]>;
  /**
   * Code that the server does not check. It marks such code by hints about unnecessary code, which are no findings:
   * `marked` matches the messages of the hints, `cause` what in a file's text makes the server skip code.
   */
  readonly skippedCode?: { readonly marked: RegExp; readonly cause: RegExp };
  /** Returns the source file of a library that is meant by the URI of a definition that is not in a file. */
  readonly librarySource?: (uri: string) => LibrarySource | undefined;
  /** Returns the gap of the server's diagnostics of a project-relative file, if they depend on what its text has. */
  readonly diagnosticsGapOf?: (file: string, text: string) => Gap | undefined;
  /**
   * How a text includes others: what matches a directive with the path (global), and what matches the message of an error
   * in an included file, which the server reports at the directive. The server reads no bodies in included files.
   */
  readonly includes?: { readonly directive: RegExp; readonly errorMark: RegExp };
  /**
   * Codes of the diagnostics by which the server reports that a whole file, or a region of one, is not part of the
   * build. It finds no references from there.
   */
  readonly notAnalyzedCodes?: { readonly file: string; readonly region: string };
  /** True if the references to a member include the declarations in libraries that it overrides or implements. */
  readonly listsOverriddenMembers?: boolean;
}

/** The code actions by which a server adds imports. */
export interface ImportActions {
  /** LSP's kind: `quickfix` for one at each error. */
  readonly kind: string;
  /** Matches the titles of those that add an import; absent if all do. */
  readonly title?: RegExp;
  /** True if one action adds all imports of the file. */
  readonly isWhole: boolean;
}

/** A declaration to delete. */
export interface PartialDeclaration {
  readonly span: OffsetSpan;
  /** LSP's kind of the symbol that contains it. */
  readonly parentKind: number | undefined;
  /** The other declarations of the same scope, in order. */
  readonly siblings: readonly OffsetSpan[];
}

/** A source file of a library. */
export interface LibrarySource {
  /** Name of the archive or module that contains the compiled file. */
  readonly container: string;
  /** With `/`, below the packages of the container. */
  readonly path: string;
}

/** A part of a text in offsets (UTF-16 code units), `end` exclusive. */
export interface OffsetSpan {
  readonly start: number;
  readonly end: number;
}

/** A member to declare before another one. */
export interface ProbedMember {
  readonly name: string;
  /** The type of the node that has the members. */
  readonly list: string;
  readonly file: string;
}

/** What the diagnostics of a changed text show. */
export interface EditChecks {
  /**
   * The types that the compiler compares with others by their members: all of them, also in strings with the names of
   * members, or those whose name is followed by what matches. A member may then be needed under its old name without a
   * reference to it.
   */
  readonly structuralTypes?: 'all' | RegExp;
  /** Shows which values are used as a type that also has a member of theirs, even if it need not. */
  readonly comparedMember?: {
    /** Returns the declaration of a member that no other type accepts. */
    readonly text: (member: ProbedMember) => string;
    /** True if a message is about that member. */
    readonly isReported: (message: string) => boolean;
  };
  /** True if a rename of a member is refused where the changed files would have new errors. */
  readonly checksRenamedMembers?: true;
  /** Codes of errors that only report that something is unused. */
  readonly unusedCodes: readonly (string | number)[];
  /** Returns the spans to delete in order to remove the unused imports at the offsets of such errors. */
  readonly importsToRemove?: (text: string, unused: readonly OffsetSpan[]) => readonly OffsetSpan[];
}

/** A symbol whose references were found. */
export interface ReferredSymbol {
  /** Absolute path of the file that defines the symbol. */
  readonly path: string;
  readonly name: string;
  /** True if the symbol has no parent symbol. */
  readonly isTopLevel: boolean;
  /** The lines that contain the references that the server found. */
  readonly lines: readonly string[];
}

/** A declaration to move to another file, at the top level unless the server also moves members. */
export interface SymbolMove {
  readonly file: string;
  readonly name: string;
  readonly range: Range;
  readonly nameRange: Range;
  /** True if the declaration is in another one. */
  readonly isMember: boolean;
  readonly target: string;
  /** The text of the target; `undefined` for a new file. */
  readonly targetText: string | undefined;
  /** True if the old file is to export the name as before, and no other file is to change. */
  readonly reExports: boolean;
}

/** A definition that a server reports no symbol for; `line` is 0-based. */
export interface MissingSymbol {
  readonly name: string;
  readonly line: number;
}
