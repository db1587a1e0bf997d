import type { OwnCommand } from './own-command.ts';

/** What a command works with; comes from `main.ts`, so that tests and other faces can give another. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** How others start this program; the program is an absolute path. */
  readonly command: OwnCommand;
  /** Entry point of the scanner's worker thread. */
  readonly workerUrl: URL;
  readonly version: string;
  /** `undefined` where the sources run. */
  readonly build: Build | undefined;
}

/** What a build wrote into the program about itself. */
export interface Build {
  /** Empty where it was built without git. */
  readonly commit: string;
  /** When the commit was made, ISO 8601; may be empty. */
  readonly date: string;
  /** What `digestOf` said of the resources. */
  readonly resources: string;
}
