import { z } from 'zod';
import { homeDirectory } from '../../base/home.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { serveStdio } from '../../mcp/stdio.ts';
import type { ClientRequest } from '../../service/listen.ts';
import { addOfflineFlag, CliCommand } from '../command.ts';
import { openAtLaunch } from '../dashboard/lazy-dashboard.ts';
import type { Environment } from '../environment.ts';
import { addServingCommands } from '../serve/commands.ts';
import type { LspFlags } from '../serve/lsp.ts';
import { type StartFlags, settingsOf } from '../serve/start-mcp-server.ts';
import { openSession, type SessionHost } from '../session.ts';
import { toolKinds } from './serve-command.ts';
import { type ClientSession, hostOf, type ServiceHost } from './service-host.ts';

const requestSchema = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
});

/**
 * Opens a session with the flags, environment and working directory of a client, and serves it.
 *
 * @throws {Error} why it cannot be served here; the client then serves itself and reports its errors.
 */
export async function serveClient(client: ClientRequest, service: ServiceHost): Promise<ClientSession> {
  const { args, env: given, cwd } = requestSchema.parse(client.request);
  if (homeDirectory(given) !== service.home) throw new Error('another home directory');
  const { flags, lsp, environment } = await parseStart(args, { ...service.environment, env: given, cwd });
  if (lsp !== undefined) return await serveLspClient(client, lsp, await hostOf(environment, service));
  if (flags.transport !== 'stdio' || flags.service === false) throw new Error('not a session over stdio');
  const host = await hostOf(environment, service, settingsOf(flags));
  const session = await openSession(host, flags);
  const instructions = await session.instructions();
  const { version, logPath } = host;
  const { receiptOf } = client;
  const { onAnswered } = service;
  const createServer = () => createMcpServer(session, { version, instructions, logPath, receiptOf, onAnswered });
  void serveStdio(createServer, client.streams);
  void openAtLaunch(host);
  return {
    ...{ pid: client.pid, cwd },
    ...toolKinds(),
    close: async (reason) => {
      client.streams.input.end();
      await session.close(reason);
    },
  };
}

/** The flags of the command that serves a client. */
type ParsedStart = { readonly environment: Environment } & (
  | { readonly flags: StartFlags; readonly lsp?: undefined }
  | { readonly flags?: undefined; readonly lsp: LspFlags }
);

/** As {@link serveClient}, for a client of the Language Server Protocol. */
async function serveLspClient(client: ClientRequest, flags: LspFlags, host: SessionHost): Promise<ClientSession> {
  if (flags.service === false) throw new Error('not a session of the service');
  const { serveLsp } = await import('../serve/lsp.ts');
  const { session, server } = await serveLsp(host, flags, client.streams);
  return {
    ...{ pid: client.pid, cwd: host.cwd, reads: [], states: [], edits: [] },
    close: async (reason) => {
      server.close();
      client.streams.input.end();
      await session.close(reason);
    },
  };
}

/** @throws {CommanderError} for flags that are not valid. */
async function parseStart(args: readonly string[], given: Environment): Promise<ParsedStart> {
  let parsed: ParsedStart | undefined;
  const start = async (flags: StartFlags, environment: Environment) => {
    parsed = { flags, environment };
  };
  const startLsp = async (lsp: LspFlags, environment: Environment) => {
    parsed = { lsp, environment };
  };
  const env: Record<string, string | undefined> = { ...given.env };
  const program = new CliCommand('serena', () => undefined)
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .exitOverride();
  addServingCommands(program, { environment: { ...given, env }, start, startLsp });
  addOfflineFlag(program, env);
  await program.parseAsync([...args], { from: 'user' });
  if (parsed === undefined) throw new Error('no session was requested');
  return parsed;
}
