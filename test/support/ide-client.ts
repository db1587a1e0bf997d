import { tools } from '../../src/tools/tools.ts';
import { startClient, type TestClient } from './client.ts';
import { makeHome } from './homes.ts';

export interface IdeClientOptions {
  /** After `--project <root>`. */
  readonly args?: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a client whose server has the tools for JetBrains IDEs switched on. `root` is the project's absolute path. */
export function startIdeClient(root: string, options: IdeClientOptions = {}): Promise<TestClient> {
  const { args = [], config, env } = options;
  const ideTools = tools.filter(({ toolset }) => toolset === 'jetbrains').map(({ name }) => name);
  const home = makeHome({ included_optional_tools: ideTools, ...config });
  return startClient({ args: ['--project', root, ...args], env: { SERENA_HOME: home, ...env } });
}
