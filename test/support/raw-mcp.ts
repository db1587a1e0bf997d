import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { z } from 'zod';
import { programCommand, type Runtime } from './client.ts';
import { eventually } from './eventually.ts';
import { sharedHome } from './temp.ts';

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]).nullish(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

export type RawMessage = z.infer<typeof Message>;

export interface RawMcpOptions {
  /** Arguments after `start-mcp-server --symbol-source server`. */
  readonly args?: readonly string[];
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly runtime?: Runtime;
  /**
   * Command and arguments of a program that runs the server; process id, pipes and exit are then those of that program.
   */
  readonly wrapper?: readonly string[];
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw-client', version: '1.0.0' },
};

/** Our server with bare pipes, for tests of what the SDK's client hides, such as every byte on stdout. */
export class RawMcp {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with exit code and signal. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stdout = '';
  stderr = '';

  constructor(options: RawMcpOptions = {}) {
    const program = programCommand(
      ['start-mcp-server', '--symbol-source', 'server', ...(options.args ?? [])],
      options.runtime,
    );
    const [command = '', ...args] = [...(options.wrapper ?? []), ...program];
    this.child = spawn(command, args, {
      env: {
        ...process.env,
        SERENA_HOME: sharedHome(),
        SERENA_SERVICE: 'off',
        ...options.env,
      },
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => this.child.once('close', (code, signal) => resolve({ code, signal })));
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends `initialize` and what follows it, and waits for the answer. */
  async initialize(): Promise<RawMessage> {
    this.send({ id: 'initialize', method: 'initialize', params: initialize });
    const answer = await this.answer('initialize');
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Sends `tools/call`; `meta` may carry a progress token. */
  call(id: number, name: string, args: object = {}, meta?: object): void {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    this.send({ id, method: 'tools/call', params });
  }

  /** Every complete line of stdout, parsed. @throws {Error} for a line that is not a message. */
  messages(): RawMessage[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => Message.parse(JSON.parse(line)));
  }

  /** Waits for the answer to a request. */
  answer(id: number | string, timeoutMs = 120_000): Promise<RawMessage> {
    const find = () => this.messages().find((message) => message.id === id && message.method === undefined);
    return eventually(`the answer to ${id}`, find, timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin.end();
    await this.exited;
  }
}
