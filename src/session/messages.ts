import { counted } from '../base/counted.ts';
import { isExpected } from '../base/errors.ts';
import type { KnownProject } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { listNamedFiles } from '../config/named-file.ts';
import type { Backend } from '../config/setting.ts';
import { globalMemories, memoryListing, projectMemories } from '../memories/listing.ts';
import { isOnboarded } from '../memories/maintenance.ts';
import type { Memories } from '../memories/memories.ts';
import { parseMemoryTopic } from '../memories/names.ts';
import { renderWithMemories } from '../prompts/render.ts';
import { renderModes } from '../prompts/system-prompt.ts';
import { detectServers } from '../servers/assignment/detect.ts';
import type { ServerPool } from '../servers/runtime/pool.ts';
import { asciiJson, toJson } from '../text/json.ts';
import { tools } from '../tools/tools.ts';
import type { OpenProject } from './open-projects.ts';
import type { SelectedTools } from './select.ts';
import { templateInputs } from './template-inputs.ts';

/** State of a project in messages to the client. A project that is open for queries is not active. */
export type ProjectState = 'created and activated' | 'activated' | 'open for queries';

/**
 * Returns the message about a project that the client gets when it is activated or queried: see docs/compatibility.md,
 * Project activation.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template of the project.
 */
export async function projectMessage(
  { project, sources }: Pick<OpenProject, 'project' | 'sources'>,
  options: {
    state: ProjectState;
    memories: Memories;
    selected: SelectedTools;
    /** Modes that this project activates. */
    newModes: readonly Mode[];
    signal: AbortSignal;
  },
): Promise<string> {
  const { state, memories, selected, newModes, signal } = options;
  const { initialPrompt, encoding } = project.config;
  const inputs = templateInputs(selected.active, memories);
  const prompt = await renderWithMemories(initialPrompt, inputs);
  const memory = await projectMemoriesText(memories, { selected, state });
  return [
    `The project \`${project.name}\` at ${project.root} is ${state}.`,
    await languagesLine({ project, sources }, signal),
    `File encoding: ${encoding}.`,
    ...(memory === '' ? [] : [memory]),
    ...(await renderModes(newModes, inputs)),
    ...(prompt === '' ? [] : [`<project-instructions>\n${prompt}\n</project-instructions>`]),
  ].join('\n');
}

/**
 * Returns the list of the project's memories, or the suggestion to run onboarding; `''` if the memory tools are
 * inactive.
 */
async function projectMemoriesText(
  memories: Memories,
  { selected, state }: { selected: SelectedTools; state: ProjectState },
): Promise<string> {
  const isActive = (name: string) => selected.active.some((tool) => tool.name === name);
  if (!isActive('read_memory')) return '';
  try {
    const list = await memories.list();
    const isStudied = isOnboarded(list);
    const listed = memoryListing(projectMemories(list));
    const hint = 'Read those that bear on your task with `read_memory`.';
    return [
      ...(Object.keys(listed).length > 0 ? [`Memories of the project: ${asciiJson(toJson(listed))}`] : []),
      ...(isStudied ? [hint] : []),
      ...(!isStudied && isActive('onboarding') && state !== 'open for queries'
        ? ['This project was not onboarded yet: ask the user whether to call `onboarding`.']
        : []),
    ].join('\n');
  } catch (error) {
    // The other tools still work.
    if (!isExpected(error, 'config.invalid')) throw error;
    return `The memories of the project cannot be listed: ${error.message}.`;
  }
}

/** Returns the names of the global memories for the manual; `''` if there are none. */
export async function globalMemoriesText(memories: Memories): Promise<string> {
  try {
    const listed = memoryListing(globalMemories(await memories.list(parseMemoryTopic('global'))));
    return Object.keys(listed).length === 0 ? '' : toJson(listed);
  } catch (error) {
    if (!isExpected(error, 'config.invalid')) throw error;
    return `cannot be listed: ${error.message}.`;
  }
}

async function languagesLine(
  { project, sources }: Pick<OpenProject, 'project' | 'sources'>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const shares = detectServers(sources, await project.scanner.extensionCounts(signal));
    const languages = shares.map(({ server, fileCount }) => `${server.spec.id} (${counted(fileCount, 'file')})`);
    if (languages.length > 0) return `Language servers: ${languages.join(', ')}.`;
    return 'None of its files belongs to a language server: the symbol tools will find nothing.';
  } catch (error) {
    // The tools still work.
    if (!isExpected(error, 'search.too-slow')) throw error;
    return `The language servers cannot be determined: ${error.message}.`;
  }
}

/** Returns the state of a session in several lines: see docs/compatibility.md, Session state. */
export function describeSession(parts: {
  version: string;
  logLevel: string;
  open: OpenProject | undefined;
  servers: ServerPool;
  known: readonly KnownProject[];
  home: string;
  contextName: string;
  backend: Backend;
  modeNames: readonly string[];
  selected: SelectedTools;
}): string {
  const { open, selected } = parts;
  const project = open?.project;
  const available = listNamedFiles('modes', parts.home).map(({ name }) => name);
  const inactiveModes = available.filter((name) => !parts.modeNames.includes(name));
  const active = selected.active.map((tool) => tool.name);
  const inactive = tools.map((tool) => tool.name).filter((name) => !active.includes(name));
  return [
    `Serena ${parts.version}`,
    `Log level: ${parts.logLevel}`,
    `Active project: ${project === undefined ? 'none' : `${project.name} (${project.root})`}`,
    `Language backend: ${parts.backend}`,
    `Language servers: ${open === undefined ? 'none' : serverStates(open, parts.servers)}`,
    'Known projects:',
    ...parts.known.map(({ name, root }) => `  ${name} (${root})`),
    `Context: ${parts.contextName}`,
    `Active modes: ${parts.modeNames.join(', ')}`,
    `Inactive modes: ${inactiveModes.join(', ')}`,
    'Active tools:',
    ...inRows(active),
    ...(inactive.length === 0 ? [] : ['Inactive tools:', ...inRows(inactive)]),
  ].join('\n');
}

function serverStates({ project, sources }: OpenProject, pool: ServerPool): string {
  const running = new Map(pool.statusOf(project.root).map(({ id, state }) => [id, state]));
  const failures = pool.failuresOf(project.root);
  const { languageServers, hasOtherServers } = project.config;
  const isNamed = languageServers !== undefined && !hasOtherServers;
  const states = sources.servers.flatMap(({ spec, reason }) => {
    const failure = failures.get(spec.id);
    const state = running.get(spec.id) ?? (failure === undefined ? undefined : `error (${failure})`);
    const why = reason === undefined ? '' : ` (${reason})`;
    const isShown = state !== undefined || isNamed || reason !== undefined;
    return isShown ? [`${spec.id} ${state ?? 'not initialized'}${why}`] : [];
  });
  const others = sources.servers.length - states.length;
  // A project that names none may use any.
  return [
    ...states,
    ...(others === 0 ? [] : [`${others} ${states.length === 0 ? '' : 'others '}not initialized`]),
  ].join(', ');
}

/** Returns the names sorted, four to a row. */
function inRows(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  return sorted.flatMap((_, index) => (index % 4 === 0 ? [`  ${sorted.slice(index, index + 4).join(', ')}`] : []));
}

/**
 * Returns the message after a client switched modes: the active modes, the prompts of the `added` ones, the active
 * tools.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export async function modesMessage(
  added: readonly Mode[],
  state: { modes: readonly Mode[]; selected: SelectedTools; memories: Memories },
): Promise<string> {
  const { modes, selected, memories } = state;
  return [
    `Active modes: ${modes.map((mode) => mode.name).join(', ')}`,
    ...(await renderModes(added, templateInputs(selected.active, memories))),
    `Active tools: ${selected.active
      .map((tool) => tool.name)
      .sort()
      .join(', ')}`,
  ].join('\n');
}
