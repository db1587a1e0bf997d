import { join } from 'node:path';
import type { z } from 'zod';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { readUtf8IfExists, requireUtf8 } from '../base/files.ts';
import { homePaths } from '../base/home.ts';
import { lockTimeoutMs, withLock } from '../base/lock.ts';
import { nearestHint } from '../base/nearest.ts';
import { ownValue } from '../base/own-value.ts';
import { readConfigMap, readProjectFile } from './config-map.ts';
import { type DataDirectory, placeIn } from './data-directory.ts';
import { editUserConfig, writeProjectFile } from './edit-user-config.ts';
import { projectKeys, projectSchema } from './project-config.ts';
import { requireOwnDataDirectory } from './trust.ts';
import { userConfigPath, userKeys, userSchema } from './user-config.ts';

/** The file that a setting is written to; `root` (absolute) is that of the project. */
export type SettingsFile =
  | { readonly of: 'user' }
  | {
      readonly of: 'project' | 'local';
      readonly root: string;
      readonly data: DataDirectory;
      /** Returns the text that a setting is added to if the project has no `project.yml`. */
      firstText(): Promise<string>;
    };

interface Place {
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the absolute path of a file, which need not exist. */
export function settingsPath(file: SettingsFile, home: string): string {
  if (file.of === 'user') return userConfigPath(home);
  return join(file.data.path, nameOf(file.of));
}

/**
 * Sets the key at `path`, several names for a key in nested maps, to the value that `text` means in YAML; a key that needs
 * a text gets `text` itself. Comments and unknown keys are kept; a missing file is created. Returns the value.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown key; `config.invalid` for a value or a file that is not valid,
 *   after which nothing has changed; `file.undecodable`; `lock.held`.
 */
export async function changeSetting(
  file: SettingsFile,
  { path, text }: { readonly path: readonly string[]; readonly text: string },
  place: Place,
): Promise<unknown> {
  const [key = ''] = path;
  const type = ownValue(knownKeys(file), key);
  if (type === undefined) throw unknownKey(file, key);
  const { yamlValue } = await import('../base/yaml-edit.ts');
  const value = path.length === 1 ? textOrValue(text, yamlValue(text), type) : yamlValue(text);
  await changeText(file, place, (before) => edited(before, path, value));
  return value;
}

/**
 * Removes the key at `path` from a file, so that the setting has its value from elsewhere. Comments and unknown keys are
 * kept. Returns false if the file did not have it.
 *
 * @throws {ExpectedError} as `changeSetting()`.
 */
export async function unsetSetting(file: SettingsFile, path: readonly string[], place: Place): Promise<boolean> {
  const { unsetInYaml } = await import('../base/yaml-edit.ts');
  const [key = ''] = path;
  // A key that this version does not know can be removed, if the file has it.
  const text = currentText(file, place.home);
  if (unsetInYaml(text, path) === text) {
    if (!Object.hasOwn(knownKeys(file), key)) throw unknownKey(file, key);
    return false;
  }
  await changeText(file, place, (before) => unsetInYaml(before, path));
  return true;
}

/** Returns the text of a file; empty if it does not exist. */
function currentText(file: SettingsFile, home: string): string {
  const path = settingsPath(file, home);
  if (file.of === 'user') return readUtf8IfExists(path) ?? '';
  return readProjectFile(placeIn(file.data, nameOf(file.of)), path)?.text ?? '';
}

/** Changes the text of a file under its lock, if the new text is valid. */
async function changeText(
  file: SettingsFile,
  place: Place,
  change: (before: string) => Promise<string> | string,
): Promise<void> {
  const changed = async (before: string) => {
    const after = await change(before);
    await readConfigMap(settingsPath(file, place.home), { text: after, isForeign: false }, schemaOf(file)).catch(
      nothingChanged,
    );
    return after;
  };
  if (file.of === 'user') await editUserConfig(place.home, place.env, changed);
  else await editProjectFile(file, place, changed);
}

function knownKeys({ of }: SettingsFile): Readonly<Record<string, z.ZodType>> {
  return of === 'user' ? userKeys : projectKeys;
}

function schemaOf({ of }: SettingsFile): z.ZodType {
  return of === 'user' ? userSchema : projectSchema;
}

function nameOf(of: 'project' | 'local'): 'project.yml' | 'project.local.yml' {
  return of === 'project' ? 'project.yml' : 'project.local.yml';
}

function unknownKey(file: SettingsFile, key: string): ExpectedError {
  const known = Object.keys(knownKeys(file));
  const name = file.of === 'user' ? 'serena_config.yml' : nameOf(file.of);
  return new ExpectedError('usage.invalid', `\`${name}\` has no key \`${key}\``, {
    hints: [nearestHint(key, known)],
  });
}

/** A text such as `1.0` is a number in YAML, which a key for texts does not accept. */
function textOrValue(text: string, value: unknown, type: z.ZodType): unknown {
  return !type.safeParse(value).success && type.safeParse(text).success ? text : value;
}

async function edited(text: string, path: readonly string[], value: unknown): Promise<string> {
  const { setDeepInYaml, setInYaml } = await import('../base/yaml-edit.ts');
  const [key = ''] = path;
  try {
    return path.length === 1 ? setInYaml(text, key, value) : setDeepInYaml(text, path, value);
  } catch (error) {
    return nothingChanged(error);
  }
}

function nothingChanged(error: unknown): never {
  throw new ExpectedError('config.invalid', `nothing was changed: ${messageOf(error)}`, {
    hints: ['pass a value that the key accepts, in YAML', 'correct the file first if the error is elsewhere in it'],
    cause: error,
  });
}

async function editProjectFile(
  file: Exclude<SettingsFile, { of: 'user' }>,
  { home, env }: Place,
  change: (text: string) => Promise<string>,
): Promise<void> {
  const { of, root, data, firstText } = file;
  const path = settingsPath(file, home);
  requireOwnDataDirectory(data.path, root);
  await withLock(homePaths(home).configLock, { timeoutMs: lockTimeoutMs(env) }, async () => {
    const read = readProjectFile(placeIn(data, nameOf(of)), path);
    if (read !== undefined) requireUtf8(read.bytes, path);
    const before = read?.text ?? (of === 'project' ? await firstText() : '');
    const after = await change(before);
    if (after !== read?.text) writeProjectFile(data.path, nameOf(of), after);
  });
}
