import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the directory in which tests keep what they download between runs, such as the registry Verdaccio and JDT LS:
 * `SERENA_TEST_CACHE`, or `serena-tests` in the user's cache directory. Creates it if needed. `os.tmpdir()` would not do:
 * `npm test` gives each file a temporary directory of its own, so every file that needs a download would repeat it.
 */
export function testCache(): string {
  const { SERENA_TEST_CACHE: given, XDG_CACHE_HOME: caches } = process.env;
  const directory = given || join(caches || join(homedir(), '.cache'), 'serena-tests');
  mkdirSync(directory, { recursive: true });
  return directory;
}
