import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { type LineEndingSetting, lineEnding } from './line-ending.ts';
import { readConfigFile } from './read-config.ts';
import type { ToolSelection } from './tool-selection.ts';

const names = z.array(z.string()).nullish();

/** The keys of `project.yml` that something reads so far (`spec/system.md` §2.2). Unknown keys are let through. */
const projectFileSchema = z.looseObject({
  project_name: z.string().nullish(),
  language_servers: names,
  /** Older spellings of `language_servers`. */
  languages: names,
  language: z.string().nullish(),
  encoding: z.string().nullish(),
  line_ending: lineEnding.nullish(),
  read_only_memory_patterns: names,
  ignored_memory_patterns: names,
  ignore_all_files_in_gitignore: z.boolean().nullish(),
  ls_specific_settings: z.record(z.string(), z.unknown()).nullish(),
  ignored_paths: names,
  read_only: z.boolean().nullish(),
  excluded_tools: names,
  included_optional_tools: names,
  fixed_tools: names,
  initial_prompt: z.string().nullish(),
  symbol_info_budget: z.number().min(0).nullish(),
});

/** One project's configuration with every default filled in. */
export interface ProjectConfig extends ToolSelection {
  readonly name: string;
  /** Server ids as written, first = main language; `undefined` when the project leaves the choice to us. */
  readonly languageServers: readonly string[] | undefined;
  readonly encoding: string;
  /** `undefined` = the user's. */
  readonly lineEnding: LineEndingSetting | undefined;
  readonly readOnlyMemoryPatterns: readonly string[];
  readonly ignoredMemoryPatterns: readonly string[];
  readonly useGitignore: boolean;
  readonly serverSettings: Readonly<Record<string, unknown>>;
  readonly ignoredPaths: readonly string[];
  readonly isReadOnly: boolean;
  readonly initialPrompt: string;
  /** Seconds of hover time per call; `undefined` = the user's. 0 is unlimited. */
  readonly symbolInfoBudget: number | undefined;
  /** Absolute path of the file this was read from. */
  readonly path: string;
}

/**
 * Returns the absolute path of a project's data folder: the configured place if it exists, else `<root>/.serena` if that
 * exists, else the configured place, yet to be made.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown `$placeholder` in `template`.
 */
export function dataFolder(root: string, template: string): string {
  const filled = template.replaceAll(/\$(\w+)/g, (whole, name: string) => {
    if (name === 'projectDir') return root;
    if (name === 'projectFolderName') return basename(root);
    throw new ExpectedError(
      'config.invalid',
      `Unknown placeholder \`${whole}\` in \`project_serena_folder_location\``,
      {
        hints: ['Use `$projectDir` and `$projectFolderName` only'],
      },
    );
  });
  const configured = resolve(root, filled);
  const usual = join(root, '.serena');
  return !existsSync(configured) && existsSync(usual) ? usual : configured;
}

/**
 * Returns the configuration in `project.yml` and `project.local.yml` of a data folder; a key in the local file replaces
 * the one in the other. Absent files count as empty. Nothing is written.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function loadProjectConfig(root: string, folder: string): Promise<ProjectConfig> {
  const path = join(folder, 'project.yml');
  const shared = await readProjectFile(path);
  const local = await readProjectFile(join(folder, 'project.local.yml'));
  const file = { ...shared, ...local };
  const listed = file.language_servers ?? file.languages ?? (file.language ? [file.language] : undefined);
  return {
    name: file.project_name ?? basename(root),
    // An empty list is what a failed detection leaves behind; taking it at its word would silence every answer.
    languageServers: listed === undefined || listed.length === 0 ? undefined : listed,
    encoding: file.encoding ?? 'utf-8',
    lineEnding: file.line_ending ?? undefined,
    readOnlyMemoryPatterns: file.read_only_memory_patterns ?? [],
    ignoredMemoryPatterns: file.ignored_memory_patterns ?? [],
    useGitignore: file.ignore_all_files_in_gitignore ?? true,
    serverSettings: file.ls_specific_settings ?? {},
    ignoredPaths: file.ignored_paths ?? [],
    isReadOnly: file.read_only ?? false,
    excludedTools: file.excluded_tools ?? [],
    includedOptionalTools: file.included_optional_tools ?? [],
    fixedTools: file.fixed_tools ?? [],
    initialPrompt: file.initial_prompt ?? '',
    symbolInfoBudget: file.symbol_info_budget ?? undefined,
    path,
  };
}

async function readProjectFile(path: string): Promise<z.infer<typeof projectFileSchema>> {
  const text = readConfigFile(path);
  if (text === undefined) return {};
  const { parseYaml } = await import('../base/yaml.ts');
  return parseYaml(text, path, projectFileSchema);
}
