import { existsSync } from 'node:fs';
import type { ConfigMap } from './config-map.ts';
import { loadProjectConfig, type ProjectFiles, projectKeys, readProjectFiles } from './project-config.ts';
import { dataOf, isTrustedProject } from './trust.ts';
import { loadUserConfig, readUserFile, userConfigPath, userKeys } from './user-config.ts';

/** The sources of settings, from the least to the most specific. */
type ConfigSource = 'default' | 'user' | 'project' | 'local';

export interface EffectiveSetting {
  readonly key: string;
  /** `null` if it is not set and has no default. */
  readonly value: unknown;
  /** The sources of the value; several if it is merged. */
  readonly from: readonly ConfigSource[];
  /** A note for the user, such as that a value is ignored. */
  readonly note?: string;
}

/** All settings with their sources, with or without a project. */
export interface EffectiveConfig {
  /** The absolute path of each file, which need not exist. */
  readonly files: Readonly<Partial<Record<Exclude<ConfigSource, 'default'>, { path: string; exists: boolean }>>>;
  readonly project: { readonly name: string; readonly root: string; readonly isTrusted: boolean } | undefined;
  readonly settings: readonly EffectiveSetting[];
}

/** Lists that are concatenated, user's and project's. */
const mergedLists = [
  'ignored_paths',
  'read_only_memory_patterns',
  'ignored_memory_patterns',
  'excluded_tools',
  'included_optional_tools',
];
/** Keys that only a trusted project may set. */
const trustedOnlyKeys = ['activation_command', 'ls_specific_settings', 'custom_language_servers'];
/** Maps whose entries of the project replace those of the user. */
const mergedMaps = ['ls_specific_settings', 'custom_language_servers'];

/**
 * Returns each setting with its sources: the defaults, the user's file and, if `root` (absolute) is given, the files of
 * that project; see docs/compatibility.md, Precedence of settings. Writes nothing.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function effectiveConfig(home: string, root: string | undefined): Promise<EffectiveConfig> {
  const user = await loadUserConfig(home);
  const { content: written } = await readUserFile(home);
  const userSettings = Object.entries(userKeys).map(([key, type]): EffectiveSetting => {
    return { key, value: type.parse(written[key]) ?? null, from: [hasValue(written, key) ? 'user' : 'default'] };
  });
  const files = { user: fileAt(userConfigPath(home)) };
  if (root === undefined) return { files, project: undefined, settings: withModes(userSettings) };
  const data = dataOf(root, user);
  const own = await readProjectFiles(data);
  const { name } = await loadProjectConfig(root, data);
  const isTrusted = isTrustedProject(root, user);
  return {
    files: { ...files, project: fileAt(own.shared.path), local: fileAt(own.local.path) },
    project: { name, root, isTrusted },
    settings: withModes(overlaid(userSettings, own, isTrusted)),
  };
}

/** Hides secrets in text that people may paste into reports. */
export function withoutSecrets(config: EffectiveConfig): EffectiveConfig {
  const hide = (setting: EffectiveConfig['settings'][number]) =>
    setting.key === 'auth_secret' && setting.value !== null ? { ...setting, value: '(hidden)' } : setting;
  return { ...config, settings: config.settings.map(hide) };
}

function fileAt(path: string): { path: string; exists: boolean } {
  return { path, exists: existsSync(path) };
}

function hasValue(content: ConfigMap, key: string): boolean {
  return content[key] !== undefined && content[key] !== null;
}

/** Merges a project's settings into the user's, key by key. */
function overlaid(user: readonly EffectiveSetting[], files: ProjectFiles, isTrusted: boolean): EffectiveSetting[] {
  const [shared, local] = [files.shared.content, files.local.content];
  const settings = new Map(user.map((setting) => [setting.key, setting]));
  for (const [key, type] of Object.entries(projectKeys)) {
    const before = settings.get(key);
    const content = key in local ? local : shared;
    const from: ConfigSource = key in local ? 'local' : 'project';
    if (hasValue(content, key))
      settings.set(key, combine(before, { key, value: type.parse(content[key]), from: [from] }, isTrusted));
    else if (!before) settings.set(key, { key, value: type.parse(undefined) ?? null, from: ['default'] });
  }
  return [...settings.values()];
}

function combine(before: EffectiveSetting | undefined, own: EffectiveSetting, isTrusted: boolean): EffectiveSetting {
  const { key, value, from } = own;
  if (trustedOnlyKeys.includes(key) && !isTrusted) {
    const note = `the value of ${from.join()} is ignored: the project is not trusted`;
    return before ? { ...before, note } : { key, value: null, from: ['default'], note };
  }
  if (!before) return own;
  const fromBoth = [...before.from.filter((source) => source !== 'default'), ...from];
  if (mergedLists.includes(key)) return { key, value: [...listOf(before.value), ...listOf(value)], from: fromBoth };
  if (key === 'fixed_tools' && listOf(value).length === 0) return before;
  if (mergedMaps.includes(key)) return { key, value: { ...mapOf(before.value), ...mapOf(value) }, from: fromBoth };
  return own;
}

/** Adds `active_modes`, which three keys determine together. */
function withModes(settings: readonly EffectiveSetting[]): EffectiveSetting[] {
  const parts = ['base_modes', 'default_modes', 'added_modes'].flatMap(
    (key) => settings.find((setting) => setting.key === key) ?? [],
  );
  const names = new Set(parts.flatMap(({ value }) => listOf(value)));
  const from = new Set(parts.filter(({ value }) => value !== null).flatMap((setting) => setting.from));
  return [...settings, { key: 'active_modes', value: [...names].sort(), from: [...from] }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
