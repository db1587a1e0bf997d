import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { serverFolders } from '../../install/store/layout.ts';

/** A folder for what one running server writes beside its work; servers leave such files behind when they end. */
export interface TemporaryFolder {
  /** Absolute. */
  readonly path: string;
  /** Variables that make a program use the folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the folder with all that is in it. */
  remove(): void;
}

/**
 * Makes a temporary folder below our home folder (absolute path), and removes those of processes that are gone: a killed
 * one cannot. Where nothing can be written the server gets the system's own.
 */
export function makeTemporaryFolder(home: string): TemporaryFolder {
  const { running } = serverFolders(home);
  const path = join(running, `${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path, { recursive: true });
    removeAbandoned(running);
  } catch (error) {
    log('servers').warn(`Servers use the system's temporary folder: ${messageOf(error)}`);
    return { path: tmpdir(), env: {}, remove: () => undefined };
  }
  return { path, env: { TMPDIR: path, TMP: path, TEMP: path }, remove: () => removeFolder(path) };
}

function removeAbandoned(running: string): void {
  for (const name of readdirSync(running)) {
    if (!isProcessAlive(Number.parseInt(name, 10))) removeFolder(join(running, name));
  }
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    log('servers').debug(`Cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}
