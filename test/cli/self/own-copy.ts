import { join } from 'node:path';
import { placeProgram } from '../../support/place-program.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

/** An installation of the compiled program of a user, at a path below the user's home directory. */
export class OwnCopy {
  /** Absolute path of the user's home directory. */
  readonly home = makeTempDir('user');
  /** Absolute path of the program. */
  readonly program: string;
  /** Absolute path of the program that it is a copy of. */
  readonly origin: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(path = '.local/bin/serena', env: Readonly<Record<string, string>> = {}) {
    this.program = join(this.home, path);
    this.#env = env;
    this.origin = placeProgram(this.program);
  }

  /** Runs it with a `PATH` without package managers. */
  run(...args: string[]): Promise<Ended> {
    const own = { HOME: this.home, SERENA_HOME: join(this.home, '.serena'), PATH: join(this.home, 'bin') };
    return runProgram(args, { binary: this.program, env: { ...own, ...this.#env } });
  }
}
