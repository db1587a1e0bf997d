import { loadUserConfig } from '../../config/user-config.ts';
import type { Environment } from '../environment.ts';
import type { SessionHost } from '../session-host.ts';
import type { ServiceHost } from './service-host.ts';

/**
 * Returns what a session of the service works with, with `settings` in place of those of the user's configuration.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function hostOf(
  { env: given, cwd, version }: Environment,
  service: ServiceHost,
  settings: Readonly<Record<string, boolean>> = {},
): Promise<SessionHost> {
  // Never pass the HTTP token to language servers or shell commands.
  const { SERENA_HTTP_TOKEN: _token, ...env } = given;
  const { home, logLevel, logPath, dashboard } = service;
  const reloadUser = async () => ({ ...(await loadUserConfig(home)), ...settings });
  const user = await reloadUser();
  const shared = await service.projects;
  shared.budget.limitMb = user.memory_budget_mb;
  const projects = shared.projectsFor({ home, env, isTraced: user.trace_lsp_communication });
  const shown = { cwd, version, home, env, user, projects, logLevel, logPath, dashboard };
  return { ...shown, reloadUser, close: async (before) => before };
}
