import { randomUUID } from 'node:crypto';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { callTool, makeSdkClient } from '../../../test/support/client.ts';
import { findMarked, markVariable, untilNoneMarked } from '../../../test/support/processes.ts';
import type { StartedProcess } from '../model.ts';
import { type AnswerCost, costOf } from './answer-cost.ts';
import { PeakMemory } from './peak-memory.ts';

/** How a contender's MCP server is started. */
export interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** The answer to one tool call. */
export interface Exchange {
  /** All text blocks, joined by newlines. */
  readonly text: string;
  readonly blocks: readonly string[];
  readonly isError: boolean;
  readonly cost: AnswerCost;
}

/** A contender's MCP server, connected over stdio. */
export interface McpRun {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Exchange>;
  /** Returns the peak memory of the server and of everything that it started, in megabytes. */
  peakMegabytes(): number | undefined;
  /** Returns the server and everything that it started. */
  processes(): readonly StartedProcess[];
  stop(): Promise<void>;
}

const callTimeoutMs = 300_000;

/** Starts an MCP server and initializes it. @throws {Error} with its last output if it does not start. */
export async function startMcp({ command, args, cwd, env }: McpProgram): Promise<McpRun> {
  const mark = randomUUID();
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    env: { ...Object.fromEntries(inherited), ...env, [markVariable]: mark },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-2000);
  });
  const client = makeSdkClient([cwd]);
  const memory = new PeakMemory({ mark });
  const stop = async () => {
    memory.stop();
    await client.close();
    await endMarked(mark);
  };
  try {
    await client.connect(transport, { timeout: callTimeoutMs });
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}: ${stderr.trim().split('\n').at(-1) ?? ''}`, { cause: error });
  }
  return {
    async call(name, toolArgs) {
      const startedAt = performance.now();
      const { blocks, isError } = await callTool(client, { name, args: toolArgs }, { timeoutMs: callTimeoutMs });
      const ms = performance.now() - startedAt;
      const text = blocks.join('\n');
      const request = `${name} ${JSON.stringify(toolArgs)}`;
      return { text, blocks, isError, cost: costOf({ request, answer: text, ms, directory: cwd }) };
    },
    peakMegabytes: () => memory.megabytes(),
    processes: () => findMarked(mark),
    stop,
  };
}

/** Ends what a server left running, for example a daemon of its own. */
async function endMarked(mark: string): Promise<void> {
  for (const { pid } of findMarked(mark)) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has exited in the meantime.
    }
  }
  await untilNoneMarked(mark);
}
