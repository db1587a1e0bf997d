import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'serena-test-run-';
const leftoverMs = 60 * 60 * 1000;
let own: string | undefined;

/** `npm test` says where, and removes it; a file that is run by hand gets a place of its own. */
function parent(): string {
  const given = process.env.SERENA_TEST_TMP;
  if (given !== undefined) {
    mkdirSync(given, { recursive: true });
    return given;
  }
  if (own === undefined) {
    removeLeftovers();
    own = mkdtempSync(join(tmpdir(), prefix));
  }
  return own;
}

/** The runner ends without an `exit` event, so what a run by hand leaves is removed by a later one. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > leftoverMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns the absolute real path of a new, empty directory that goes away after the tests. */
export function makeTempDir(name = 'dir'): string {
  return realpathSync(mkdtempSync(join(parent(), `${name}-`)));
}

/**
 * Returns the `SERENA_HOME` that tests share, so that each language server is fetched once for all of them. Run by
 * hand, that is a directory that stays, for the same reason.
 */
export function sharedHome(): string {
  const home = process.env.SERENA_TEST_HOME ?? join(tmpdir(), 'serena-test-home');
  mkdirSync(home, { recursive: true });
  return home;
}
