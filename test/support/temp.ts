import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'serena-test-run-';
const leftoverMs = 60 * 60 * 1000;
let own: string | undefined;

/** Returns the directory that `npm test` provides and removes; a manually run file gets its own. */
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

/** Removes directories of earlier manual runs: Bun's runner emits no `exit` event at which to remove them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > leftoverMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns the absolute real path of a new, empty directory, which is removed after the tests. */
export function makeTempDir(name = 'dir'): string {
  return realpathSync(mkdtempSync(join(parent(), `${name}-`)));
}

/**
 * Returns the `SERENA_HOME` that tests share, so that each language server is downloaded once per run. For manually run
 * files the directory is kept between runs.
 */
export function sharedHome(): string {
  const home = process.env.SERENA_TEST_HOME ?? join(tmpdir(), 'serena-test-home');
  mkdirSync(home, { recursive: true });
  return home;
}
