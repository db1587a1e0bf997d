/** Where the configuration files of a user's programs lie on this machine. Paths are absolute. */
export interface UserPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, else `.config` in the home directory: also what some programs use on macOS. */
  readonly config: string;
  /** Where the system wants applications to keep their settings. */
  readonly applications: string;
  readonly isWindows: boolean;
}

/** A program that writes its own configuration when it is asked to. */
export interface ClientProgram {
  /** Name to look for on `PATH`. */
  readonly name: string;
  /** Calls that show that it is the program we mean, and that it can do what we ask: each must end with 0 and fit. */
  readonly probes: readonly { readonly args: readonly string[]; readonly fits: RegExp }[];
  /** Arguments before `--` and our command. */
  readonly add: readonly string[];
  /** Arguments that make it show the entry that it has. */
  readonly show: readonly string[];
  /** Arguments that make it forget that entry. */
  readonly remove: readonly string[];
}

/** A program that agents run in: how it is told to start this one. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** The context that fits it. */
  readonly context: string;
  /** Whether it starts its servers in the directory that is worked in; a chat application has none. */
  readonly hasDirectory: boolean;
  readonly program?: ClientProgram;
  readonly format: 'json' | 'toml';
  /** Keys that lead to the servers in its configuration. */
  readonly servers: readonly string[];
  /** Returns what stands there for a program and its arguments. */
  entry(program: string, args: readonly string[]): Readonly<Record<string, unknown>>;
  /** Returns the files that may hold its configuration, at least one, the one to make first. */
  files(places: UserPlaces): readonly string[];
  /** For a file that is the program's own memory, which it writes at any time: that one is changed through the program. */
  readonly isOwnMemory?: true;
}
