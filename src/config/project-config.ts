import { basename, join } from 'node:path';
import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { ExpectedError } from '../base/errors.ts';
import {
  type ConfigFile,
  type ConfigMap,
  describeUnknownKeys,
  readConfigMap,
  readProjectFile,
  type TemplateText,
} from './config-map.ts';
import { customServers, inCurrentServerIds } from './custom-server.ts';
import { type DataDirectory, placeIn as placeInData } from './data-directory.ts';
import {
  agentInterfaceUse,
  apiKeys,
  checkFixedTools,
  type ToolSelection,
  toolSelectionKeys,
  toolSelectionOf,
} from './tool-selection.ts';
import { backends, choice, harmless, lineEndings, oneOf, setting, stringList, symbolSources } from './value-schemas.ts';

const names = z.array(z.string());

/** Every key of `project.yml`, with its default and its line in docs/configuration.md. */
export const projectKeys = {
  project_name: choice(z.string()).describe("Name to activate the project by; by default its directory's."),
  language_servers: choice(names).describe(
    'Language servers to use, the main one first; if absent or empty, all that have files in the project.',
  ),
  other_language_servers: setting(z.boolean(), false).describe(
    'Whether to also use servers that are not in `language_servers` but have files in the project.',
  ),
  encoding: harmless(setting(z.string(), 'utf-8')).describe('Encoding of the source files.'),
  activation_command: choice(z.string()).describe(
    'Shell command that runs in the project when it is activated; trusted projects only.',
  ),
  activation_command_timeout: harmless(setting(z.number().positive(), 180)).describe(
    'Time limit of that command in seconds.',
  ),
  line_ending: harmless(choice(oneOf(lineEndings))).describe(
    "Line breaks of files that tools write; by default the user's setting.",
  ),
  language_backend: choice(oneOf(backends)).describe(
    'Backend of the symbol tools, if a session begins with the project.',
  ),
  symbol_source: harmless(choice(oneOf(symbolSources))).describe(
    "Source of answers that syntax trees can give; by default the user's setting.",
  ),
  format_inserted_code: harmless(setting(z.boolean(), false)).describe(
    "Whether code that symbol edits insert is formatted by the language server's formatter.",
  ),
  ignore_all_files_in_gitignore: setting(z.boolean(), true).describe('Whether to respect .gitignore files.'),
  ls_specific_settings: setting(z.record(z.string(), z.unknown()), {}).describe(
    "Settings of single language servers, each of which replaces the user's; trusted projects only.",
  ),
  custom_language_servers: customServers.describe(
    "Language servers of your own, each of which replaces the user's of that id; trusted projects only.",
  ),
  ls_workspace_folders: setting(names, ['.']).describe(
    'Directories of the project that language servers get as workspace folders.',
  ),
  ls_additional_workspace_folders: stringList.describe(
    'Additional workspace folders, which may be outside the project if it is trusted.',
  ),
  ignored_paths: stringList.describe("Paths to ignore in addition to the user's, in .gitignore syntax."),
  read_only: setting(z.boolean(), false).describe('Whether to disable all tools that change files.'),
  ...toolSelectionKeys,
  ...apiKeys,
  agent_interface: choice(z.string()).describe(agentInterfaceUse),
  default_modes: choice(names).describe("Modes that replace the user's `default_modes`; an empty list means none."),
  added_modes: choice(names).describe('Modes that are active in addition to all others.'),
  initial_prompt: setting(z.string(), '').describe(
    'Template of a text that the agent gets when the project is activated.',
  ),
  symbol_info_budget: harmless(choice(z.number().min(0))).describe("Replaces the user's setting; in seconds."),
  read_only_memory_patterns: stringList.describe(
    "Regular expressions of memories that tools may not change, in addition to the user's.",
  ),
  ignored_memory_patterns: stringList.describe(
    "Regular expressions of memories that tools do not see, in addition to the user's.",
  ),
};

/**
 * Older names of `language_servers` (two) and `ls_additional_workspace_folders`; `base_modes` applies in the user's
 * file only.
 */
export const olderProjectKeys = {
  languages: choice(names),
  language: choice(z.string()),
  additional_workspace_folders: choice(names),
  base_modes: choice(names),
};

/** The schema of `project.yml` and `project.local.yml`, also with older keys. */
export const projectSchema = z.looseObject({ ...projectKeys, ...olderProjectKeys }).superRefine(checkFixedTools);

/** The settings of a project by their keys, and what is made of some. */
export interface ProjectConfig extends z.infer<z.ZodObject<typeof projectKeys>>, ToolSelection {
  readonly name: string;
  /** Server ids, first = main language; `undefined` = detect them. */
  readonly languageServers: readonly string[] | undefined;
  readonly initialPrompt: TemplateText;
  /** A warning for each unknown key. */
  readonly unknownKeys: readonly string[];
  /** Absolute path of `project.yml`. */
  readonly path: string;
}

/** The two files of a project, with current key names. Keys in the local file replace keys in the shared file. */
export interface ProjectFiles {
  readonly shared: ConfigFile;
  readonly local: ConfigFile;
  readonly unknownKeys: readonly string[];
}

/**
 * Returns `project.yml` and `project.local.yml` of a data directory. Missing files have no keys.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function readProjectFiles(data: DataDirectory): Promise<ProjectFiles> {
  const read = (name: string) => {
    const path = join(data.path, name);
    return readConfigMap(path, readProjectFile(placeInData(data, name), path), projectSchema);
  };
  const shared = await read('project.yml');
  const local = await read('project.local.yml');
  const known = [...Object.keys(projectKeys), ...Object.keys(olderProjectKeys)];
  const unknownKeys = [shared, local].flatMap((file) => [
    ...describeUnknownKeys(file, known),
    ...('base_modes' in file.content
      ? [`${file.placeOf('base_modes')}: \`base_modes\` has an effect in \`serena_config.yml\` only`]
      : []),
  ]);
  return {
    shared: { ...shared, content: inCurrentKeys(shared.content) },
    local: { ...local, content: inCurrentKeys(local.content) },
    unknownKeys,
  };
}

/** Replaces older key names. A current name takes precedence over an older name. */
function inCurrentKeys(content: ConfigMap): ConfigMap {
  const { languages, language, additional_workspace_folders, base_modes, ...rest } = content;
  const servers = languages ?? (language ? [language] : undefined);
  return {
    ...(servers === undefined ? {} : { language_servers: servers }),
    ...(additional_workspace_folders === undefined
      ? {}
      : { ls_additional_workspace_folders: additional_workspace_folders }),
    ...rest,
    ...inCurrentServerIds(rest),
  };
}

/**
 * Returns the configuration in `project.yml` and `project.local.yml` of a data directory. A key in the local file
 * replaces the one in the other. Missing files count as empty. Writes nothing.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function loadProjectConfig(root: string, data: DataDirectory): Promise<ProjectConfig> {
  const files = await readProjectFiles(data);
  const read = projectSchema.safeParse({ ...files.shared.content, ...files.local.content }, { error: describeIssue });
  // Each file is valid by itself, so the error is in their combination.
  if (!read.success) throw notTogether(files, read.error);
  return configOf(read.data, files, basename(root));
}

function configOf(file: z.infer<typeof projectSchema>, files: ProjectFiles, directoryName: string): ProjectConfig {
  const fileOf = (key: string) => (key in files.local.content ? files.local : files.shared);
  return {
    ...file,
    ...toolSelectionOf(file, (key) => fileOf(key).placeOf(key)),
    name: file.project_name ?? directoryName,
    languageServers: serverIds(file.language_servers),
    initialPrompt: promptIn(fileOf('initial_prompt'), file.initial_prompt),
    unknownKeys: files.unknownKeys,
    path: files.shared.path,
  };
}

function promptIn(file: ConfigFile, text: string): TemplateText {
  return { text, file: file.path, firstLine: file.lineOf('initial_prompt') };
}

/**
 * Treats an empty list, which a failed detection leaves behind, as absent; otherwise there would be no symbols at all.
 */
function serverIds(listed: readonly string[] | undefined): readonly string[] | undefined {
  if (listed === undefined || listed.length === 0) return undefined;
  return listed.map((id) => id.trim().toLowerCase()).map((id) => (id === 'javascript' ? 'typescript' : id));
}

function notTogether({ shared, local }: ProjectFiles, error: z.ZodError): ExpectedError {
  const issues = error.issues.map(({ path, message }) => `key \`${path.join('.')}\`: ${message}`);
  return new ExpectedError('config.invalid', `${local.path} over ${shared.path}: ${issues.join('; ')}`, {
    hints: ['correct one of the files, then retry'],
  });
}
