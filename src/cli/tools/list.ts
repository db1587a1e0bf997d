import type { Tool } from '../../tools/tool.ts';
import { summaryOf } from '../../tools/tool.ts';
import { tools } from '../../tools/tools.ts';
import { ownCaller } from '../caller.ts';

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
