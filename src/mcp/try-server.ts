import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** A tool, and a text that its answer has to contain. */
export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expected: string;
}

/** How to start an MCP server. */
export interface ServerStart {
  readonly command: readonly [program: string, ...args: string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of its working directory. */
  readonly cwd: string;
}

/**
 * Starts an MCP server, asks it for its tools and then the questions, and stops it. Returns how many tools it listed.
 * Every answer has `timeoutMs`.
 *
 * @throws {Error} with what the server wrote to stderr when it does not answer, or answers something else.
 */
export async function tryServer(
  start: ServerStart,
  questions: readonly Question[],
  timeoutMs: number,
): Promise<number> {
  const [command, ...args] = start.command;
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...start.env },
    cwd: start.cwd,
    stderr: 'pipe',
  });
  const said: Buffer[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const client = new Client({ name: 'self-check', version: '1.0.0' });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools({}, { timeout: timeoutMs });
    for (const question of questions) await ask(client, question, timeoutMs);
    return tools.length;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n${Buffer.concat(said).toString('utf8')}`.trimEnd(), { cause: error });
  } finally {
    await client.close();
  }
}

async function ask(client: Client, { tool, args, expected }: Question, timeoutMs: number): Promise<void> {
  const params = { name: tool, arguments: { ...args } };
  const { content } = await client.request({ method: 'tools/call', params }, CallToolResultSchema, {
    timeout: timeoutMs,
  });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  if (!text.includes(expected)) throw new Error(`\`${tool}\` answered \`${text}\` in place of \`${expected}\``);
}
