import type { OwnCommand } from '../base/process/own-command.ts';
import type { LineStreams } from '../mcp/stdio.ts';
import type { ServiceIdentity } from '../service/service-address.ts';
import type { Caller } from './caller.ts';
import type { SessionHost } from './session.ts';

/** Environment of a command. Passed in by `main.ts`, so that tests can pass another. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Command that starts this program; the program is an absolute path. */
  readonly command: OwnCommand;
  /** Entry point of the scanner's worker thread. */
  readonly workerUrl: URL;
  readonly version: string;
  /** The streams of the MCP client; stdin and stdout if absent. */
  readonly streams?: LineStreams | undefined;
  /** The process on whose behalf a command runs; this process if absent. */
  readonly caller?: Caller | undefined;
  /** Returns the host of a command's sessions; without it they have language servers of their own. */
  openHost?(environment: Environment): Promise<SessionHost>;
  /** `undefined` if the program runs from its sources. */
  readonly build: Build | undefined;
}

/** Facts about the build, embedded in the program. */
export interface Build {
  /** Empty if it was built without git. */
  readonly commit: string;
  /** Date of the commit, ISO 8601; may be empty. */
  readonly date: string;
  /** Result of `digestOf` for the embedded resources. */
  readonly resources: string;
  /** Name in a release of the platform that it was built for, such as `linux-x64-musl`. */
  readonly target: string;
  /** Base URL of releases, without a trailing `/`; empty if unknown. */
  readonly releases: string;
}

/** Returns the facts that determine the service of this program and environment. */
export function serviceIdentity({ env, version, build }: Environment): ServiceIdentity {
  return { env, version: `${version}+${build?.commit ?? ''}`, program: process.execPath };
}
