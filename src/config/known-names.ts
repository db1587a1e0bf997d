import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { isSameState, type RecordedState, recordState, tryStat } from '../base/file-state.ts';
import { log } from '../base/log.ts';
import { dataOf } from './data-of.ts';
import { loadProjectConfig } from './project-config.ts';
import type { UserConfig } from './user-config.ts';

/** The cached name of a project, valid while the states of its files are unchanged. */
interface ReadName {
  readonly states: readonly (RecordedState | undefined)[];
  /** `undefined` for a configuration that cannot be read. */
  readonly name: string | undefined;
}

/**
 * Cache by root and data directory: each session needs the names of all known projects, whose files may be slow to
 * parse.
 */
const readNames = new Map<string, ReadName>();

/**
 * Returns the name of the project at `root` (absolute), or `undefined`, with a warning, if its configuration cannot be
 * read. An unchanged configuration is not read again.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid setting of the user.
 */
export async function nameOf(root: string, user: UserConfig): Promise<string | undefined> {
  const data = dataOf(root, user);
  const files = ['project.yml', 'project.local.yml'].map((name) => join(data.path, name));
  const key = `${root}\0${data.path}\0${data.links}`;
  const known = readNames.get(key);
  if (known?.states.every((state, index) => isUnchanged(files[index] ?? '', state))) return known.name;
  const now = Date.now();
  const states = files.map((file) => {
    const stats = tryStat(file);
    return stats && recordState(stats, now);
  });
  const name = await readName(root, user);
  readNames.set(key, { states, name });
  return name;
}

function isUnchanged(file: string, state: RecordedState | undefined): boolean {
  const stats = tryStat(file);
  if (stats === undefined || state === undefined) return stats === state;
  return !state.isRacy && isSameState(state, stats);
}

async function readName(root: string, user: UserConfig): Promise<string | undefined> {
  try {
    return (await loadProjectConfig(root, dataOf(root, user))).name;
  } catch (error) {
    log('project').warn(`Skipped the known project \`${root}\`: ${messageOf(error)}`);
    return undefined;
  }
}
