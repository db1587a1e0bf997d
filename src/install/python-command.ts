import { ExpectedError } from '../base/errors.ts';
import { findProgram } from '../base/find-program.ts';
import { cleanEnv } from './clean-env.ts';
import type { Command } from './js-runtime.ts';
import { serverFolders } from './layout.ts';

/** A server written in Python: what to call, and with what. */
export interface PythonProgram {
  /** Our home folder. */
  readonly home: string;
  /** Absolute path of the folder that its packages lie in. */
  readonly packages: string;
  /** `module:name` of the function to call; its result is the exit code. */
  readonly function: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For messages. */
  readonly name: string;
}

// Arguments that follow `-c` are the program's own.
const script = `
import importlib, sys
sys.path.insert(0, sys.argv.pop(1))
module, name = sys.argv.pop(1).split(':')
sys.exit(getattr(importlib.import_module(module), name)())
`.trim();

/**
 * Returns how to run a Python server on the user's own Python. It imports what was installed and the standard library, and
 * nothing else: neither from the working directory, which is taken to be hostile, nor from what the user has installed.
 *
 * @throws {ExpectedError} `install.runtime-missing` without Python.
 */
export function pythonCommand({ home, packages, function: entry, args, env, name }: PythonProgram): Command {
  const python = ['python3', 'python'].map((program) => findProgram(program, env)).find((path) => path !== undefined);
  if (python === undefined) {
    throw new ExpectedError('install.runtime-missing', `Cannot start ${name}: there is no \`python3\` on \`PATH\``, {
      hints: ['Install Python 3 and put it on `PATH`'],
    });
  }
  // Isolated, without packages of the machine, and with what Python compiles kept out of the installation.
  const flags = ['-I', '-S', '-X', `pycache_prefix=${serverFolders(home).pythonCache}`];
  return { command: python, args: [...flags, '-c', script, packages, entry, ...args], env: cleanEnv(env) };
}
