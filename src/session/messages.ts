import { isExpected } from '../base/errors.ts';
import type { Mode } from '../config/mode.ts';
import { detectServers } from '../project/detect.ts';
import type { KnownProject } from '../project/known-projects.ts';
import type { Project } from '../project/project.ts';
import { renderModes } from '../prompts/system-prompt.ts';
import type { ServerPool } from '../servers/pool.ts';
import { tools } from '../tools/tools.ts';
import type { SelectedTools } from './select.ts';

/** Returns what a client is told about the project it activated (`spec/system.md` §8.3). */
export async function activationMessage(
  project: Project,
  options: { isNew: boolean; signal: AbortSignal },
): Promise<string> {
  const lines = [
    `The project \`${project.name}\` at ${project.root} is ${options.isNew ? 'created and activated' : 'activated'}.`,
    await languagesLine(project, options.signal),
    `File encoding: ${project.config.encoding}.`,
  ];
  const { initialPrompt } = project.config;
  if (initialPrompt !== '') lines.push(`<project-instructions>\n${initialPrompt.trim()}\n</project-instructions>`);
  return lines.join('\n');
}

async function languagesLine(project: Project, signal: AbortSignal): Promise<string> {
  try {
    const shares = await detectServers(project, signal);
    const languages = shares.map(({ server, fileCount }) => `${server.spec.id} (${fileCount} files)`);
    if (languages.length > 0) return `Language servers: ${languages.join(', ')}.`;
    return 'No file of it belongs to a language server: the symbol tools will find nothing.';
  } catch (error) {
    // The tools work all the same.
    if (!isExpected(error, 'search.too-slow')) throw error;
    return `Language servers: not counted. ${error.message}.`;
  }
}

/** Returns the state of a session in several lines (`spec/tools.md` §12.2). */
export function describeSession(parts: {
  version: string;
  logLevel: string;
  project: Project | undefined;
  servers: ServerPool;
  known: readonly KnownProject[];
  contextName: string;
  modeNames: readonly string[];
  selected: SelectedTools;
}): string {
  const { project, selected } = parts;
  const active = selected.active.map((tool) => tool.name);
  const inactive = tools.map((tool) => tool.name).filter((name) => !active.includes(name));
  return [
    `Serena ${parts.version}`,
    `Log level: ${parts.logLevel}`,
    `Active project: ${project === undefined ? 'none' : `${project.name} (${project.root})`}`,
    'Language backend: LSP',
    `Language servers: ${project === undefined ? 'none' : serverStates(project, parts.servers)}`,
    'Known projects:',
    ...parts.known.map(({ name, root }) => `  ${name} (${root})`),
    `Context: ${parts.contextName}`,
    `Active modes: ${parts.modeNames.join(', ')}`,
    'Active tools:',
    ...inRows(active),
    ...(inactive.length === 0 ? [] : ['Inactive tools:', ...inRows(inactive)]),
  ].join('\n');
}

function serverStates(project: Project, pool: ServerPool): string {
  const running = new Map(pool.statusOf(project.root).map(({ id, state }) => [id, state]));
  const failures = pool.failuresOf(project.root);
  const states = project.sources.servers.map(({ spec }) => {
    const failure = failures.get(spec.id);
    const state = running.get(spec.id) ?? (failure === undefined ? 'not initialized' : `error (${failure})`);
    return `${spec.id} ${state}`;
  });
  return states.join(', ');
}

/** Sorted, four to a row. */
function inRows(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  return sorted.flatMap((_, index) => (index % 4 === 0 ? [`  ${sorted.slice(index, index + 4).join(', ')}`] : []));
}

/** Returns what a client is told after it switched modes: those active now, the words of the `added` ones, the tools. */
export async function modesMessage(
  added: readonly Mode[],
  state: { modes: readonly Mode[]; selected: SelectedTools },
): Promise<string> {
  const active = state.selected.active.map((tool) => tool.name);
  const prompts = await renderModes(added, active);
  return [
    `Active modes: ${state.modes.map((mode) => mode.name).join(', ')}`,
    ...prompts,
    `Active tools: ${[...active].sort().join(', ')}`,
  ].join('\n');
}
