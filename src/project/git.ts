import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { inOwnGroup, signalGroup } from '../base/process/group.ts';

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
type Command = 'cat-file' | 'diff-index' | 'diff-tree' | 'ls-files' | 'merge-base' | 'rev-parse';

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
