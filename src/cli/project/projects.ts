import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { listKnownProjects } from '../../config/known-projects.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { checkHealth, type ServerHealth } from '../../session/health-check.ts';
import { forgetKnownProject } from '../../session/known-projects.ts';
import { ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines, tableLines } from '../output.ts';
import { exitCodes } from '../report.ts';
import { projectArgument } from '../user.ts';

/**
 * Writes the known projects to stdout, sorted by name.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function listProjects(flags: { readonly json?: boolean }, environment: Environment): Promise<void> {
  const user = await loadUserConfig(homeDirectory(environment.env));
  const known = (await listKnownProjects(user)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const missing = user.projects.filter((root) => !existsSync(root)).sort();
  if (flags.json) {
    printJson({ projects: known, missing });
    return;
  }
  const rows = known.map(({ name, root }) => [name, root]);
  printLines(tableLines(rows, Number.POSITIVE_INFINITY));
  if (known.length === 0)
    ownCaller.print('There are no known projects; create one with `serena project create <directory>`\n');
  for (const root of missing) ownCaller.report(`The directory of a known project does not exist: ${root}\n`);
}

/**
 * Removes a project, by name or directory, from the known projects. Its files stay.
 *
 * @throws {ExpectedError} `project.unknown` with a list of the known ones, `project.ambiguous`.
 */
export async function removeProject(nameOrPath: string, environment: Environment): Promise<void> {
  const { env, cwd } = environment;
  const place = { home: homeDirectory(env), env };
  const path = resolve(cwd, nameOrPath);
  const root = await forgetKnownProject(nameOrPath, place).catch((error: unknown) => {
    if (!isExpected(error, 'project.unknown') || path === nameOrPath || !existsSync(path)) throw error;
    return forgetKnownProject(realpathSync(path), place).catch(() => {
      throw error;
    });
  });
  ownCaller.print(`Removed ${root} from the known projects; its files stay\n`);
}

/**
 * Prints `is ignored` or `is not ignored` for a path, which is relative to the project or absolute.
 *
 * @throws {ExpectedError} `project.*`, `file.outside-project`.
 */
export async function reportIgnored(
  path: string,
  given: string | undefined,
  options: { flags: { readonly json?: boolean }; environment: Environment },
): Promise<void> {
  const { flags, environment } = options;
  await withCommandContext(environment, { prefix: 'is-ignored' }, async ({ user, projects, call }) => {
    const { project } = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    const relative = resolveInProject(project, path);
    const ignored = await project.scanner.isIgnored(relative, call.signal);
    const exists = existsSync(resolve(project.root, relative));
    if (flags.json) ownCaller.print(`${JSON.stringify({ path: relative, ignored, exists })}\n`);
    else ownCaller.print(`\`${relative}\` ${verdict({ ignored, exists })}\n`);
  });
}

function verdict({ ignored, exists }: { ignored: boolean; exists: boolean }): string {
  if (!exists) return 'does not exist, so it is not ignored';
  return ignored ? 'is ignored' : 'is not ignored';
}

/**
 * Sends each language server of a project real requests about one of its files, and reports what works. Returns the exit
 * code: failed if something does not work.
 *
 * @throws {ExpectedError} `project.*`, `config.invalid`, `search.too-slow`.
 */
export function healthCheck(
  given: string | undefined,
  flags: { readonly json?: boolean; readonly logLevel?: string },
  environment: Environment,
): Promise<number> {
  return withCommandContext(environment, { prefix: 'health-check', logLevel: flags.logLevel }, async (context) => {
    const { cwd, user, projects, call } = context;
    const root = await projectArgument(given, cwd, user);
    const open = await projects.open(root, { user });
    // The check is about language servers, whatever is configured.
    const start = {
      ...{ project: root, context: 'desktop-app' },
      ...({ languageBackend: 'LSP', symbolSource: 'server' } as const),
    };
    const session = await context.startSession(start);
    const health = await checkHealth(session, open, call);
    const works = health.length > 0 && health.every(({ steps }) => steps.every((step) => step.works));
    if (flags.json) printJson({ project: root, works, servers: health });
    else ownCaller.print(render(health, works));
    return works ? exitCodes.ok : exitCodes.failed;
  });
}

function render(health: readonly ServerHealth[], works: boolean): string {
  if (health.length === 0) return 'No language server covers any file: there is nothing to check\n';
  const parts = health.map(({ serverId, file, steps }) => {
    const lines = steps.map((step) => `  ${step.works ? 'ok    ' : 'FAILED'}  ${step.tool}: ${step.detail}\n`);
    return `${serverId}${file === undefined ? '' : `, with \`${file}\``}\n${lines.join('')}`;
  });
  return `${parts.join('')}\n${works ? 'Everything works' : 'Something does not work; run `serena doctor` to look for the cause'}\n`;
}
