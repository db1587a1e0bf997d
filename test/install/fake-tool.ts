import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir } from '../support/temp.ts';

/** Fake programs, the only ones on `PATH`. */
export class FakeTools {
  readonly directory = makeTempDir('bin');

  /** Adds a program: a shell script that first records its arguments and environment. */
  add(name: string, script: string): this {
    const path = join(this.directory, name);
    const note = `{ echo "$0 $*"; env; } >> '${this.directory}/log'`;
    writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin:/bin\n${note}\n${script}\n`);
    chmodSync(path, 0o755);
    return this;
  }

  /** The recorded arguments and environments; empty if no program was called. */
  get log(): string {
    const path = join(this.directory, 'log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}
