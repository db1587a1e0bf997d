import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { inOwnGroup, signalGroup } from '../base/process/group.ts';

/** A file that differs between two states of a repository; an absent side does not exist there. */
export interface ChangedFile {
  /** Relative to the project. */
  readonly path: string;
  /** `lost`: it existed, and its content is no longer kept. */
  readonly old: Uint8Array | 'lost' | undefined;
  /** `on-disk`: what the worktree has now. */
  readonly new: Uint8Array | 'on-disk' | undefined;
}

export interface ChangedFiles {
  /** What was compared, for the answer. */
  readonly compared: string;
  readonly files: readonly ChangedFile[];
  /** True if the new state is not that of the worktree. */
  readonly isHistoric: boolean;
}

interface Query {
  readonly root: string;
  /** A commit, a range, `staged`, or empty for the default. */
  readonly base: string;
  /** True for files that matter. */
  accepts(path: string): boolean;
}

/** The state that changes are compared with, and the other state: a commit, the index or the worktree. */
interface Comparison {
  readonly from: string;
  readonly to: string | 'index' | 'worktree';
  readonly compared: string;
}

/** A file in two trees, each with its object or `on-disk`; `undefined` where the file does not exist. */
interface Entry {
  readonly path: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

const mainBranches = ['origin/HEAD', 'main', 'master', 'origin/main', 'origin/master'];

/**
 * Returns the regular files that differ from a base, with both contents, sorted by path. Files that Git does not track
 * belong to the worktree unless they are ignored.
 *
 * @throws {ExpectedError} `tool.failed-assertion` if there is no repository or no such commit.
 */
export async function changedFiles(git: Git, query: Query): Promise<ChangedFiles> {
  const comparison = await comparisonOf(git, query.base);
  const { from, to, compared } = comparison;
  const committed = await entriesBetween(git, from, to);
  const entries = to === 'worktree' ? await withWorktree(git, committed, query) : committed;
  const wanted = entries.filter(({ path }) => query.accepts(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const ids = wanted.flatMap(({ old, new: current }) => [old, current === 'on-disk' ? undefined : current]);
  const blobs = await readBlobs(git, [...new Set(ids.flatMap((id) => id ?? []))]);
  const files = wanted.map(({ path, old, new: current }): ChangedFile => {
    const blobOf = (id: string | undefined) => (id === undefined ? undefined : blobs.get(id));
    return { path, old: blobOf(old), new: current === 'on-disk' ? current : blobOf(current) };
  });
  return { compared, files, isHistoric: to !== 'worktree' };
}

async function comparisonOf(git: Git, base: string): Promise<Comparison> {
  if (base === 'staged') return { from: await required(git, 'HEAD'), to: 'index', compared: 'the index with HEAD' };
  const range = /^(.*?)(\.{2,3})(.*)$/s.exec(base);
  if (range) {
    const [old, current] = [await required(git, range[1] || 'HEAD'), await required(git, range[3] || 'HEAD')];
    const from = range[2] === '...' ? ((await git.mergeBase(old, current)) ?? old) : old;
    return { from, to: current, compared: `${short(current)} with ${short(from)}` };
  }
  if (base !== '') {
    const from = await required(git, base);
    return { from, to: 'worktree', compared: `the working tree with ${short(from)}` };
  }
  const { from, name } = await defaultBase(git);
  return { from, to: 'worktree', compared: `the working tree with ${short(from)} (${name})` };
}

async function defaultBase(git: Git): Promise<{ from: string; name: string }> {
  const head = await required(git, 'HEAD');
  for (const name of ['@{upstream}', ...mainBranches]) {
    const other = await git.commit(name);
    const from = other && (await git.mergeBase(head, other));
    if (from) return { from, name: `merge base of HEAD and ${name}` };
  }
  return { from: head, name: 'HEAD: there is no upstream, main or master' };
}

async function required(git: Git, revision: string): Promise<string> {
  const commit = await git.commit(revision);
  if (commit !== undefined) return commit;
  throw new ExpectedError('tool.failed-assertion', `there is no Git repository with a commit \`${revision}\` here`, {
    hints: ['pass a commit, a range `a..b`, `staged` or `session` as `base`'],
  });
}

function short(commit: string): string {
  return commit.slice(0, 10);
}

async function entriesBetween(git: Git, from: string, to: Comparison['to']): Promise<Entry[]> {
  const options = ['--raw', '-r', '-z', '--relative', '--no-renames', '--no-abbrev', '--ignore-submodules=all'];
  const output =
    to === 'index' || to === 'worktree'
      ? await git.run('diff-index', ['--cached', ...options.filter((one) => one !== '-r'), from])
      : await git.run('diff-tree', [...options, from, to]);
  const parts = output.toString('utf8').split('\0');
  return parts.flatMap((head, index) => {
    const [, oldMode = '', newMode = '', old = '', current = ''] = /^:(\d+) (\d+) (\w+) (\w+) \w+$/.exec(head) ?? [];
    const path = parts[index + 1];
    if (path === undefined || (!isRegular(oldMode) && !isRegular(newMode))) return [];
    return [{ path, old: isRegular(oldMode) ? old : undefined, new: isRegular(newMode) ? current : undefined }];
  });
}

function isRegular(mode: string): boolean {
  return mode.startsWith('100');
}

/**
 * Returns the entries with the worktree in place of the index. Git is not asked about the worktree, because it may apply
 * the repository's filters, which are programs: a file whose time and size differ from those in the index is read.
 */
async function withWorktree(git: Git, committed: readonly Entry[], { root, accepts }: Query): Promise<Entry[]> {
  const entries = new Map(committed.map((entry) => [entry.path, entry]));
  const listing = (await git.run('ls-files', ['--stage', '--debug', '-z'])).toString('utf8');
  const tracked = /(\d{6}) (\w+) \d\t([^\0]+)\0\s+ctime: [\d:]+\s+mtime: (\d+):(\d+)\s[^\0]*?size: (\d+)/g;
  for (const [, mode = '', id = '', path = '', seconds = '', nanoseconds = '', size = ''] of listing.matchAll(
    tracked,
  )) {
    if (!isRegular(mode) || !accepts(path)) continue;
    const stats = statSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    const modified = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
    if (stats?.mtimeNs === modified && stats.size === BigInt(size)) continue;
    const known = entries.get(path);
    const current = stats?.isFile() ? ('on-disk' as const) : undefined;
    entries.set(path, { path, old: known ? known.old : id, new: current });
  }
  const untracked = (await git.run('ls-files', ['--others', '--exclude-standard', '-z'])).toString('utf8').split('\0');
  for (const path of untracked.filter((one) => one !== '' && !one.endsWith('/'))) {
    entries.set(path, { path, old: entries.get(path)?.old, new: 'on-disk' });
  }
  return [...entries.values()].map((entry) =>
    entry.new === undefined || entry.new === 'on-disk' ? entry : { ...entry, new: 'on-disk' as const },
  );
}

async function readBlobs(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const output = await git.run('cat-file', ['--batch'], `${ids.join('\n')}\n`);
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const [id = '', , size] = output.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    blobs.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

/**
 * Settings of a repository that make Git run programs, in the commands that {@link Git} accepts. Filters and text
 * conversions cannot be listed: commands that apply them to files are not used.
 */
const safeSettings = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.untrackedCache=false'],
  ...['-c', 'submodule.recurse=false'],
];

/** Commands that read the object database and the index, and run no program of the repository's choice. */
type Command = 'cat-file' | 'diff-index' | 'diff-tree' | 'ls-files' | 'ls-tree' | 'merge-base' | 'rev-parse';

const maxOutputBytes = 256 * 1024 * 1024;

interface GitOptions {
  /** Absolute path of a directory in the worktree; paths are relative to it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Reads the Git repository of a project, whose configuration may be hostile. */
export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /**
   * Returns the output of a command.
   *
   * @throws {ExpectedError} `tool.failed-assertion` with the reason.
   */
  async run(command: Command, args: readonly string[], input = ''): Promise<Buffer> {
    const { code, stdout, stderr } = await this.#start([command, ...args], input);
    if (code === 0) return stdout;
    const [message = 'no message'] = stderr.trim().split('\n');
    throw new ExpectedError('tool.failed-assertion', `\`git ${command}\` failed: ${message}`, {
      hints: ['pass a commit, a range `a..b`, `staged` or `session` as `base`'],
    });
  }

  /** Returns the commit that a revision names, or `undefined`. */
  async commit(revision: string): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const { code, stdout } = await this.#start(args, '');
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  }

  /**
   * Returns the ids of the contents of all regular files in a revision, by path.
   *
   * @throws {ExpectedError} `tool.failed-assertion`.
   */
  async blobs(revision: string): Promise<ReadonlyMap<string, string>> {
    const listing = (
      await this.run('ls-tree', ['-r', '-z', '--end-of-options', await required(this, revision)])
    ).toString('utf8');
    return new Map(
      [...listing.matchAll(/(\d+) blob (\w+)\t([^\0]+)\0/g)].flatMap(([, mode = '', id = '', path = '']) =>
        isRegular(mode) ? [[path, id] as const] : [],
      ),
    );
  }

  /** Returns the best common ancestor of two commits, or `undefined`. */
  async mergeBase(a: string, b: string): Promise<string | undefined> {
    const { code, stdout } = await this.#start(['merge-base', a, b], '');
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  }

  #start(args: readonly string[], input: string): Promise<{ code: number | null; stdout: Buffer; stderr: string }> {
    const { root, env, signal } = this.#options;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      // Started outside the project: Windows looks for programs in the working directory.
      const child = spawn('git', ['--no-pager', ...safeSettings, '-C', root, ...args], {
        cwd: dirname(process.execPath),
        env: gitEnvironment(env),
        stdio: ['pipe', 'pipe', 'pipe'],
        ...inOwnGroup,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let stderr = '';
      const end = () => signalGroup(child, 'SIGKILL');
      signal.addEventListener('abort', end, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxOutputBytes) end();
        else chunks.push(chunk);
      });
      child.stderr.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString('utf8')).slice(0, 10_000);
      });
      child.stdin.on('error', () => undefined);
      child.on('error', (error) => reject(notStarted(error)));
      child.on('close', (code) => {
        signal.removeEventListener('abort', end);
        if (signal.aborted) reject(signal.reason);
        else resolve({ code, stdout: Buffer.concat(chunks), stderr });
      });
      child.stdin.end(input);
    });
  }
}

/** Returns an environment in which Git asks nobody, takes no lock, and fetches nothing that a partial clone lacks. */
function gitEnvironment(env: GitOptions['env']): Record<string, string | undefined> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  return {
    ...own,
    SERENA_HTTP_TOKEN: undefined,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
  };
}

function notStarted(error: unknown): ExpectedError {
  const message =
    systemCode(error) === 'ENOENT' ? 'Git is not installed, or not on `PATH`' : `cannot run Git: ${messageOf(error)}`;
  return new ExpectedError('tool.failed-assertion', message, { hints: ['install Git'], cause: error });
}
