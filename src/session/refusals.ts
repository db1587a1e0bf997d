import { ExpectedError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { canonicalToolName } from '../tools/arguments.ts';
import { canJoinEdits, type Tool } from '../tools/tool.ts';

/** Returns the error for a call of a tool that does not exist. */
export function unknownTool(name: string, active: readonly Tool[]): ExpectedError {
  return new ExpectedError('tool.unknown', `there is no tool \`${name}\``, {
    hints: [meant(name, active, 'the tools are')],
  });
}

function meant(name: string, tools: readonly Tool[], list: string): string {
  const names = tools.map((tool) => tool.name);
  const near = nearest(canonicalToolName(name), names);
  return near === undefined ? `${list}: ${names.join(', ')}` : `did you mean \`${near}\`?`;
}

/** Returns the error for a query of another project with a tool that does not exist. */
export function unknownQuery(name: string, allowed: readonly Tool[]): ExpectedError {
  return new ExpectedError('tool.invalid-input', `there is no tool \`${name}\` that can run in another project`, {
    hints: [meant(name, allowed, 'tools that can')],
  });
}

export function inactiveTool(name: string, active: readonly Tool[]): ExpectedError {
  const names = active.map((tool) => tool.name).sort();
  return new ExpectedError('tool.inactive', `the tool \`${name}\` is not active. Active tools: ${names.join(', ')}`);
}

/** Returns the error for a query of another project with a tool that does not only read. */
export function notForQueries(name: string): ExpectedError {
  const problem = 'it does more than read';
  return new ExpectedError('tool.failed-assertion', `\`${name}\` cannot run in another project: ${problem}`, {
    hints: ['call `activate_project` to work in that project, if the user agrees'],
  });
}

/** Returns the error for a script that calls a tool which does more than read or edit files, or runs scripts itself. */
export function notForScripts(tool: Tool): ExpectedError {
  const { name, editsThroughTools } = tool;
  const limits = canJoinEdits(tool) ? 'scripts only read in this session' : 'scripts only read, and edit files';
  const problem = editsThroughTools ? 'a script cannot run another one' : limits;
  return new ExpectedError('tool.failed-assertion', `\`${name}\` cannot be called by a script: ${problem}`, {
    hints: editsThroughTools ? [] : [`return what the call needs from the script, then call \`${name}\` as a tool`],
  });
}

/** Returns the error for a query of another project with a tool that is excluded from this session. */
export function excludedQuery(name: string): ExpectedError {
  const problem = "the user's configuration, the context or a mode excludes it";
  return new ExpectedError('tool.inactive', `\`${name}\` cannot run in another project: ${problem}`, {
    hints: ['use another tool, or ask the user to remove it from `excluded_tools`'],
  });
}

/** Returns the statement that no project is active, with the reason if known and the next step. */
export function noActiveProject(problem: string | undefined, canActivate: boolean): string {
  const state = problem === undefined ? 'No project is active' : `No project is active: ${problem}`;
  const next = canActivate ? 'Call `activate_project`' : 'Ask the user to start this server with `--project`';
  return `${state}. ${next}.`;
}

/** Returns the error for a tool that needs an active project; `problem` is the reason why there is none, if known. */
export function noProject(
  problem: string | undefined,
  { names, canActivate }: { names: readonly string[]; canActivate: boolean },
): ExpectedError {
  const why = problem === undefined ? '' : `: ${problem}`;
  const known = names.length > 0 ? [`known projects: ${names.join(', ')}`] : [];
  return new ExpectedError('project.none-active', `no project is active${why}`, {
    hints: canActivate
      ? ['ask the user for the path of the project, then call `activate_project` with it', ...known]
      : ['ask the user to start this server with `--project` and the path of the project'],
  });
}

/** Returns the error for a call that exceeded the tool timeout. */
export function timedOut(name: string, timeoutMs: number): ExpectedError {
  return new ExpectedError('tool.timed-out', `\`${name}\` did not finish within ${timeoutMs / 1000} s`, {
    hints: ['narrow the request, or raise `tool_timeout` in the configuration'],
  });
}
