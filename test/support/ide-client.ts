import { tools } from '../../src/tools/tools.ts';
import { startClient, type TestClient } from './client.ts';
import { makeHome } from './homes.ts';
import { type Endpoint, TestIde } from './test-ide.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

export interface IdeClientOptions {
  /** Arguments after `--project <root>`. */
  readonly args?: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a client whose server has the JetBrains tools enabled. `root` is the project's absolute path. */
export function startIdeClient(root: string, options: IdeClientOptions = {}): Promise<TestClient> {
  const { args = [], config, env } = options;
  const ideTools = tools.filter(({ toolset }) => toolset === 'jetbrains').map(({ name }) => name);
  const home = makeHome({ included_optional_tools: ideTools, ...config });
  return startClient({ args: ['--project', root, ...args], env: { SERENA_HOME: home, ...env } });
}

/** A project, a simulated IDE that has it open, and a client of our server. */
export class IdeSession {
  readonly workspace: Workspace;
  readonly client: TestClient;
  readonly ide: TestIde;

  private constructor(parts: { workspace: Workspace; client: TestClient; ide: TestIde }) {
    this.workspace = parts.workspace;
    this.client = parts.client;
    this.ide = parts.ide;
  }

  static async start(files: Readonly<Record<string, string>>): Promise<IdeSession> {
    const workspace = makeWorkspace(files);
    const ide = await TestIde.start({ root: workspace.root });
    return new IdeSession({ workspace, ide, client: await startIdeClient(workspace.root) });
  }

  /** Calls `jet_brains_<name>`, for which the IDE answers `json`, and returns the tool's answer. */
  async answered(name: string, args: object, json: unknown, endpoint: Endpoint): Promise<string> {
    this.ide.answer(endpoint, { json });
    return await this.client.ask(`jet_brains_${name}`, { ...args });
  }

  /** Calls `jet_brains_<name>`, which must fail, and returns the error text, which begins with the error type. */
  async failure(name: string, args: object): Promise<string> {
    const answer = await this.client.call(`jet_brains_${name}`, { ...args });
    const start = `Error executing tool jet_brains_${name}: `;
    if (!answer.isError || !answer.text.startsWith(start)) throw new Error(`The tool did not fail: ${answer.text}`);
    return answer.text.slice(start.length);
  }

  /** @throws {Error} if the IDE got requests outside its contract. */
  async close(): Promise<void> {
    await this.client.close();
    await this.ide[Symbol.asyncDispose]();
  }
}
