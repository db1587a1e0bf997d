import { ExpectedError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { canonicalToolName } from '../tools/renamed.ts';
import type { Tool } from '../tools/tool.ts';

/** Returns the error for a call of a tool that there is not. */
export function unknownTool(name: string, active: readonly Tool[]): ExpectedError {
  const names = active.map((tool) => tool.name);
  const meant = nearest(canonicalToolName(name), names);
  return new ExpectedError('tool.unknown', `There is no tool \`${name}\``, {
    hints: [meant === undefined ? `The tools are: ${names.join(', ')}` : `Did you mean \`${meant}\`?`],
  });
}

/** Returns the error for a question to another project that no tool answers. */
export function unknownQuery(name: string, allowed: readonly Tool[]): ExpectedError {
  const names = allowed.map((tool) => tool.name);
  const meant = nearest(canonicalToolName(name), names);
  return new ExpectedError('tool.invalid-input', `There is no tool \`${name}\` to run in another project`, {
    hints: [meant === undefined ? `These can be run: ${names.join(', ')}` : `Did you mean \`${meant}\`?`],
  });
}

/** Returns the error for a call of a tool that may not run now. */
export function inactiveTool(name: string, active: readonly Tool[]): ExpectedError {
  const names = active.map((tool) => tool.name).sort();
  return new ExpectedError('tool.inactive', `The tool \`${name}\` is not active. Active tools: ${names.join(', ')}`);
}

/** Returns the error for a tool that cannot be asked about another project. */
export function notForQueries(name: string): ExpectedError {
  const problem = 'it changes something';
  return new ExpectedError('tool.failed-assertion', `\`${name}\` cannot run in another project: ${problem}`, {
    hints: ['Call `activate_project` to work in that project, if the user wants it'],
  });
}

/** Returns the error for a tool that the user keeps from this session, in whatever project. */
export function excludedQuery(name: string): ExpectedError {
  const problem = "the user's configuration, the context or a mode excludes it";
  return new ExpectedError('tool.inactive', `\`${name}\` cannot run in another project: ${problem}`, {
    hints: ['Use another tool, or ask the user to remove it from `excluded_tools`'],
  });
}

/** Says that no project is active, why, where that is known, and what to do. */
export function noActiveProject(problem: string | undefined, canActivate: boolean): string {
  const state = problem === undefined ? 'No project is active' : `No project is active: ${problem}`;
  const next = canActivate ? 'Call `activate_project`' : 'The user has to start this server with `--project`';
  return `${state}. ${next}.`;
}

/** Returns the error for a tool that needs a project where none is active; `problem` is why, where that is known. */
export function noProject(
  problem: string | undefined,
  { names, canActivate }: { names: readonly string[]; canActivate: boolean },
): ExpectedError {
  const why = problem === undefined ? '' : `: ${problem}`;
  const known = names.length > 0 ? [`Known projects: ${names.join(', ')}`] : [];
  return new ExpectedError('project.none-active', `No project is active${why}`, {
    hints: canActivate
      ? ['Ask the user for the path of the project, then call `activate_project` with it', ...known]
      : ['Ask the user to start this server with `--project` and the path of the project'],
  });
}

/** Returns the error for a call that took too long. */
export function timedOut(name: string, timeoutMs: number): ExpectedError {
  return new ExpectedError('tool.timed-out', `\`${name}\` did not finish within ${timeoutMs / 1000} s`, {
    hints: ['Narrow the question, or raise `tool_timeout` in the configuration'],
  });
}
