import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { serverDirectories } from '../../install/store/layout.ts';

/** A directory for the temporary files of one running server, which servers leave behind when they end. */
interface TemporaryDirectory {
  /** Absolute. */
  readonly path: string;
  /** Environment variables that make a program use the directory. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the directory with its content. */
  remove(): void;
}

/**
 * Creates a temporary directory below `home` (absolute path), and removes those of ended processes, because a killed
 * process cannot. If nothing can be written there, the server gets the system's temporary directory.
 */
export function makeTemporaryDirectory(home: string): TemporaryDirectory {
  const { running } = serverDirectories(home);
  const path = join(running, `${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path, { recursive: true });
    removeAbandoned(running);
  } catch (error) {
    log('servers').warn(`Servers use the system's temporary directory: ${messageOf(error)}`);
    return { path: tmpdir(), env: {}, remove: () => undefined };
  }
  return { path, env: { TMPDIR: path, TMP: path, TEMP: path }, remove: () => removeDirectory(path) };
}

function removeAbandoned(running: string): void {
  for (const name of readdirSync(running)) {
    if (!isProcessAlive(Number.parseInt(name, 10))) removeDirectory(join(running, name));
  }
}

function removeDirectory(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    log('servers').debug(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}
