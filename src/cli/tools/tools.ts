import { homeDirectory } from '../../base/home.ts';
import { nearest } from '../../base/nearest.ts';
import { loadContext } from '../../config/context.ts';
import { listedTool, wantsOpenAiSchema } from '../../mcp/tool-list.ts';
import { canonicalToolName } from '../../tools/arguments.ts';
import { summaryOf, type Tool } from '../../tools/tool.ts';
import { tools } from '../../tools/tools.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../report.ts';

export interface ToolsListFlags {
  readonly all?: boolean;
  readonly onlyOptional?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Writes the tools to stdout: those enabled by default, or those that `flags` select. */
export function listTools(flags: ToolsListFlags): void {
  ownCaller.print(flags.json ? `${JSON.stringify(selectedTools(flags).map(describe), null, 2)}\n` : asLines(flags));
}

function selectedTools({ all, onlyOptional }: ToolsListFlags): readonly Tool[] {
  if (onlyOptional) return tools.filter(isOptional);
  return all ? tools : tools.filter((tool) => !isOptional(tool));
}

function isOptional({ stage }: Tool): boolean {
  return stage !== undefined;
}

function asLines(flags: ToolsListFlags): string {
  const found = selectedTools(flags);
  // For scripts: in the order of `tools/list`.
  if (flags.quiet) return found.map(({ name }) => `${name}\n`).join('');
  const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((tool) => `* \`${tool.name}\`: ${summaryOf(tool)}\n`).join('');
}

function describe(tool: Tool) {
  return {
    name: tool.name,
    category: tool.toolset,
    optional: isOptional(tool),
    effect: tool.effect,
    needs_project: tool.needs !== 'nothing',
    summary: summaryOf(tool),
  };
}

/**
 * Writes the description of a tool, as clients receive it, to stdout; with `json` its full definition.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown tool; `config.invalid` for an unknown context.
 */
export async function describeTool(
  name: string,
  flags: { readonly context: string; readonly json?: boolean },
  environment: Environment,
): Promise<void> {
  const canonicalName = canonicalToolName(name);
  const tool = tools.find((candidate) => candidate.name === canonicalName);
  if (tool === undefined) {
    const meant = nearest(
      canonicalName,
      tools.map((candidate) => candidate.name),
    );
    throw usageError(`there is no tool \`${name}\``, [
      meant === undefined ? 'run `serena tools list --all`' : `did you mean \`${meant}\`?`,
    ]);
  }
  const context = await loadContext(flags.context, homeDirectory(environment.env));
  const listed = listedTool(tool, {
    hasStructuredOutput: context.hasStructuredOutput,
    hasOpenAiSchema: wantsOpenAiSchema(context.name),
    isCompact: context.isCompact,
    description: context.descriptionOverrides[tool.name],
  });
  ownCaller.print(`${flags.json ? JSON.stringify(listed, undefined, 2) : listed.description}\n`);
}
