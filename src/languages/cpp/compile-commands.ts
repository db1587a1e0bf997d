import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { relativeWithin } from '../../base/paths.ts';

const name = 'compile_commands.json';
/** Relative paths at which clangd looks for a project's database, in this order. */
const candidates = [name, join('build', name)];
/** Larger databases exist in real projects (some 100 MB); clangd needs a minute for those. */
const maxBytes = 64 * 1024 * 1024;
/** A quick test: parsing the database takes seconds in large projects, whose directories are absolute. */
const relativeDirectory = /"directory"\s*:\s*"(?!\/|\\\\|[A-Za-z]:)/;

/** The key and the value. In a command, which is a string, the quotes are escaped. */
const anyDirectory = /((?<!\\)"directory"\s*:\s*)("(?:[^"\\\n]|\\.)*")/g;

/**
 * clangd 22.1 resolves relative directories of a compilation database against its own working directory:
 *
 * ```json
 * [{ "directory": "build", "command": "c++ -I../include -c ../shop.cpp", "file": "../shop.cpp" }]
 * ```
 *
 * Then it finds no command for a file, and borrows that of a similar name. Returns the directory of a corrected copy;
 * `undefined` if the project needs none. Covered by the tests of relative directories in `test/languages/cpp/cpp.test.ts`.
 */
export function correctedDatabase(root: string, cache: string): string | undefined {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    try {
      const text = readInside(root, path);
      if (text === undefined) continue;
      if (!relativeDirectory.test(text)) return undefined;
      // Not parsed: that takes up to a hundred times as much memory as the text.
      const corrected = text.replace(anyDirectory, (whole, key: string, value: string) => {
        const directory: string = JSON.parse(value);
        return isAbsolute(directory) ? whole : `${key}${JSON.stringify(resolve(dirname(path), directory))}`;
      });
      writeTextAtomically(join(cache, name), corrected);
      return cache;
    } catch (error) {
      log('servers').warn(`cannot correct \`${path}\` for clangd: ${messageOf(error)}`);
      return undefined;
    }
  }
  return undefined;
}

/**
 * Returns the text of a file of the project, `undefined` if there is none. The project may be hostile.
 *
 * @throws {Error} for a file outside the project, for one that is not regular, or that is too large.
 */
function readInside(root: string, path: string): string | undefined {
  const real = realPathIfExists(path);
  if (real === undefined) return undefined;
  if (relativeWithin(realpathSync(root), real) === undefined) throw new Error('it is outside the project');
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > maxBytes) throw new Error(`it has ${stats.size} bytes, more than ${maxBytes}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function realPathIfExists(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
