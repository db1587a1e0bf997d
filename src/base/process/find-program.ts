import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Returns the absolute path of program `name` on `env.PATH`, or `undefined`. On Windows the extensions in `PATHEXT` are
 * tried. Relative entries of `PATH` are ignored: they would let a project's directory supply the program.
 */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): string | undefined {
  const directories = (env.PATH ?? env.Path ?? '').split(delimiter).filter((directory) => isAbsolute(directory));
  for (const directory of directories) {
    const found = extensions(env, platform)
      .map((extension) => join(directory, name + extension))
      .find(isRunnable);
    if (found !== undefined) return found;
  }
  return undefined;
}

function extensions(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): readonly string[] {
  return platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD;.BAT;.COM').toLowerCase().split(';') : [''];
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
