import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { Memories } from '../memories/memories.ts';
import { parseMemoryName } from '../memories/names.ts';
import type { TemplateInputs } from '../prompts/render.ts';
import type { Tool } from '../tools/tool.ts';
import { legacyTools, tools } from '../tools/tools.ts';

/** The tools of the JetBrains backend by the tools that they replace. */
const ideTools: Readonly<Record<string, string>> = {
  get_symbols_overview: 'jet_brains_get_symbols_overview',
  find_symbol: 'jet_brains_find_symbol',
  find_referencing_symbols: 'jet_brains_find_referencing_symbols',
  find_declaration: 'jet_brains_find_declaration',
  find_implementations: 'jet_brains_find_implementations',
  rename_symbol: 'jet_brains_rename',
  safe_delete_symbol: 'jet_brains_safe_delete',
};

/** Returns what templates may use, given the active tools: see docs/compatibility.md, Prompts and templates. */
export function templateInputs(active: readonly Tool[], memories: Memories): TemplateInputs {
  return { values: templateValues(active), embedMemory: (name) => embeddedMemory(name, memories) };
}

/** Returns the values available in every template. */
export function templateValues(active: readonly Tool[]): TemplateInputs['values'] {
  const isActive = (name: string) => active.some((tool) => tool.name === name);
  return {
    available_tools: active.map(({ name }) => name),
    available_markers: [...new Set(active.flatMap(markersOf))],
    tool_names: {
      ...Object.fromEntries([...tools, ...legacyTools].map(({ name, replaces }) => [name, replaces ?? name])),
      ...Object.fromEntries(Object.entries(ideTools).filter(([name, ide]) => isActive(ide) && !isActive(name))),
    },
  };
}

/** Returns the marker names by which the reference's templates test for kinds of tools. */
function markersOf({ effect, toolset, stage, needs }: Tool): string[] {
  const isOfIde = toolset === 'jetbrains';
  return [
    ...(effect === 'edits' ? ['ToolMarkerCanEdit'] : []),
    ...(toolset === 'symbolic_read' || (isOfIde && effect === 'reads') ? ['ToolMarkerSymbolicRead'] : []),
    ...(toolset === 'symbolic_edit' || (isOfIde && effect === 'edits') ? ['ToolMarkerSymbolicEdit'] : []),
    ...(stage === undefined ? [] : ['ToolMarkerOptional']),
    ...(stage === 'beta' ? ['ToolMarkerBeta'] : []),
    ...(needs === 'nothing' ? ['ToolMarkerDoesNotRequireActiveProject'] : []),
  ];
}

async function embeddedMemory(name: string, memories: Memories): Promise<string> {
  try {
    const parsed = parseMemoryName(name);
    return `<memory name="${parsed.text}">\n${(await memories.read(parsed)).trim()}\n</memory>`;
  } catch (error) {
    log('session').warn(`cannot embed the memory \`${name}\`: ${messageOf(error)}`);
    return '';
  }
}
