import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPackage } from '../model.ts';
import { contenderDirectory, installFromPyPI } from './contender-directory.ts';
import { homeEnv } from './home-env.ts';
import { findJdtlsInstallation } from './jdtls-installation.ts';
import { type McpRun, startMcp } from './mcp-run.ts';
import { serverProgram } from './server-program.ts';

/** Starts one version of the reference product in a directory that it may write to, with the product's language server. */
export async function startSerenaAgent(version: string, pack: BenchPackage, directory: string): Promise<McpRun> {
  const bin = await installFromPyPI('serena-agent', version);
  const home = contenderDirectory(`serena-agent-${version}`, 'serena-home');
  const servers = await configure(pack, directory, home);
  return startMcp({
    command: join(bin, 'serena-agent'),
    args: ['start-mcp-server', '--project', directory, '--context', 'claude-code', '--log-level', 'ERROR'],
    cwd: directory,
    env: {
      ...(await homeEnv(`serena-agent-${version}`)),
      SERENA_HOME: home,
      SERENA_USAGE_REPORTING: 'false',
      PATH: `${servers}:${process.env.PATH ?? ''}`,
    },
  });
}

/** Writes a configuration without dashboard or windows, and returns the directory for `PATH`. */
async function configure(pack: BenchPackage, directory: string, home: string): Promise<string> {
  const server = await serverProgram(pack, directory);
  mkdirSync(home, { recursive: true });
  const settings = {
    web_dashboard: false,
    web_dashboard_open_on_launch: false,
    gui_log_window: false,
    agent_interface: 'tools',
    trusted_project_path_patterns: ['**'],
    projects: [],
    ls_specific_settings: { [pack.serverId]: await serverSettings(pack, server.path) },
  };
  // JSON is YAML, too.
  writeFileSync(join(home, 'serena_config.yml'), JSON.stringify(settings));
  return server.directory;
}

/** gopls is found on `PATH`, which is the only place that it is looked for; JDT LS is started without its launcher. */
async function serverSettings({ serverId }: BenchPackage, path: string): Promise<Record<string, unknown>> {
  if (serverId === 'go') return {};
  if (serverId !== 'java') return { ls_path: path };
  const { directory, lombok, javaHome } = await findJdtlsInstallation();
  return { jdtls_path: directory, lombok_path: lombok, java_home: javaHome };
}
