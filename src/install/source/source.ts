import type { TargetName } from '../target.ts';

/**
 * How a server's program is run: on this program's own executable (`js`), directly (`native`), or by another program,
 * which is on `PATH` or in the installation (a placeholder, as in a spec). `args` come before the spec's arguments and
 * are `{program}` by default, which expands to the absolute path of the server's program.
 */
export type Runner =
  | 'js'
  | 'native'
  | {
      readonly by: string;
      readonly args?: readonly string[];
      /** A hint for installing `by`: one sentence without a full stop. */
      readonly hint?: string;
    };

/** npm packages: a closure that the lock lists, fetched without npm and without running install scripts. */
export interface NpmSource {
  readonly from: 'npm';
  /** Versions by package name, the server itself first. Their dependencies are in the lock. */
  readonly packages: Readonly<Record<string, string>>;
  /** The program relative to the installation, with `/`. `{os}`, `{cpu}` (npm's terms) and `{exe}` are expanded. */
  readonly entry: string;
  /** True if `packages` contain their dependencies, so that none are fetched. */
  readonly isBundled?: true;
  /** `js` by default. */
  readonly runs?: Runner;
}

/** A Go program, built by the user's Go from modules that the lock lists, or prebuilt if a bundle has it. */
export interface GoSource {
  readonly from: 'go';
  /** The package that contains the program, such as `golang.org/x/tools/gopls`. */
  readonly module: string;
  readonly version: string;
  /** The program's name without `.exe`. */
  readonly bin: string;
}

/** Wheels from the Python Package Index: a closure that the lock lists. */
export interface PypiSource {
  readonly from: 'pypi';
  /** Versions by package name, the server itself first. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * True if `packages` names all packages that are installed: for a server that runs without a declared dependency, of
   * which there are only wheels for one version of Python each.
   */
  readonly isComplete?: true;
  /**
   * Either a program in a wheel, relative to the installation, with `/` and optionally `{exe}`; or the function
   * `module:name`, which the user's Python calls with the wheels on its path.
   */
  readonly run: { readonly program: string } | PythonEntry;
}

/** A function that the user's Python calls. */
export interface PythonEntry {
  /** As `module:name`. */
  readonly python: string;
  /** The oldest Python version that all wheels support, such as `3.11`. */
  readonly atLeast: string;
  /**
   * Values by `module:name` that are assigned before the call, for settings that the server does not expose otherwise.
   * Whole numbers become integers; placeholders are expanded as in a spec.
   */
  readonly set?: Readonly<Record<string, string>>;
}

export interface ArchiveAsset {
  /** Replaces `{file}` in the URL. */
  readonly file: string;
  /** The program in it, relative to the installation, with `/`. */
  readonly bin: string;
  /** Additional files of the same release, such as a runtime, by their directory in the installation. */
  readonly also?: Readonly<Record<string, string>>;
  /** Further placeholders whose values differ between platforms. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A release on the site of the server's project. */
export interface ArchiveSource {
  readonly from: 'archive';
  readonly version: string;
  /** `{version}` and `{file}` are replaced. */
  readonly url: string;
  /** By platform; `any` if one file works everywhere. Platforms without an entry are not supported. */
  readonly assets: Readonly<Partial<Record<TargetName | 'any', ArchiveAsset>>>;
  /** Number of leading path components to strip from the archive's entries. */
  readonly strip?: number;
  /** `native` by default. */
  readonly runs?: Runner;
}

/** A Ruby gem, installed by the user's Ruby. It cannot be verified, so the user must allow it. */
export interface GemSource {
  readonly from: 'gem';
  readonly gem: string;
  readonly version: string;
  readonly bin: string;
}

/** A .NET tool, installed by the user's .NET. It cannot be verified, so the user must allow it. */
export interface DotnetSource {
  readonly from: 'dotnet';
  readonly tool: string;
  readonly version: string;
  readonly bin: string;
}

interface PathSource {
  readonly from: 'path';
  /** Program names to search on `PATH`, in this order, without `.exe`; or absolute paths. */
  readonly bins: readonly string[];
  /** A hint for installing it: one sentence without a full stop. */
  readonly hint: string;
  readonly runs?: Runner;
  /**
   * Arguments with which the program ends with 0 only if it includes the server. For programs that can exist without it,
   * because the server is a package of the language.
   */
  readonly probe?: readonly string[];
}

/** A server that another program runs, listening on TCP on this machine. */
interface AttachSource {
  readonly from: 'attach';
  readonly port: number;
  /** A hint for starting it: one sentence without a full stop. */
  readonly hint: string;
}

/** Sources that the lock pins. */
export type PinnedSource = NpmSource | GoSource | PypiSource | ArchiveSource;

/** Sources that can be installed: pinned ones, and those of other package managers. */
export type InstallableSource = PinnedSource | GemSource | DotnetSource;

/** True if the lock pins `source`. */
export function isPinnedSource(source: InstallSource): source is PinnedSource {
  return ['npm', 'go', 'pypi', 'archive'].includes(source.from);
}

/** True if `source` can be installed, at least on some platform. */
export function isInstallable(source: InstallSource): source is InstallableSource {
  return source.from === 'gem' || source.from === 'dotnet' || isPinnedSource(source);
}

/** The source of a server, as its spec declares it. The exact bytes are pinned by the lock. */
export type InstallSource = PinnedSource | GemSource | DotnetSource | PathSource | AttachSource;
