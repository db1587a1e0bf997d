import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A tool call, and a text that its answer must contain. */
export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expected: string;
}

export interface ServerStart {
  readonly command: readonly [program: string, ...args: string[]];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of its working directory. */
  readonly cwd: string;
}

/**
 * Starts an MCP server, lists its tools, makes the calls `questions` and stops it. Returns the number of tools. Each
 * request may take `timeoutMs`.
 *
 * @throws {Error} with the server's stderr output if it does not answer, or not as expected.
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
  const stderr: Buffer[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  const client = new Client({ name: 'self-check', version: '1.0.0' });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools({}, { timeout: timeoutMs });
    for (const question of questions) await ask(client, question, timeoutMs);
    return tools.length;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n${Buffer.concat(stderr).toString('utf8')}`.trimEnd(), { cause: error });
  } finally {
    await client.close();
  }
}

async function ask(client: Client, { tool, args, expected }: Question, timeoutMs: number): Promise<void> {
  const { content } = await client.callTool({ name: tool, arguments: { ...args } }, { timeout: timeoutMs });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  if (!text.includes(expected)) throw new Error(`\`${tool}\` answered \`${text}\`, expected \`${expected}\``);
}
