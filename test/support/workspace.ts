import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempDir } from './temp.ts';

const fixtures = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fixtures');

/** A project directory of one test's own, which it may change as it likes. Removed on disposal or after the tests. */
export class Workspace {
  /** Absolute real path. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns the absolute path of a file given relative to the root. */
  path(...segments: string[]): string {
    return join(this.root, ...segments);
  }

  /** Returns the text of a file, UTF-8, line endings as they are. */
  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Writes a file and the directories above it; text is written as UTF-8. */
  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  /** Removes a file, or a directory with what is in it. */
  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
  }

  /** Runs git in the root and returns what it printed. */
  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...identity, ...args], { cwd: this.root, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Makes the root a git repository with everything in its first commit. */
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
 * Copies `test/fixtures/<name>` into a temporary directory named `options.as`, or like the fixture.
 *
 * Names change on the way: `dot-x` becomes `.x`, and a trailing `.stored` falls off. So a `.gitignore`, an ignored
 * `build/` or a hostile `bunfig.toml` can be kept in this repository without having any effect in it.
 */
export function copyFixture(name: string, options: { as?: string; git?: boolean } = {}): Workspace {
  const workspace = new Workspace(join(makeTempDir(), options.as ?? name));
  cpSync(join(fixtures, name), workspace.root, { recursive: true });
  restoreNames(workspace.root);
  if (options.git) workspace.initGit();
  return workspace;
}

/** Makes a project of just the given files: relative path → text. */
export function makeWorkspace(files: Readonly<Record<string, string>>, options: { as?: string } = {}): Workspace {
  const workspace = new Workspace(join(makeTempDir(), options.as ?? 'project'));
  mkdirSync(workspace.root, { recursive: true });
  for (const [path, text] of Object.entries(files)) workspace.write(path, text);
  return workspace;
}

function restoreNames(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const name = entry.name.replace(/^dot-/, '.').replace(/\.stored$/, '');
    if (name !== entry.name) renameSync(join(directory, entry.name), join(directory, name));
    if (entry.isDirectory()) restoreNames(join(directory, name));
  }
}
