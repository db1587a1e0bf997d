import { capitalized } from '../../base/capitalized.ts';
import { counted } from '../../base/counted.ts';
import { homeDirectory } from '../../base/home.ts';
import { styled } from '../../base/visible-text.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';
import { exitCodes } from '../report.ts';
import { checkClients } from './check-clients.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkHome } from './check-home.ts';
import { checkOwnFiles } from './check-own-files.ts';
import { checkProgram } from './check-program.ts';
import { checkProject } from './check-project.ts';
import { checkServers, type ServerState, summarize } from './check-servers.ts';
import { type Finding, problemOf } from './finding.ts';

/**
 * Reports what is configured, installed and missing, and checks one project: the given one, else the one that contains
 * the working directory. Changes nothing. Returns the exit code: failed if something is broken.
 */
export async function examine(
  flags: { readonly project?: string; readonly json?: boolean },
  environment: Environment,
): Promise<number> {
  const findings = await findAll(flags.project, environment);
  const problemCount = findings.filter(({ status }) => status === 'problem').length;
  if (flags.json) ownCaller.print(`${JSON.stringify({ findings, problems: problemCount }, undefined, 2)}\n`);
  else ownCaller.print(render(findings));
  return problemCount > 0 ? exitCodes.failed : exitCodes.ok;
}

async function findAll(project: string | undefined, environment: Environment): Promise<Finding[]> {
  const home = homeDirectory(environment.env);
  const { findings, user } = await checkConfiguration(home, environment);
  const states = await checkServers(home, user, environment);
  return [
    ...checkProgram(environment),
    ...checkHome(home, environment),
    ...findings,
    ...(await checkOwnFiles(home)),
    ...summarize(states),
    ...(await checkOneProject(project, { home, user, states, environment })),
    ...(await checkClients(environment)),
  ];
}

async function checkOneProject(
  given: string | undefined,
  options: { home: string; user: UserConfig | undefined; states: readonly ServerState[]; environment: Environment },
): Promise<Finding[]> {
  const { home, user, states, environment } = options;
  // The user configuration is broken, which is already reported; without it no project can be opened.
  if (user === undefined) return [];
  const { cwd } = environment;
  try {
    const root = given === undefined ? findProjectAbove(cwd) : await projectArgument(given, cwd, user);
    return root === undefined ? [] : await checkProject(root, { home, user, states, environment });
  } catch (error) {
    return [problemOf('project', error)];
  }
}

const labels = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const;
const colors = { ok: 'green', note: 'yellow', problem: 'red' } as const;

function render(findings: readonly Finding[]): string {
  const byArea = Map.groupBy(findings, ({ area }) => area);
  const parts = [...byArea].map(([area, own]) => {
    return `${styled('bold', capitalized(area), process.stdout)}\n${own.map(renderOne).join('')}`;
  });
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  return `${parts.join('\n')}\n${counted(count('problem'), 'problem')}, ${counted(count('note'), 'note')}\n`;
}

function renderOne({ status, what, fix }: Finding): string {
  const lines = what.split('\n').join('\n           ');
  return `  ${styled(colors[status], labels[status], process.stdout)}  ${lines}\n${fix === undefined ? '' : `           ${fix}\n`}`;
}
