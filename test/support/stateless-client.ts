import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type FormHandler, installEnv, programCommand } from './client.ts';
import { sharedHome } from './temp.ts';

/** A client of the SDK's second version, which begins with `server/discover`. */
export class StatelessClient {
  readonly client: Client;
  /** Number of `list_changed` notifications received. */
  changes = 0;

  private constructor(roots: readonly string[] | undefined, onForm?: FormHandler) {
    this.client = new Client(
      { name: 'stateless-client', version: '1.0.0' },
      {
        versionNegotiation: { mode: 'auto' },
        capabilities: {
          ...(roots === undefined ? {} : { roots: {} }),
          ...(onForm === undefined ? {} : { elicitation: { form: {} } }),
        },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.changes++ } },
      },
    );
    if (onForm !== undefined) {
      this.client.setRequestHandler('elicitation/create', async ({ params }) => {
        if (params.mode === 'url') throw new Error('the server asked to open a page');
        return await onForm(params);
      });
    }
    if (roots !== undefined) {
      this.client.setRequestHandler('roots/list', () => ({
        roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
      }));
    }
  }

  /** Starts our server and connects to it over stdio. */
  static async start(options: {
    args?: readonly string[];
    roots?: readonly string[];
    onForm?: FormHandler;
    home?: string;
    env?: Readonly<Record<string, string>>;
  }): Promise<StatelessClient> {
    const own = new StatelessClient(options.roots, options.onForm);
    const [command, ...args] = programCommand([
      'start-mcp-server',
      ...['--symbol-source', 'server'],
      ...(options.args ?? []),
    ]);
    const env = { ...installEnv(), SERENA_HOME: options.home ?? sharedHome(), SERENA_SERVICE: 'off', ...options.env };
    await own.client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
    return own;
  }

  /** Connects to a server at `url`. */
  static async connect(url: string, roots?: readonly string[]): Promise<StatelessClient> {
    const own = new StatelessClient(roots);
    await own.client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return own;
  }

  /** Calls a tool and returns its text blocks, joined by empty lines, and whether it failed. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<{ text: string; isError: boolean }> {
    const { content, isError } = await this.client.callTool({ name, arguments: { ...args } });
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    return { text: texts.join('\n\n'), isError: isError === true };
  }

  /** Returns the names of the parameters of a listed tool. */
  async parametersOf(name: string): Promise<string[]> {
    const { tools } = await this.client.listTools();
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`\`${name}\` is not listed`);
    return Object.keys(tool.inputSchema.properties ?? {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
