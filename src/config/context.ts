import { z } from 'zod';
import { log } from '../base/log.ts';
import { ownValue } from '../base/own-value.ts';
import type { TemplateText } from './config-map.ts';
import { listNamedFiles, loadNamedFile, promptFileKeys } from './named-file.ts';
import { type ToolSelection, toolSelectionOf } from './tool-selection.ts';
import { setting, stringList } from './value-schemas.ts';

/** Every key of a context's file; see docs/compatibility.md, Contexts. */
export const contextKeys = {
  ...promptFileKeys,
  tool_description_overrides: setting(z.record(z.string(), z.string()), {}).describe(
    'Descriptions that replace those of tools, by tool.',
  ),
  single_project: setting(z.boolean(), false).describe(
    'Whether a session that begins with a project cannot activate another one.',
  ),
  structured_tool_output: z
    .boolean()
    .nullish()
    .describe('Whether results have structured content beside their text; true by default.'),
  answer_format: setting(z.enum(['short', 'legacy']), 'legacy').describe(
    'Format of answers: `short` for models, `legacy` (JSON as in Serena) for programs that parse answers.',
  ),
  max_result_chars: z
    .int()
    .positive()
    .nullish()
    .describe(
      'Length of results, in characters, beyond which the client shows only their beginning. Answers have at most nine ' +
        'tenths of it, unless a call sets another length, and notes precede what is longer. No limit by default.',
    ),
  max_answer_chars: z
    .int()
    .positive()
    .nullish()
    .describe(
      'Length of answers, in characters, unless a call sets another one; of a longer answer, a `cursor` returns the next ' +
        'page. By default `default_max_tool_answer_chars`.',
    ),
  compact_tool_list: setting(z.boolean(), true).describe(
    'Whether tools are listed without titles, which only repeat their names, to save tokens.',
  ),
  deferred_loading: setting(z.boolean(), false).describe(
    'Whether only `core_tools` are listed until `search_tools` finds others.',
  ),
  tool_hints: setting(z.boolean(), false).describe(
    'Whether the instructions list the questions that the tools answer, and each tool has its question as a hint: for ' +
      'clients that show models the names of tools only.',
  ),
  always_loaded_tools: stringList.describe(
    'Tools that Claude Code shows to the model from the start, where it shows the others by name only.',
  ),
  single_tool: setting(z.boolean(), false).describe(
    'Whether one tool, `serena`, is listed, which calls the others by their names.',
  ),
  core_tools: stringList.describe('Tools that are listed from the start with `deferred_loading`.'),
};

const contextSchema = z.looseObject(contextKeys);

/**
 * Settings for the client that runs this program: its tools, their descriptions and a prompt; see
 * docs/compatibility.md, Contexts.
 */
export interface Context extends Omit<z.infer<z.ZodObject<typeof contextKeys>>, 'prompt'>, ToolSelection {
  readonly name: string;
  readonly prompt: TemplateText;
  /** True if results have structured content beside their text. */
  readonly hasStructuredOutput: boolean;
  /** True if the structured content has the data of the answer: for programs, which models would read twice. */
  readonly hasData: boolean;
  /** Length of a result, in UTF-16 code units, beyond which the client shows only its beginning. */
  readonly maxResultChars: number;
  /** Length of an answer if a call sets none, in code points. */
  readonly maxAnswerChars: number;
  /** The tools to list from the start; `undefined` = all. */
  readonly coreTools: readonly string[] | undefined;
  readonly placeOf: (key: string) => string;
}

/** The default of `core_tools`; see docs/compatibility.md, Deferred loading. */
const defaultCoreTools = [
  'search_tools',
  'initial_instructions',
  'activate_project',
  'get_current_config',
  'onboarding',
  'list_dir',
  'find_file',
];

/** Current names of contexts by their names in older versions. */
const olderNames: Readonly<Record<string, string>> = { 'ide-assistant': 'claude-code' };

/** Returns the context called `name`; see {@link loadNamedFile} for its search order and errors. */
export async function loadContext(name: string, home: string): Promise<Context> {
  const now = currentName(name, home);
  const { content, placeOf, prompt, ...named } = await loadNamedFile('contexts', now, { home, schema: contextSchema });
  return {
    ...content,
    name: named.name,
    prompt,
    ...toolSelectionOf(content, placeOf),
    hasStructuredOutput: content.structured_tool_output ?? true,
    hasData: (content.structured_tool_output ?? true) && content.answer_format === 'legacy',
    maxResultChars: content.max_result_chars ?? Number.POSITIVE_INFINITY,
    maxAnswerChars: content.max_answer_chars ?? Number.POSITIVE_INFINITY,
    coreTools: content.deferred_loading ? coreTools(content.core_tools) : undefined,
    placeOf,
  };
}

/** Adds `search_tools`, without which the other tools could not be found. */
function coreTools(listed: readonly string[]): readonly string[] {
  return listed.length === 0 ? defaultCoreTools : ['search_tools', ...listed];
}

/** Maps an older name of a context to its current name, unless the user has a context with the older name. */
function currentName(name: string, home: string): string {
  const now = ownValue(olderNames, name);
  if (now === undefined || listNamedFiles('contexts', home).some((listed) => listed.name === name)) return name;
  log('config').warn(`The context \`${name}\` is now called \`${now}\``);
  return now;
}
