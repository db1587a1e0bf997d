import { dirname, isAbsolute } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { findProjectAbove } from '../project/find-above.ts';
import type { Tool } from '../tools/tool.ts';

/** The arguments of a call without `project`, and the name or path of the project that it names, if any. */
export interface ProjectCall {
  readonly project: string | undefined;
  readonly args: unknown;
}

/**
 * Takes the argument `project` out of a call's arguments. Leaves it there if the tool has a parameter of this name or
 * needs no project. `null` and an empty string count as absent.
 *
 * @throws {ExpectedError} `tool.invalid-input` if it is not a string.
 */
export function takeProject(tool: Tool, sent: unknown): ProjectCall {
  if (!hasProjectArgument(tool) || typeof sent !== 'object' || sent === null || !('project' in sent))
    return { project: undefined, args: sent };
  const { project, ...args } = sent;
  if (project === undefined || project === null || project === '') return { project: undefined, args };
  if (typeof project === 'string') return { project, args };
  throw new ExpectedError('tool.invalid-input', 'wrong arguments: `project`: must be a string', {
    hints: ['pass the name of a known project, or the absolute path of its directory'],
  });
}

/**
 * Returns the absolute path of the project that contains the file which a call's arguments name by an absolute path;
 * `undefined` if they name none, or the tool needs no project.
 */
export function projectOfPaths(tool: Tool, args: unknown): string | undefined {
  if (!hasProjectArgument(tool) || typeof args !== 'object' || args === null) return undefined;
  for (const [name, value] of Object.entries(args)) {
    // A name path may begin with a slash, too.
    if (!name.endsWith('path') || name.endsWith('name_path') || typeof value !== 'string' || !isAbsolute(value))
      continue;
    const found = findProjectAbove(dirname(value));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if calls of a tool may name their project. */
export function hasProjectArgument(tool: Tool): boolean {
  return tool.needs !== 'nothing' && !('project' in tool.input.shape);
}
