import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { findProgram } from '../../base/find-program.ts';
import { cleanEnv } from '../clean-env.ts';
import { downloadFailed, hashMismatch, withoutCredentials } from '../failures.ts';
import type { InstallJob } from '../job.ts';
import type { GoLock, LockedModule } from '../lock-schema.ts';

// What a person needs of a failed build; the rest repeats it for every file.
const maxReasonLines = 6;

/**
 * Builds the program of `lock` with the user's own Go, as `program` in `job.staging`, and verifies that it was built from
 * exactly the pinned modules. Go's own settings (`GOPROXY`, `GOFLAGS`, ...) apply.
 *
 * @throws {ExpectedError} `install.runtime-missing` without Go; `install.download-failed` when it does not build;
 *   `install.hash-mismatch` when it was built from something else.
 */
export async function installFromGo(job: InstallJob, lock: GoLock, program: string): Promise<void> {
  const go = findProgram('go', job.env);
  if (go === undefined) throw goMissing(job);

  job.report({ message: `Building ${job.title} with Go` });
  const built = await run(go, ['install', `${lock.module}@${lock.version}`], job);
  if (built.code !== 0) {
    const reason = `\`go install\` ended with ${built.code}\n${withoutCredentials(lastLines(built.output))}`;
    throw downloadFailed(`${lock.module}@${lock.version}`, job, {
      reason,
      hints: ['Check `GOPROXY`, `GOFLAGS` and the version of Go with `go env`'],
    });
  }

  const listed = await run(go, ['version', '-m', join(job.staging, program)], job);
  verify(lock, parseModules(listed.output));
}

/** Returns the modules in the output of `go version -m`: the program's own and those it depends on. */
export function parseModules(output: string): LockedModule[] {
  const lines = output.matchAll(/^\t(?:mod|dep)\t(\S+)\t(\S+)\t(\S+)$/gm);
  return [...lines].map(([, name = '', version = '', sum = '']) => ({ name, version, sum }));
}

/** The lock lists what any system needs, so a pinned module may be absent; another one, or another sum, may not be there. */
function verify(lock: GoLock, built: readonly LockedModule[]): void {
  const describe = ({ name, version, sum }: LockedModule) => `${name} ${version} ${sum}`;
  const pinned = new Map(lock.modules.map((module) => [module.name, describe(module)]));
  const what = `${lock.module}@${lock.version}`;
  for (const module of built) {
    const expected = pinned.get(module.name) ?? 'no such module';
    if (describe(module) !== expected) throw hashMismatch(what, expected, describe(module));
  }
  if (built.some(({ name }) => name === lock.module)) return;
  throw hashMismatch(
    what,
    pinned.get(lock.module) ?? lock.module,
    'a program that does not say what it was built from',
  );
}

/** Runs Go in the staging folder and returns its exit code (or signal) and all of its output. */
function run(
  go: string,
  args: readonly string[],
  { staging, env, signal }: InstallJob,
): Promise<{ readonly code: number | string; readonly output: string }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(go, args, {
      // Never the project's folder, whose `go.mod` or `go.work` would take part.
      cwd: staging,
      env: { ...cleanEnv(env), GOBIN: staging },
      // A group of its own, so that the compilers it starts end with it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    const onAbort = () => killTree(child.pid);
    signal.addEventListener('abort', onAbort, { once: true });
    const keep = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: messageOf(error), output }));
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? killedBy ?? 'nothing', output });
    });
  });
}

function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-maxReasonLines).join('\n');
}

function goMissing({ id, title }: InstallJob): ExpectedError {
  return new ExpectedError('install.runtime-missing', `Cannot build ${title}: there is no \`go\` on \`PATH\``, {
    hints: [
      "Install Go and put its `bin` folder on `PATH`: your system's packages have it, and so has the Go project's site",
      `Put a server for \`${id}\` that you have on \`PATH\``,
    ],
  });
}
