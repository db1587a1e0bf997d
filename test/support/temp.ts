import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
    if (age > leftoverMs) tryRemove(path);
  }
}

/** A file system that an interrupted run left mounted cannot be removed, which is no reason for other tests to fail. */
function tryRemove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    console.warn(`cannot remove ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the absolute real path of a new, empty directory, which is removed after the tests. */
export function makeTempDir(name = 'dir'): string {
  return realpathSync(mkdtempSync(join(parent(), `${name}-`)));
}

/**
 * Configuration with which no answer depends on how fast a language server reports the problems after an edit, and with
 * which no server starts unasked.
 */
export const quietEdits = { report_edit_diagnostics: false, start_servers_early: false };

/**
 * Returns the `SERENA_HOME` that tests share, so that each language server is downloaded once per run. For manually run
 * files the directory is kept between runs.
 */
export function sharedHome(): string {
  const home = process.env.SERENA_TEST_HOME ?? join(tmpdir(), 'serena-test-home');
  mkdirSync(home, { recursive: true });
  configure(join(home, 'serena_config.yml'));
  return home;
}

/** Writes {@link quietEdits} to the configuration at `path`, unless it has this key. Other processes may do so as well. */
function configure(path: string): void {
  const known = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (known?.includes('start_servers_early')) return;
  const own = `${path}.${process.pid}`;
  const missing = Object.entries(quietEdits).filter(([key]) => known?.includes(key) !== true);
  const lines = missing.map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(own, `${lines.join('')}${known ?? 'projects: []\n'}`);
  if (known !== undefined) {
    // A home of an earlier run: nothing uses it yet.
    renameSync(own, path);
    return;
  }
  try {
    linkSync(own, path);
  } catch {
    // Another process was faster, and its program may have changed the file since.
  }
  rmSync(own);
}
