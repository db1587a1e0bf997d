import { z } from 'zod';
import { log } from '../base/log.ts';
import { listNamedFiles, loadNamedFile, promptFileKeys } from './named-file.ts';
import { setting, stringList } from './setting.ts';
import type { TemplateText } from './template-text.ts';
import { type ToolSelection, toolSelectionOf } from './tool-selection.ts';

/** Every key of a context's file (`spec/system.md` §3 and §6). */
export const contextKeys = {
  ...promptFileKeys,
  tool_description_overrides: setting(z.record(z.string(), z.string()), {}).describe(
    'Descriptions of tools in place of their own, by tool.',
  ),
  single_project: setting(z.boolean(), false).describe(
    'Whether a session that begins with a project stays with it: it cannot activate another.',
  ),
  structured_tool_output: z
    .boolean()
    .nullish()
    .describe('Whether results carry structured content beside their text; by default they do.'),
  compact_tool_list: setting(z.boolean(), true).describe(
    'Whether tools are listed without titles, which say nothing that names do not, to save tokens.',
  ),
  deferred_loading: setting(z.boolean(), false).describe(
    'Whether only `core_tools` are listed until `search_tools` has found others.',
  ),
  core_tools: stringList.describe('The tools that are listed from the start with `deferred_loading`.'),
};

const contextSchema = z.looseObject(contextKeys);

/** The situation that we are embedded in: which client, and what that asks of tools and words (`spec/system.md` §3). */
export interface Context extends ToolSelection {
  readonly name: string;
  readonly prompt: TemplateText;
  readonly descriptionOverrides: Readonly<Record<string, string>>;
  readonly isSingleProject: boolean;
  /** Whether results carry structured content beside their text. */
  readonly hasStructuredOutput: boolean;
  /** Whether the list of tools leaves out what names say already. */
  readonly isCompact: boolean;
  /** The tools to list from the start; `undefined` where all are. */
  readonly coreTools: readonly string[] | undefined;
  /** Returns how messages name the place of a key. */
  readonly placeOf: (key: string) => string;
}

/** What is listed from the start where a context defers the rest without saying what not (`spec/tools.md` §3.7). */
const defaultCoreTools = [
  'search_tools',
  'initial_instructions',
  'activate_project',
  'get_current_config',
  'onboarding',
  'list_dir',
  'find_file',
];

/** Names that contexts had in older versions. */
const olderNames: Readonly<Record<string, string>> = { 'ide-assistant': 'claude-code' };

/** Returns the context called `name`; see {@link loadNamedFile} for where it comes from and what is thrown. */
export async function loadContext(name: string, home: string): Promise<Context> {
  const now = currentName(name, home);
  const { content, placeOf, prompt, ...named } = await loadNamedFile('contexts', now, { home, schema: contextSchema });
  return {
    name: named.name,
    prompt,
    ...toolSelectionOf(content, placeOf),
    descriptionOverrides: content.tool_description_overrides,
    isSingleProject: content.single_project,
    // Every result is a text, so that structured output is on unless the context says no.
    hasStructuredOutput: content.structured_tool_output ?? true,
    isCompact: content.compact_tool_list,
    coreTools: content.deferred_loading ? coreTools(content.core_tools) : undefined,
    placeOf,
  };
}

/** Without the tool that finds the others these could not be found. */
function coreTools(listed: readonly string[]): readonly string[] {
  return listed.length === 0 ? defaultCoreTools : ['search_tools', ...listed];
}

/** A file of the user's may still have an older name. */
function currentName(name: string, home: string): string {
  const now = olderNames[name];
  if (now === undefined || listNamedFiles('contexts', home).some((listed) => listed.name === name)) return name;
  log('config').warn(`The context \`${name}\` is now called \`${now}\``);
  return now;
}
