import type { Gap } from '../../base/gap.ts';
import type { InstallSource } from '../../install/source/source.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Publishing } from '../../lsp/documents/published.ts';
import type { Diagnostic } from '../../lsp/features/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Location, PlaceInFile } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Failing, Readiness } from '../../lsp/readiness/readiness.ts';
import type { PositionEncoding } from '../../text/position.ts';

/** A definition that a server has no symbol for; `line` is 0-based. */
export interface UnseenSymbol {
  readonly name: string;
  readonly line: number;
}

/** The ways in which a server may need code of its own (`spec/codebase.md` §7); each names its reason where it is defined. */
export interface Quirks {
  /**
   * Prepares the cache directory of the server before it starts, and again when a watched file has changed. Returns the
   * values of further placeholders; `undefined` leaves out what names them. Both paths are absolute; `root` is the project.
   */
  readonly prepare?: (directories: {
    readonly root: string;
    readonly cache: string;
  }) => Readonly<Record<string, unknown>>;
  /** Returns the symbols with what the server gets wrong put right. `text` is the document's. */
  readonly adjustSymbols?: (symbols: readonly PlainSymbol[], text: string) => PlainSymbol[];
  /** Returns the definitions of a document that the server has no symbols for. `text` is the document's. */
  readonly unseenSymbols?: (symbols: readonly PlainSymbol[], text: string) => readonly UnseenSymbol[];
  /** Returns the files, by absolute path, that the server has loaded together with an open one; it searches no others. */
  readonly filesLoadedWith?: (
    server: LanguageServer,
    path: string,
    limits: RequestLimits,
  ) => Promise<readonly string[]>;
  /** Has the server look at the disk anew, where `workspace/didChangeWatchedFiles` does not move it to. */
  readonly rereadFiles?: (server: LanguageServer, limits: RequestLimits) => Promise<void>;
  /** Has the server read changed files, by absolute path, where it goes by their times: these may have been set back. */
  readonly rereadChanged?: (server: LanguageServer, paths: readonly string[], limits: RequestLimits) => Promise<void>;
  /** Returns where the symbol at a place is implemented, where the protocol's own request does not find all. */
  readonly implementations?: (
    server: LanguageServer,
    place: PlaceInFile,
    limits: RequestLimits,
  ) => Promise<readonly Location[]>;
  /** Returns where the symbol at a place is used, its declaration left out, where the protocol's own request leaves out more. */
  readonly references?: (
    server: LanguageServer,
    place: PlaceInFile,
    limits: RequestLimits,
  ) => Promise<readonly Location[]>;
  /**
   * Returns a function that is false for a file, given by absolute path and text, that cannot refer to the target. Where the
   * server finds nothing in such files, the places where they mention its name need not be resolved.
   */
  readonly mayReferTo?: (target: ReferredSymbol) => (path: string, text: string) => boolean;
  /** Returns what a rename changes, where the protocol's own request does not tell it right. */
  readonly rename?: (
    server: LanguageServer,
    request: PlaceInFile & { readonly newName: string },
    limits: RequestLimits,
  ) => Promise<WorkspaceStep[]>;
  /** Returns what to answer a notification that only this server sends, as a notification to it. */
  readonly answerNotification?: (
    method: string,
    params: unknown,
  ) => { readonly method: string; readonly params: object } | undefined;
  /** Returns all diagnostics of an open document as it was last sent, where the protocol's own ways do not. */
  readonly diagnostics?: (
    server: LanguageServer,
    path: string,
    limits: RequestLimits,
  ) => Promise<readonly Diagnostic[] | undefined>;
}

/** A symbol whose references were found. */
export interface ReferredSymbol {
  /** Absolute path of the file that defines it. */
  readonly path: string;
  readonly name: string;
  /** True if it belongs to no other symbol. */
  readonly isTopLevel: boolean;
  /** The lines that hold the references that the server found. */
  readonly lines: readonly string[];
}

/** One replacement in a symbol's name; `to` is empty unless given. */
export interface NameRule {
  readonly from: RegExp;
  readonly to?: string;
}

/** Build files that a server loads once it is sent their URIs. */
export interface BuildFiles {
  readonly extensions: readonly string[];
  /** Notification that opens them. */
  readonly method: string;
  /** Parameter of the notification that holds the URIs. */
  readonly parameter: string;
  /** True if the parameter is the single URI of the file with the fewest directories above it. */
  readonly isOutermostOnly?: true;
}

/** What the syntax errors among a server's errors have in common. */
export interface SyntaxErrors {
  readonly source?: string;
  readonly hasNoCode?: boolean;
}

/** Our declared data about one language server. */
export interface ServerSpec {
  /** Stable: used in project files, caches and directory names. */
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  /** Terms other than those of free software, as a name or an address. */
  readonly license?: string;
  /** `false` where those forbid passing it on. */
  readonly redistributable?: false;
  /** File suffix, from a dot on → LSP language id. A file is only ever sent to a server that claims its suffix. */
  readonly files: Readonly<Record<string, string>>;
  /** The same for suffixes that mostly mean something else: claimed only in a project that names this server. */
  readonly filesWhenNamed?: Readonly<Record<string, string>>;
  /** Where it may come from, tried in this order after the user's own command; at most one that the lock pins. */
  readonly install: readonly InstallSource[];
  /** Names of its program where a user has installed it, besides those that `install` tells; for `SERENA_PREFER=system`. */
  readonly programNames?: readonly string[];
  /**
   * Programs that it does not work without, looked for on `PATH` before it is fetched and started; a `setting` of its own may
   * name one in another place. The hint is one sentence without a full stop.
   */
  readonly requires?: readonly { readonly program: string; readonly hint: string; readonly setting?: string }[];
  /** Environment of its process, besides ours; placeholders as below. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it starts in the project's directory, as some must, and not in a directory of ours: it then reads what lies there. */
  readonly runsInProject?: boolean;
  /** Only for projects that name it: an alternative to another server, or for files that are not programs. */
  readonly needsExplicitChoice?: boolean;
  /** Whether its files are texts, data or markup and no programs: then nobody is told of those that no server takes. */
  readonly holdsStrings?: boolean;
  /** The key of `ls_specific_settings` that names another version than the pinned one (`spec/system.md` §15.4). */
  readonly versionKey?: string;
  /**
   * Keys of `ls_specific_settings` that only this server has (`spec/system.md` §15.4), with what counts where the user sets
   * none; `null` for nothing. Each is a placeholder.
   */
  readonly ownSettings?: Readonly<Record<string, unknown>>;
  /** Such keys of the reference that have no effect here. */
  readonly unusedSettings?: readonly string[];
  /**
   * Placeholders in any text: `{directory}` is the install directory's absolute path, `{root}` the project's, `{cache}` a directory for
   * this server and project that no other process uses, `{temp}` one that goes with the server, `{find:…}` a file of the
   * install directory. What has no value is left out: see `fill()`.
   */
  readonly args: readonly string[];
  /**
   * Files that the server would take from the project, and run, unless it is given others: by placeholder name, relative to the
   * directory that has the server's packages; and what they are called.
   */
  readonly codeInPlaceOfProjects?: { readonly called: string; readonly paths: Readonly<Record<string, string>> };
  /** True if a user's own program replaces another server of this id; this one is always the one that we install. */
  readonly isAlwaysOurs?: true;
  /** A preload script for servers that run on our own executable. */
  readonly preload?: 'heap-statistics';
  /** True if it takes the project's root for one more directory to analyze: it is given workspace folders alone. */
  readonly hidesRoot?: true;
  /** Placeholders as above. */
  readonly initializationOptions?: unknown;
  /** Answers `workspace/configuration`; placeholders as above. */
  readonly settings?: unknown;
  readonly ready: Readiness;
  /** How it reports that it could not load the project: its empty answers mean nothing then. */
  readonly failing?: Failing;
  /** Files besides sources whose changes the server must hear of; matched at the end of the base name. */
  readonly watchedFiles: readonly string[];
  /**
   * Build files that we find and open, because the server would search the disk without the project's ignore rules. After each
   * notification that opens some it sends the notification of {@link ServerSpec.ready}.
   */
  readonly opensBuildFiles?: readonly BuildFiles[];
  /** True if it assigns a file to a project by file events: a new file that is opened before its event belongs to none. */
  readonly needsFileEvents?: true;
  /**
   * Marker files of separately loaded projects inside one root. The server searches only projects it has loaded, so
   * one file beside each marker is opened before a cross-file question.
   */
  readonly projectMarkers?: readonly string[];
  /**
   * Suffixes of files that may use what its own declare and that it does not read, each with the id of the server that reads
   * both: uses there are told to be missing.
   */
  readonly mayBeUsedIn?: Readonly<Record<string, string>>;
  /**
   * Suffixes, with their LSP language ids, of files that another server has, and whose symbols are used in files that only
   * this one reads: it is asked for those uses as well.
   */
  readonly findsReferencesOf?: Readonly<Record<string, string>>;
  /** A directory that has to be in the project or above it, and what its answers lack where it is not. */
  readonly needsInProject?: { readonly directory: string; readonly otherwise: string };
  /** Servers that a project which names this one uses as well, for what this one does not take. */
  readonly companions?: readonly ServerSpec[];
  /** A server, of the same installation, that tells the symbols of the files it takes in this one's stead. */
  readonly symbolsFrom?: ServerSpec;
  /** File that joins the projects below it. Without one in or above its directory a project is searched by itself alone. */
  readonly projectsJoinedBy?: string;
  /** Whether it tells the symbols of files that are not open; opening makes it check them, which takes longer. */
  readonly readsClosedFiles?: boolean;
  /** True if it refuses, or answers with nothing, what it is asked about single files before it is ready. */
  readonly answersOnlyWhenReady?: true;
  /**
   * Whether it answers about a document that it has not read yet, with nothing or with what stood there before. Its
   * diagnostics for the document tell that it has.
   */
  readonly answersBeforeReading?: boolean;
  /**
   * What it is offered to count columns in, best first, where it counts wrong in UTF-16 code units, which are all that is
   * offered otherwise.
   */
  readonly positionEncodings?: readonly PositionEncoding[];
  /** True if `textDocument/definition` leads from a call of an interface's method to what implements it. */
  readonly resolvesToImplementations?: boolean;
  /** What it takes for a line break, where that is not what LSP does (`\n`, `\r\n`, `\r`). Global. */
  readonly lineBreaks?: RegExp;
  /** Texts after which it misreads a change of the document: such a document is closed and opened anew. Not global. */
  readonly misreadsChangesOf?: RegExp;
  /**
   * Daemons that it starts outside its process group, by their commands: they end with it if the user has set `setting`, one
   * of {@link ServerSpec.ownSettings}, to true.
   */
  readonly daemons?: { readonly matching: RegExp; readonly setting: string };
  /** How it publishes diagnostics, where it differs from most servers. */
  readonly publishing?: Publishing;
  /** How those of its errors are known that say a text does not parse; absent where it has none. */
  readonly syntaxErrors?: SyntaxErrors;
  /** The gap of its diagnostics, if other programs find errors that it does not. */
  readonly diagnosticsGap?: Gap;
  /**
   * Codes of the diagnostics by which it reports that a whole file, or a region of one, is not part of the build: it finds
   * no references from there.
   */
  readonly notAnalyzed?: { readonly file: string; readonly region: string };
  /** Hints for failed starts, each for messages that match, in place of the hint of where it was found. */
  readonly startHints?: readonly { readonly matching: RegExp; readonly hint: string }[];
  /** Why it finds no fault in a file that has one, as the end of a sentence; absent where it looks for faults. */
  readonly findsNoFaults?: string;
  /**
   * Whether what has all methods of an interface implements it, without naming it anywhere.
   */
  readonly implementsByShape?: boolean;
  /** Directory names that hold no sources of the project; never entered. */
  readonly ignoredDirectories: readonly string[];
  /**
   * Symbols that say nothing in an overview, by name and, if given, kind: what is in them is shown instead. With `isFlat` the
   * others are shown in one list, whatever they are in.
   */
  readonly overview?: { readonly without: RegExp; readonly kind?: number; readonly isFlat?: true };
  /** Parts of symbol names that the server makes up and that need not stand in the file's text. */
  readonly inventedNames?: readonly string[];
  /** Replacements, applied in order, that turn the name which the server gives a symbol into the name in the text. */
  readonly nameRules?: readonly NameRule[];
  readonly quirks?: Quirks;
  /** Bump when our reading of its symbols changes; part of the cache key. */
  readonly symbolsVersion: number;
}

/** Returns `spec` as it is; gives a server file its type. */
export function defineServer(spec: ServerSpec): ServerSpec {
  return spec;
}

/** Returns `spec` as it is in a project that names it. */
export function asNamed(spec: ServerSpec): ServerSpec {
  if (spec.filesWhenNamed === undefined) return spec;
  return { ...spec, files: { ...spec.files, ...spec.filesWhenNamed } };
}

/** Returns the suffix of `path` that `spec` claims, the longest if several fit, or `undefined`. */
export function claimedSuffix(spec: Pick<ServerSpec, 'files'>, path: string): string | undefined {
  const fitting = Object.keys(spec.files).filter((suffix) => path.endsWith(suffix));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** Returns the LSP language id of `path`, `undefined` if `spec` does not claim its extension. */
export function languageIdOf(spec: Pick<ServerSpec, 'files'>, path: string): string | undefined {
  return spec.files[claimedSuffix(spec, path) ?? ''];
}
