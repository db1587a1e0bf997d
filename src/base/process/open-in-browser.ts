import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../errors.ts';
import { log } from '../log.ts';
import { makePrivateDirectory } from '../private-directory.ts';
import { findProgram } from './find-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Opens a URL with a secret in the user's browser, and returns whether a program for that was started. The program gets
 * the path of a private file in `directory` that leads to the URL: other users can read command lines.
 */
export function openInBrowser(url: string, { directory, env }: { directory: string; env: Env }): boolean {
  const [name, ...args] = browserOpener(env);
  const program = name === undefined ? undefined : findProgram(name, env);
  if (program === undefined) return false;
  try {
    makePrivateDirectory(directory);
    const path = join(directory, 'open.html');
    const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${encodeURI(url)}">\n`;
    writeFileSync(path, page, { mode: 0o600 });
    const child = spawn(program, [...args, pathToFileURL(path).href], {
      ...{ cwd: directory, env: { ...env }, detached: true, stdio: 'ignore' },
    });
    child.on('error', (error) => log('dashboard').warn(`cannot open a browser: ${messageOf(error)}`));
    child.unref();
    return true;
  } catch (error) {
    log('dashboard').warn(`cannot open a browser: ${messageOf(error)}`);
    return false;
  }
}

/** Returns the program that opens a page, with its first arguments; none without a display. */
export function browserOpener(env: Env, platform = process.platform): readonly string[] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
