import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { mustRun } from '../../speed/fetch.ts';
import { contenderDirectory } from './contender-directory.ts';

const GoEnv = z.record(z.string(), z.string());

/**
 * Returns variables that give a contender a home directory of its own, below the cache, while compilers and language
 * servers still find the user's packages and build caches.
 */
export async function homeEnv(contender: string): Promise<Record<string, string> & { readonly HOME: string }> {
  const home = contenderDirectory(contender, 'home');
  mkdirSync(home, { recursive: true });
  const go = await mustRun('go', ['env', '-json', 'GOPATH', 'GOMODCACHE', 'GOCACHE'], home);
  const pyenv = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv');
  const { CARGO_HOME = join(homedir(), '.cargo'), RUSTUP_HOME = join(homedir(), '.rustup') } = process.env;
  return { HOME: home, PYENV_ROOT: pyenv, CARGO_HOME, RUSTUP_HOME, ...GoEnv.parse(JSON.parse(go)) };
}
