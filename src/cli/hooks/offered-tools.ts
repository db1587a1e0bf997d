import { homeDirectory } from '../../base/home.ts';
import { listNamedFiles } from '../../config/named-file.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import type { HookClient } from '../../hooks/hook-client.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { SessionTools } from '../../session/session-tools.ts';
import type { Environment } from '../environment.ts';
import { type Client, clients } from '../setup/clients.ts';
import { entryCommand, entryOf } from '../setup/entry.ts';
import { hookClientOf } from '../setup/hooks.ts';

/**
 * Returns the names of the tools that a client which runs the hooks of `client` is offered from the start in the working
 * directory. If several clients run these hooks, only the tools that each of them is offered; none if the server cannot
 * start, which it reports itself.
 */
export async function offeredTools(client: HookClient, environment: Environment): Promise<ReadonlySet<string>> {
  try {
    const home = homeDirectory(environment.env);
    const contexts = new Set(await contextsOf(client, { home, environment }));
    const offered = await Promise.all([...contexts].map((name) => toolsIn(name, { home, environment })));
    return offered.reduce((names, others) => names.intersection(others));
  } catch {
    // A hook must not disturb the agent's work.
    return new Set();
  }
}

interface Scope {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly environment: Environment;
}

/** Returns the names of the contexts in which the clients that run the hooks of `client` start the server. */
async function contextsOf(client: HookClient, { home, environment }: Scope): Promise<string[]> {
  const own = clients.filter((candidate) => candidate.hooks && hookClientOf(candidate) === client);
  if (own.length > 0) return await Promise.all(own.map((one) => contextOf(one, environment)));
  const hasContext = listNamedFiles('contexts', home).some(({ name }) => name === client);
  return [hasContext ? client : 'desktop-app'];
}

/** Returns the context in the client's entry, else the one that setup would write. */
async function contextOf(client: Client, environment: Environment): Promise<string> {
  const words = entryCommand(await entryOf(client, environment).catch(() => undefined));
  const given = words.map((word, index) =>
    word === '--context' ? words[index + 1] : /^--context=(.+)$/.exec(word)?.[1],
  );
  return given.find((name) => name !== undefined) ?? client.context;
}

async function toolsIn(contextName: string, { home, environment }: Scope): Promise<ReadonlySet<string>> {
  const { cwd, env } = environment;
  const user = await loadUserConfig(home);
  const { listed } = await SessionTools.load({
    ...{ home, cwd, contextName, user },
    modes: { defaults: undefined, added: [] },
    backend: undefined,
    startProject: findProjectAbove(cwd, { known: user.projects, env }),
  });
  return new Set(listed.map(({ name }) => name));
}
