import { log } from '../base/log.ts';
import { absoluteName } from '../config/named-file.ts';
import type { Backend, SymbolSource } from '../config/setting.ts';
import { findProjectAbove } from '../project/find-above.ts';
import { Session, type SessionOptions } from '../session/session.ts';
import { type ModeOptions, modesOf } from './mode-flags.ts';
import type { SessionHost } from './session-host.ts';

/** Flags that configure a session. */
export interface SessionFlags extends ModeOptions, Pick<SessionOptions, 'calledTool'> {
  readonly project?: string;
  readonly projectFromCwd?: boolean;
  readonly context: string;
  readonly languageBackend?: Backend;
  readonly symbolSource?: SymbolSource;
  readonly logLevel?: string;
  readonly toolTimeout?: number;
}

/**
 * Opens a session as these flags configure it, with `user` as the user's configuration.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export function openSession(host: SessionHost, flags: SessionFlags, user = host.user): Promise<Session> {
  const { cwd, home, env, version, projects, logLevel } = host;
  const { defaults, added } = modesOf(flags);
  const named = (name: string) => absoluteName(name, cwd);
  return Session.create({
    ...{ cwd, home, env, version, projects, user, logLevel },
    ...startOf(flags, host.cwd),
    contextName: named(flags.context),
    modes: { defaults: defaults?.map(named), added: added.map(named) },
    backend: flags.languageBackend,
    symbolSource: flags.symbolSource,
    toolTimeout: flags.toolTimeout,
    calledTool: flags.calledTool,
    openDashboard: user.web_dashboard ? async () => (await host.dashboard.load()).open(env) : undefined,
  });
}

/** Returns the project to activate at start, or why `--project-from-cwd` finds none. */
function startOf(flags: SessionFlags, cwd: string): Pick<SessionOptions, 'startProject' | 'startProblem'> {
  if (!flags.projectFromCwd) return { startProject: flags.project, startProblem: undefined };
  const found = findProjectAbove(cwd);
  if (found !== undefined) return { startProject: found, startProblem: undefined };
  const startProblem = `no directory at or above \`${cwd}\` has \`.serena/project.yml\` or \`.git\``;
  log('cli').warn(`No project to activate: ${startProblem}`);
  return { startProject: undefined, startProblem };
}
