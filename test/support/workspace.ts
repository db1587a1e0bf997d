import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempDir } from './temp.ts';

const fixtures = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fixtures');

/** Project directory of one test, which may change it freely. Removed on disposal or after the tests. */
export class Workspace {
  /** Absolute real path. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns the absolute path of a path relative to the root. */
  path(...segments: string[]): string {
    return join(this.root, ...segments);
  }

  /** Returns the text of a UTF-8 file with its line endings unchanged. */
  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Writes a file, creating parent directories; text is written as UTF-8. */
  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  /**
   * Makes the project consist of these files alone: relative path → text. Files that have their text already, and what
   * this program keeps in `.serena`, are not touched.
   */
  replace(files: Readonly<Record<string, string>>): void {
    const wanted = new Set(Object.keys(files));
    const directories = new Set([...wanted].flatMap((path) => parentsOf(path)));
    for (const entry of readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      const path = relative(this.root, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
      const stays = entry.isDirectory() ? directories.has(path) : wanted.has(path);
      if (!stays && path.split('/')[0] !== '.serena') rmSync(this.path(path), { recursive: true, force: true });
    }
    for (const [path, text] of Object.entries(files)) {
      if (!existsSync(this.path(path)) || this.read(path) !== text) this.write(path, text);
    }
  }

  /** Removes a file, or a directory recursively. */
  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
  }

  /** Runs git in the root and returns its stdout. */
  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...identity, ...args], { cwd: this.root, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Makes the root a Git repository whose first commit contains everything. */
  initGit(): void {
    this.git('init', '--quiet');
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--message=Start');
  }

  [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
    return Promise.resolve();
  }
}

/**
 * Copies `test/fixtures/<name>` into a temporary directory named `options.as`, by default like the fixture.
 *
 * Renames `dot-x` to `.x` and removes a trailing `.stored`, so that this repository can contain a `.gitignore`, an
 * ignored `build/` or a hostile `bunfig.toml` that have no effect in it.
 */
export function copyFixture(name: string, options: { as?: string; git?: boolean } = {}): Workspace {
  const workspace = new Workspace(join(makeTempDir(), options.as ?? name));
  cpSync(join(fixtures, name), workspace.root, { recursive: true });
  restoreNames(workspace.root);
  if (options.git) workspace.initGit();
  return workspace;
}

/** Creates a project with these files: relative path → text. */
export function makeWorkspace(files: Readonly<Record<string, string>>, options: { as?: string } = {}): Workspace {
  const workspace = new Workspace(join(makeTempDir(), options.as ?? 'project'));
  mkdirSync(workspace.root, { recursive: true });
  for (const [path, text] of Object.entries(files)) workspace.write(path, text);
  return workspace;
}

/** Returns the directories above a path, relative to the same directory. */
function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns the text files of `test/fixtures/<name>`, under the names that {@link copyFixture} gives them: path → text. */
export function fixtureFiles(name: string): Record<string, string> {
  const directory = join(fixtures, name);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = relative(directory, join(entry.parentPath, entry.name)).split(sep).map(restoredName).join('/');
      return [path, readFileSync(join(entry.parentPath, entry.name), 'utf8')];
    }),
  );
}

function restoredName(name: string): string {
  return name.replace(/^dot-/, '.').replace(/\.stored$/, '');
}

function restoreNames(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const name = restoredName(entry.name);
    if (name !== entry.name) renameSync(join(directory, entry.name), join(directory, name));
    if (entry.isDirectory()) restoreNames(join(directory, name));
  }
}
