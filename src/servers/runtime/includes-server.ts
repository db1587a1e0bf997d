import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { userHome } from '../../base/home.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How long a program may take to report whether it includes a server: some load a whole language first. */
const timeoutMs = 10_000;

/**
 * True if the program at an absolute path ends with 0 when it is called with `args`, which ask it for a server. It runs
 * outside every project, without input, and is killed after a few seconds.
 */
export function includesServer(program: string, args: readonly string[], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...env, ...withoutChanges(program, env) },
      stdio: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Returns variables that keep rustup's proxies from installing a toolchain, and from creating a directory for toolchains. */
function withoutChanges(program: string, env: Env): Env {
  const toolchains = toolchainsIn(env);
  const isThere = toolchains !== undefined && existsSync(toolchains);
  return { RUSTUP_AUTO_INSTALL: '0', RUSTUP_HOME: isThere ? toolchains : program };
}

/** Returns the absolute path of rustup's directory; `undefined` for a user id without a home directory. */
function toolchainsIn(env: Env): string | undefined {
  try {
    return env.RUSTUP_HOME ?? join(userHome(env), '.rustup');
  } catch (error) {
    if (isExpected(error, 'install.home-unusable')) return undefined;
    throw error;
  }
}
