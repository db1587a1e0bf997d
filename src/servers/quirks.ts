import type { Gap } from '../base/gap.ts';
import type { Preload } from '../install/runtime/js-runtime.ts';
import type { RequestLimits } from '../lsp/client/connection.ts';
import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { Diagnostic } from '../lsp/documents/diagnostic.ts';
import type { Publishing } from '../lsp/documents/published.ts';
import type { ServerCommand } from '../lsp/features/code-actions.ts';
import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { WorkspaceStep } from '../lsp/features/rename.ts';
import type { PathMove } from '../lsp/features/rename-files.ts';
import type { FailureNotification } from '../lsp/readiness/readiness.ts';
import type { Place } from '../text/place.ts';
import type { PositionEncoding } from '../text/position.ts';

/**
 * What at most three of the server programs need, as code or as data; forks and wrappers count with their program. Code
 * states its reason.
 */
export interface Quirks {
  /**
   * Prepares the server's cache directory before the server starts, and again when a watched file has changed. Returns
   * the values of further placeholders; a value of `undefined` drops the strings that contain the placeholder. Both
   * paths are absolute; `root` is the project.
   */
  readonly prepare?: (directories: {
    readonly root: string;
    readonly cache: string;
  }) => Readonly<Record<string, unknown>>;
  /** Returns the symbols with the server's errors corrected. `text` is the document's text. */
  readonly adjustSymbols?: (symbols: readonly PlainSymbol[], text: string) => PlainSymbol[];
  /**
   * Returns the symbols with those that the server leaves out; called before `adjustSymbols`. `problems` is what the
   * server has published about the document.
   */
  readonly completeSymbols?: (
    symbols: readonly PlainSymbol[],
    text: string,
    problems: readonly Diagnostic[],
  ) => Promise<readonly PlainSymbol[]>;
  /**
   * Returns the files that the server has loaded together with an open one; it searches no others.
   */
  readonly filesLoadedWith?: (
    server: LanguageServer,
    file: string,
    limits: RequestLimits,
  ) => Promise<readonly string[]>;
  /** Makes the server read the disk again, for servers that ignore `workspace/didChangeWatchedFiles`. */
  readonly rereadFiles?: (server: LanguageServer, limits: RequestLimits) => Promise<void>;
  /**
   * Makes the server read changed files (absolute paths) again, for servers that compare modification times: a file may
   * change and keep, or get, an earlier time.
   */
  readonly rereadChanged?: (server: LanguageServer, paths: readonly string[], limits: RequestLimits) => Promise<void>;
  /**
   * Returns the implementations of the symbol at the start of a place, if `textDocument/implementation` does not find all of
   * them.
   */
  readonly implementations?: (server: LanguageServer, place: Place, limits: RequestLimits) => Promise<readonly Place[]>;
  /** True if `textDocument/implementation` answers with the definition, so that it counts as not supported. */
  readonly implementationIsDefinition?: boolean;
  /**
   * Returns the references to the symbol at the start of a place, without its declaration, if `textDocument/references` leaves
   * out more than the declaration.
   */
  readonly references?: (server: LanguageServer, place: Place, limits: RequestLimits) => Promise<readonly Place[]>;
  /**
   * True if the server does not answer `workspace/willRenameFiles`, or not completely: the adapter of the language changes
   * the imports of moved files.
   */
  readonly leavesImports?: true;
  /**
   * Returns the changes that a command of a code action makes, without running it, for servers whose command writes files
   * itself; `undefined` for other commands.
   */
  readonly commandEdits?: (
    server: LanguageServer,
    command: ServerCommand,
    limits: RequestLimits,
  ) => Promise<readonly WorkspaceStep[] | undefined>;
  /** Commands of code actions that run no program and write no file: all that they do is to send an edit. */
  readonly editCommands?: readonly string[];
  /**
   * Names of the files that configure the server's formatter. Without one in a file's directory or above it, the server
   * would format in a style that is not the project's.
   */
  readonly formatterConfig?: readonly string[];
  /** True if `workspace/willRenameFiles` changes imports only if the parent directory stays the same. */
  readonly movesWithinDirectories?: true;
  /** Returns the changes that a move to another directory requires, in place of those of `workspace/willRenameFiles`. */
  readonly movesToDirectory?: (
    server: LanguageServer,
    move: PathMove,
    limits: RequestLimits,
  ) => Promise<readonly WorkspaceStep[]>;
  /** True if a declaration and its definition are separate, so that one alone cannot be deleted. */
  readonly hasSeparateDefinitions?: true;
  /** True if `textDocument/rename` leaves out some of the references that the server lists: they are renamed too. */
  readonly renamesIncompletely?: boolean;
  /** True if `textDocument/rename` is wrong, but the references are right: the name is replaced at these. */
  readonly renamesWrongly?: true;
  /**
   * Matches the message with which the server refuses to rename a member because one of the group's `type` has to be renamed
   * with it.
   */
  readonly renamedTogether?: RegExp;
  /** Matches the message with which the server refuses requests about a file that none of its builds contains. */
  readonly excludedFile?: RegExp;
  /** Returns the edits of a rename, if the answer to `textDocument/rename` is wrong or incomplete. */
  readonly rename?: (
    server: LanguageServer,
    request: Place & { readonly newName: string },
    limits: RequestLimits,
  ) => Promise<WorkspaceStep[]>;
  /** Returns the notification to send in response to a notification that only this server sends. */
  readonly answerNotification?: (
    method: string,
    params: unknown,
  ) => { readonly method: string; readonly params: object } | undefined;
  /**
   * Returns all diagnostics of an open document as it was last sent, if LSP's own ways are incomplete for this server.
   * `onRefused` receives the message with which the server refuses to return them.
   */
  readonly diagnostics?: (
    server: LanguageServer,
    file: string,
    limits: RequestLimits,
    onRefused?: (message: string) => void,
  ) => Promise<readonly Diagnostic[] | undefined>;
  /** Returns the diagnostics with the server's errors corrected. `text` is the document's text. */
  readonly adjustDiagnostics?: (diagnostics: readonly Diagnostic[], text: string) => readonly Diagnostic[];
  /**
   * Files that the server would otherwise load from the project and run: by placeholder name, their paths relative to
   * the directory with the server's packages. `description` names them in messages.
   */
  readonly projectCodeSubstitutes?: {
    readonly description: string;
    readonly paths: Readonly<Record<string, string>>;
  };
  /**
   * True if the installed server is always used, because a user's own program replaces another server of the same id.
   */
  readonly ignoresUserProgram?: true;
  /** Preload script for servers that run on this program's own executable. */
  readonly preload?: Preload;
  /**
   * True if the handshake sends `workspaceFolders` only, because the server would analyze the root as one more
   * directory.
   */
  readonly omitsRootUri?: true;
  /** How the server reports that it could not load the project; its empty answers mean nothing then. */
  readonly failureNotification?: FailureNotification;
  /**
   * Build files that this program finds and opens, because the server would search the disk without the project's
   * ignore rules. The server sends the notification of `ServerSpec.ready` once for each notification that opens
   * some.
   */
  readonly opensBuildFiles?: readonly BuildFiles[];
  /**
   * True if a new file must be reported as created before it is opened; otherwise the server assigns it to no project.
   */
  readonly needsFileEvents?: true;
  /**
   * Extensions, with their LSP language ids, of files that belong to another server but are referred to in files that
   * only this one reads: this server is asked for those references as well.
   */
  readonly suppliesReferencesFor?: Readonly<Record<string, string>>;
  /**
   * Returns what a file contains where it may mean a symbol of `suppliesReferencesFor`, if the server may leave such
   * places out of the symbol's references; `undefined` for other symbols. `words` are the names under which the symbol
   * may be mentioned; `pattern`, a global one, matches one of them as a whole. `declaration` is the symbol's text.
   */
  readonly mentions?: (
    name: string,
    declaration: string,
  ) => { readonly words: readonly string[]; readonly pattern: RegExp } | undefined;
  /** A directory or file that must be in the project or above it, and the gap in the server's answers without it. */
  readonly requiredDirectory?: { readonly path: string; readonly gap: string; readonly next?: string };
  /**
   * Path, in the project, of the file with patterns for the names of the project's files. It is reported as changed when
   * files are created or deleted, because the server searches for files only then.
   */
  readonly fileList?: string;
  /**
   * File that joins the projects below it. Without one in or above its directory, each project is searched separately.
   */
  readonly workspaceFile?: string;
  /** True if the server reports symbols of closed files. Opening makes the server check a file, which takes longer. */
  readonly supportsClosedFiles?: boolean;
  /** True if requests about single files fail, or return nothing, before the server is ready. */
  readonly answersOnlyWhenReady?: true;
  /**
   * Position encodings to offer, best first, if the server counts wrong in UTF-16, which alone is offered by default. The
   * only one applies to a server that announces none.
   */
  readonly positionEncodings?: readonly PositionEncoding[];
  /** True if `textDocument/definition` leads from a call of an interface's method to its implementations. */
  readonly resolvesToImplementations?: boolean;
  /** Line breaks as the server counts them, if they differ from LSP's (`\n`, `\r\n`, `\r`). Global. */
  readonly lineBreaks?: RegExp;
  /**
   * A document whose text matches is closed and reopened when it changes, because the server misapplies the change. Not
   * global.
   */
  readonly reopensWhenMatching?: RegExp;
  /**
   * Daemons that the server starts outside its process group, by a pattern of their commands. They end with the server
   * if the user has set `setting`, one of `ServerSpec.ownSettings`, to true.
   */
  readonly daemons?: { readonly matching: RegExp; readonly setting: string };
  /** How the server publishes diagnostics, if it differs from most servers. */
  readonly publishing?: Publishing;
  /** How to recognize the server's syntax errors; absent if it reports none. */
  readonly syntaxErrors?: SyntaxErrors;
  /** The gap of the server's diagnostics, if other programs find errors that it does not. */
  readonly diagnosticsGap?: Gap;
  /** Hints for failed starts whose message matches; they replace the hint of the source. */
  readonly startHints?: readonly { readonly matching: RegExp; readonly hint: string }[];
  /** After how many errors the server stops to check a file, and the code of the diagnostic by which it reports that. */
  readonly errorLimit?: { readonly code: string; readonly count: number };
  /**
   * Why the server reports no errors, as the end of a sentence that begins with its name; absent if it reports errors.
   */
  readonly noDiagnosticsReason?: string;
  /** True if it compiles a file with the headers on disk, so that planned changes of several files cannot be tried. */
  readonly readsHeadersOnDisk?: true;
  /** True if a type implements an interface by having all its methods, without naming the interface. */
  readonly hasImplicitInterfaces?: boolean;
  /**
   * Symbols, by name and optionally kind, that an overview replaces by their children. With `isFlat` all other symbols
   * are shown in one list, however they nest.
   */
  readonly overview?: { readonly without: RegExp; readonly kind?: number; readonly isFlat?: true };
  /** Parts of symbol names that the server generates and that may not occur in the file's text. */
  readonly syntheticNames?: readonly string[];
}

/** Criteria that identify the syntax errors among a server's errors. */
interface SyntaxErrors {
  readonly source?: string;
  readonly hasNoCode?: boolean;
  /** True if {@link Quirks.diagnostics} marks them itself. */
  readonly isMarked?: true;
}

/** Build files that a server loads after it receives their URIs. */
export interface BuildFiles {
  readonly extensions: readonly string[];
  /** Notification that opens the files. */
  readonly method: string;
  /** Parameter of the notification that holds the URIs. */
  readonly parameter: string;
  /** True if the parameter is a single URI: that of the file with the fewest parent directories. */
  readonly isOutermostOnly?: true;
}
