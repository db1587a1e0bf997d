import { extensionIn } from '../base/paths.ts';
import type { InstallSource } from '../install/source/source.ts';
import type { Readiness } from '../lsp/readiness/readiness.ts';
import type { ServerAdapter } from './adapter.ts';
import type { Quirks } from './quirks.ts';

/** One replacement in a symbol's name; `to` is empty by default. */
export interface NameRule {
  readonly from: RegExp;
  readonly to?: string;
}

/** License of a server that is not free software. */
interface License {
  /** Name or URL. */
  readonly terms: string;
  readonly isRedistributable: boolean;
}

/** The condition under which a server is the default in place of another one. */
interface StandIn {
  /** Id of the other server. */
  readonly id: string;
  readonly npmPackage: string;
  /** The lowest major version for which this server answers better. */
  readonly fromMajor: number;
  /**
   * Returns what in a project's files this server does not support, as in "… sets `x`". `read` returns the text of a
   * project-relative file.
   */
  readonly unless?: (read: (path: string) => string | undefined) => string | undefined;
}

/** What few servers need, with the servers that belong to them. */
interface ServerQuirks extends Quirks {
  /** Further servers of a project that names this one, for files that this one does not claim. */
  readonly companions?: readonly ServerSpec[];
  /** A server of the same installation that reports the symbols of the files it claims, in place of this one. */
  readonly symbolServer?: ServerSpec;
}

export interface ServerSpec {
  /** Stable: used in project files, caches and directory names. */
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  /** Absent if the server is free software. */
  readonly license?: License;
  /** File extension, from a dot on → LSP language id. A file is only sent to a server that claims its extension. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Further extensions that usually mean something else: claimed only in a project whose configuration names this
   * server.
   */
  readonly filesWhenNamed?: Readonly<Record<string, string>>;
  /** Sources of the server, tried in this order after the user's own command. The lock pins at most one. */
  readonly install: readonly InstallSource[];
  /**
   * Names of the server's program on a user's machine, besides those in `install`; used with `SERENA_PREFER=system`.
   */
  readonly programNames?: readonly string[];
  /**
   * Programs that the server cannot work without. They are looked for on `PATH` before the server is fetched and before
   * it starts; `setting` is one of {@link ServerSpec.ownSettings} that may name the program's path instead. The hint is
   * one sentence without a full stop.
   */
  readonly requires?: readonly { readonly program: string; readonly hint: string; readonly setting?: string }[];
  /** Additions to the environment of the server's process; may contain placeholders, see {@link ServerSpec.args}. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Options for the Java virtual machine of the server, which get into `JAVA_TOOL_OPTIONS` before those of the user: not
   * every program that starts a server on Java passes options on.
   */
  readonly javaOptions?: readonly string[];
  /** True if the working directory must be the project, from which the server then reads configuration. */
  readonly runsInProject?: boolean;
  /**
   * True if only projects that name the server use it: it is an alternative to another one, or not for program code.
   */
  readonly needsExplicitChoice?: boolean;
  /**
   * Makes this server the default in place of another one in projects that depend on a new enough version of an npm
   * package. A configuration that names servers, or has settings for the other one, takes precedence.
   */
  readonly standsInFor?: StandIn;
  /** True if the server's files are text, data or markup. Such files are not reported when no server handles them. */
  readonly isMarkupOrData?: boolean;
  /** The key of `ls_specific_settings` that selects another version than the pinned one. */
  readonly versionKey?: string;
  /**
   * Keys of `ls_specific_settings` that only this server has, with their defaults; `null` for none. Each key is a
   * placeholder.
   */
  readonly ownSettings?: Readonly<Record<string, unknown>>;
  /** Keys that the reference accepts for this server and that have no effect here. */
  readonly ignoredSettings?: readonly string[];
  /**
   * Command-line arguments. Strings may contain placeholders: `{directory}` is the absolute path of the install
   * directory, `{root}` the project's, `{cache}` a directory for this server and project that no other process uses,
   * `{temp}` one that is removed when the server ends, `{find:…}` a file of the install directory. Strings with a
   * placeholder that has no value are dropped: see `expand()`.
   */
  readonly args: readonly string[];
  /** May contain placeholders, see {@link ServerSpec.args}. */
  readonly initializationOptions?: unknown;
  /** Answer to `workspace/configuration`; may contain placeholders, see {@link ServerSpec.args}. */
  readonly settings?: unknown;
  readonly ready: Readiness;
  /** Files besides sources whose changes are reported to the server; compared with the end of the base name. */
  readonly watchedFiles: readonly string[];
  /**
   * Marker files of separately loaded projects inside one root. The server searches only projects it has loaded, so
   * one file beside each marker is opened before a query across files.
   */
  readonly projectMarkers?: readonly string[];
  /**
   * Extensions of files that may refer to symbols of this server's files and that this server does not read, each with
   * the id of the server that reads both. Answers report that references from there may be missing.
   */
  readonly referencesMissingFrom?: Readonly<Record<string, string>>;
  /** Text in each of this server's files that refers to another file: the others mention names only in prose. */
  readonly importText?: string;
  /**
   * True if the server may answer about a document before it has read it, with nothing or from the previous text. Its
   * diagnostics for the document show that it has read it.
   */
  readonly mayAnswerStale?: boolean;
  /**
   * True if the server formats code itself: it runs no other program and loads no code of the project for that. All other
   * servers format only in trusted projects.
   */
  readonly formatsItself?: true;
  /** Names of directories without sources of the project; never entered. */
  readonly ignoredDirectories: readonly string[];
  /** Replacements, applied in order, that turn a name as the server reports it into the name in the text. */
  readonly nameRules?: readonly NameRule[];
  /** What few servers need. */
  readonly quirks?: ServerQuirks;
  /** What the code of the server's language needs. */
  readonly adapter?: ServerAdapter;
  /** Plain data from which a user's own server was made; absent for built-in servers. Part of the cache key. */
  readonly definition?: unknown;
  /** Part of the cache key. Increase it when the interpretation of the server's symbols changes. */
  readonly symbolsVersion: number;
}

/** What a server's record may leave out. */
type Defaulted = 'args' | 'ready' | 'watchedFiles' | 'ignoredDirectories' | 'symbolsVersion';

/** Returns a server's record; what it leaves out is empty, version 1, and ready after the handshake. */
export function defineServer(spec: Omit<ServerSpec, Defaulted> & Partial<Pick<ServerSpec, Defaulted>>): ServerSpec {
  const usual = { args: [], watchedFiles: [], ignoredDirectories: [], symbolsVersion: 1 };
  return { ready: { when: 'initialized' }, ...usual, ...spec };
}

/** Returns the source of a server that is one package of npm; `entry` is a path in the package. */
export function npmPackage(name: string, version: string, entry: string): InstallSource {
  return { from: 'npm', packages: { [name]: version }, entry: `node_modules/${name}/${entry}` };
}

/** Returns the source of a server that users install themselves; `hint` says how. */
export function onPath(program: string, hint: string): InstallSource {
  return { from: 'path', bins: [program], hint };
}

/** Returns the `files` of a server from the extensions of each LSP language id, which spaces separate. */
export function filesOf(extensions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(extensions).flatMap(([language, own]) => own.split(' ').map((extension) => [extension, language])),
  );
}

/** Returns `spec` as it applies in a project that names the server. */
export function asNamed(spec: ServerSpec): ServerSpec {
  if (spec.filesWhenNamed === undefined) return spec;
  return { ...spec, files: { ...spec.files, ...spec.filesWhenNamed } };
}

/** Returns the longest extension of `path` that `spec` claims, or `undefined`; see {@link extensionIn}. */
export function claimedExtension(spec: Pick<ServerSpec, 'files'>, path: string): string | undefined {
  return extensionIn(path, Object.keys(spec.files));
}

/** Returns the LSP language id of `path`, `undefined` if `spec` does not claim its extension. */
export function languageIdOf(spec: Pick<ServerSpec, 'files'>, path: string): string | undefined {
  return spec.files[claimedExtension(spec, path) ?? ''];
}
