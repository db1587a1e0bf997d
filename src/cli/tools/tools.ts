import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { nearestHint } from '../../base/nearest.ts';
import { loadContext } from '../../config/context.ts';
import { listedTool, wantsOpenAiSchema } from '../../mcp/tool-list.ts';
import { renderLabels } from '../../tools/answers/answer-text.ts';
import { canonicalToolName } from '../../tools/arguments.ts';
import { summaryOf, type Tool } from '../../tools/tool.ts';
import { findTool, tools } from '../../tools/tools.ts';
import { type Caller, ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson, printText } from '../output.ts';
import { placeOf } from '../place.ts';
import { exitCodes, usageError } from '../report.ts';
import type { SessionFlags } from '../session.ts';

export interface ToolsListFlags {
  readonly all?: boolean;
  readonly onlyOptional?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Writes the tools that `flags` select to stdout; by default the tools that are enabled by default. */
export function listTools(flags: ToolsListFlags): void {
  if (flags.json) printJson(selectedTools(flags).map(describe));
  else ownCaller.print(asLines(flags));
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
    const names = tools.map((candidate) => candidate.name);
    throw usageError(`there is no tool \`${name}\``, [
      nearestHint(canonicalName, names, 'run `serena tools list --all`'),
    ]);
  }
  const context = await loadContext(flags.context, homeDirectory(environment.env));
  const listed = listedTool(tool, {
    hasStructuredOutput: context.hasStructuredOutput,
    hasData: context.hasData,
    hasOpenAiSchema: wantsOpenAiSchema(context.name),
    isCompact: context.compact_tool_list,
    hasToolHints: context.tool_hints,
    isAlwaysLoaded: context.always_loaded_tools.includes(tool.name),
    description: context.tool_description_overrides[tool.name],
  });
  if (flags.json) printJson(listed);
  else ownCaller.print(`${listed.description}\n`);
}

export interface ToolsCallFlags extends Omit<SessionFlags, 'context'> {
  /** If absent, any tool may be called. */
  readonly context?: string;
  readonly json?: boolean;
}

/**
 * Calls a tool as a client would. Writes its answer to stdout, and gaps and notes to stderr. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid` for arguments that are not JSON; whatever the tool throws.
 */
export async function callTool(
  request: { tool: string; args: string | undefined; flags: ToolsCallFlags },
  environment: Environment,
): Promise<number> {
  const { tool, flags } = request;
  const { caller = ownCaller } = environment;
  const args = await readArguments(request.args, caller);
  const calledTool = flags.context === undefined ? tool : undefined;
  const start = { ...flags, context: flags.context ?? 'desktop-app', prefix: 'tools-call', calledTool };
  const answer = await withCommandContext(environment, start, async (context) => {
    const session = await context.startSession({ ...start, ...(await projectFlags(tool, flags, context)) });
    return caller.call(session, { tool, args }, context.call).catch((error: unknown) => {
      throw isExpected(error, 'project.none-active') ? withoutProject(error) : error;
    });
  });
  if (flags.json) {
    printJson(answer, caller);
    return exitCodes.ok;
  }
  printText(answer.text, caller);
  const labels = renderLabels(answer);
  if (labels !== undefined) caller.report(`${labels}\n`);
  return exitCodes.ok;
}

/** Returns the project that contains the working directory for a tool that needs one, if the flags choose none. */
async function projectFlags(
  name: string,
  { project, projectFromCwd }: ToolsCallFlags,
  context: CommandContext,
): Promise<Pick<SessionFlags, 'project' | 'remembersProject'>> {
  const tool = findTool(name);
  if (project !== undefined || projectFromCwd || tool === undefined || tool.needs === 'nothing') return {};
  const { root, isMarked } = await placeOf(context, undefined);
  return { project: root, remembersProject: isMarked };
}

/** Replaces the tool's hints, which are for agents. */
function withoutProject({ code, message }: ExpectedError): ExpectedError {
  return new ExpectedError(code, message, {
    hints: ['add `--project <name-or-path>`', 'run `serena project list` to list known projects'],
  });
}

/** Parses the arguments; `-` reads them from stdin, because long texts do not fit on a command line. */
async function readArguments(given: string | undefined, caller: Caller): Promise<unknown> {
  const text = given === '-' ? await caller.read('-') : (given ?? '');
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`the arguments are not valid JSON: ${messageOf(error)}`, [
      'Enclose them in single quotes: \'{"relative_path": "src"}\'',
      'pass `-` and write them to stdin',
    ]);
  }
}
