import { ExpectedError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { nearestHint } from '../base/nearest.ts';
import type { Context } from '../config/context.ts';
import type { ToolSelection } from '../config/tool-selection.ts';
import { canonicalToolName } from '../tools/arguments.ts';
import { tools, unlistedTools } from '../tools/tools.ts';

/**
 * Returns the current name of the tool that a configuration names, perhaps by an alias; `undefined` if there is none.
 */
export function findToolName(name: string): string | undefined {
  const canonical = canonicalToolName(name);
  const current = unlistedTools.find((tool) => tool.name === canonical)?.replaces ?? canonical;
  return tools.some((tool) => tool.name === current) ? current : undefined;
}

/**
 * Checks that every name in a selection is the name of a tool. Former names are accepted with a warning in the log.
 *
 * @throws {ExpectedError} `config.invalid` naming file and key.
 */
export function checkToolNames(selection: ToolSelection): void {
  const { places } = selection;
  const lists = [
    ['excluded_tools', selection.excludedTools],
    ['included_optional_tools', selection.includedOptionalTools],
    ['fixed_tools', selection.fixedTools],
  ] as const;
  for (const [key, names] of lists) for (const name of names) checkName(name, places[key], key);
}

/** Checks all tool names in a context. Throws as {@link checkToolNames} does. */
export function checkContextTools(context: Context): void {
  checkToolNames(context);
  const {
    placeOf,
    coreTools = [],
    tool_description_overrides: descriptionOverrides,
    always_loaded_tools: alwaysLoadedTools,
  } = context;
  const lists = {
    tool_description_overrides: Object.keys(descriptionOverrides),
    always_loaded_tools: alwaysLoadedTools,
    core_tools: coreTools,
  };
  for (const [key, names] of Object.entries(lists)) for (const name of names) checkName(name, placeOf(key), key);
}

function checkName(name: string, place: string, key: string): void {
  const found = findToolName(name);
  if (found === name) return;
  if (found !== undefined) {
    log('config').warn(`${place}: key \`${key}\`: \`${name}\` is now called \`${found}\``);
    return;
  }
  const names = tools.map((tool) => tool.name);
  throw new ExpectedError('config.invalid', `${place}: key \`${key}\`: there is no tool \`${name}\``, {
    hints: [nearestHint(name, names, `the tools are: ${names.join(', ')}`)],
  });
}
