import { join } from 'node:path';
import { installEnv } from './client.ts';
import { type Ended, runProgram } from './program.ts';
import { makeTempDir, sharedHome } from './temp.ts';

let packed: Promise<string> | undefined;

/** Home directory to pack from: the shared one, so that the download is kept. */
export function packShared(...args: readonly string[]): Promise<Ended> {
  const env = { ...installEnv(), HOME: process.env.HOME ?? '', SERENA_HOME: sharedHome() };
  return runProgram(['servers', 'pack', ...args], { env, timeoutMs: 240_000 });
}

/** Returns the absolute path of a bundle with pyright for this platform, packed once per process. */
export function pythonBundle(): Promise<string> {
  packed ??= (async () => {
    const path = join(makeTempDir('bundle'), 'python.tar');
    const { code, stderr } = await packShared('-o', path, 'python');
    if (code !== 0) throw new Error(`Packing failed: ${stderr}`);
    return path;
  })();
  return packed;
}
