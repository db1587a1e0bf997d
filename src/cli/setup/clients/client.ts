import type { HookClient } from '../../../hooks/hook-client.ts';

/** Directories with the configuration files of a user's programs. Paths are absolute. */
export interface UserDirectories {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, else `.config` in the home directory; some programs use it on macOS too. */
  readonly config: string;
  /** The operating system's directory for application settings. */
  readonly applications: string;
  readonly isWindows: boolean;
}

/** A client's program, with commands that change its own configuration. */
export interface ClientProgram {
  /** Name to look for on `PATH`. */
  readonly name: string;
  /** Calls that verify that it is the right program with the required commands: each must exit with 0 and match. */
  readonly probes: readonly { readonly args: readonly string[]; readonly fits: RegExp }[];
  /** Arguments before `--` and the command to add. */
  readonly add: readonly string[];
  /** Arguments that show the existing entry. */
  readonly show: readonly string[];
  /** Arguments that remove the existing entry. */
  readonly remove: readonly string[];
}

/** An MCP client, and how to configure it to start this program. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** Name of the context for this client. */
  readonly context: string;
  /** True if it starts servers in the project directory; a chat application has none. */
  readonly hasDirectory: boolean;
  readonly program?: ClientProgram;
  /** Names of its programs on `PATH`, for a client without {@link program}. */
  readonly programs?: readonly string[];
  /** Of its configuration file; in a `yaml-list` the servers are a list whose items have a `name`. */
  readonly format: 'json' | 'toml' | 'yaml' | 'yaml-list';
  /** Path of keys to the servers in its configuration. */
  readonly servers: readonly string[];
  /** Returns the entry for a program and its arguments. */
  entry(program: string, args: readonly string[]): Readonly<Record<string, unknown>>;
  /** Returns the possible configuration files, at least one; the first is the one to create. */
  files(directories: UserDirectories): readonly string[];
  /** Returns the directory from which it reads the user's skills. */
  skills?(directories: UserDirectories): string;
  /** Returns the JSON file from which it reads the user's hooks; set for clients that `serena hooks` supports. */
  hooks?(directories: UserDirectories): string;
  /** Client whose hooks it runs, if not those of its own id. */
  readonly hookClient?: HookClient;
  /** Set if the client also keeps its state in that file and rewrites it at any time: only its program may change it. */
  readonly isStateFile?: true;
}
