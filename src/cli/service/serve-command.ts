import { constants } from 'node:os';
import { z } from 'zod';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import type { Call } from '../../base/call.ts';
import { withReceipt } from '../../base/commit-receipt.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { log } from '../../base/log.ts';
import { styled, visibleText } from '../../base/visible-text.ts';
import {
  type CallEffect,
  commandRequestId,
  type FromCommand,
  partsOf,
  type ToCommand,
} from '../../service/command-messages.ts';
import type { ToolKinds } from '../../service/conversation.ts';
import { LineSplitter } from '../../service/line-splitter.ts';
import type { ClientRequest } from '../../service/listen.ts';
import type { SocketStreams } from '../../service/socket-streams.ts';
import { isSharedCommand } from '../../service/wants-service.ts';
import type { Session } from '../../session/session.ts';
import { canonicalToolName } from '../../tools/arguments.ts';
import { type Answer, plansEdits } from '../../tools/tool.ts';
import { tools, unlistedTools } from '../../tools/tools.ts';
import type { Caller, ToolRequest } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { type ClientSession, hostOf, type ServiceHost } from './service-host.ts';

const requestSchema = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  hasTerminal: z.boolean(),
});

/**
 * Runs a command line with the environment, working directory, streams and signals of the process at the other end, as
 * soon as that process asks for it.
 *
 * @throws {Error} why it cannot run here; the process then runs it itself.
 */
export async function serveCommand(client: ClientRequest, service: ServiceHost): Promise<ClientSession> {
  const { args, env, cwd, hasTerminal } = requestSchema.parse(client.request);
  if (homeDirectory(env) !== service.home) throw new Error('another home directory');
  if (!isSharedCommand(args)) throw new Error('not a command that the service runs');
  const caller = new RemoteCaller(client.streams, { hasTerminal, env });
  const openHost = (given: Environment) => hostOf(given, service);
  const environment: Environment = { ...service.environment, env, cwd, caller, openHost };
  const run = () => withReceipt(client.receiptOf(commandRequestId), () => service.run(args, environment));
  const ended = caller.started
    .then((isStarted) => (isStarted ? run() : exitCodes.ok))
    .catch((error: unknown) => {
      log('service').error(`A command has failed: ${messageOf(error)}`);
      return exitCodes.bug;
    })
    .then((code) => caller.exit(code))
    .finally(service.onAnswered);
  return {
    ...{ pid: client.pid, cwd },
    ...toolKinds(),
    close: async (reason) => {
      caller.abort(new ExpectedError('tool.cancelled', reason));
      await ended;
      client.streams.input.end();
    },
  };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The process at the other end of a connection. */
class RemoteCaller implements Caller {
  readonly hasTerminal: boolean;
  /** Resolves with true when that process asks for its command to run, with false if it goes before. */
  readonly started: Promise<boolean>;
  readonly #env: Variables;
  readonly #streams: SocketStreams;
  readonly #start: (isStarted: boolean) => void;
  readonly #interruption = new AbortController();
  #signal: NodeJS.Signals | undefined;
  #reading: PromiseWithResolvers<string> | undefined;

  constructor(streams: SocketStreams, { hasTerminal, env }: Pick<RemoteCaller, 'hasTerminal'> & { env: Variables }) {
    this.hasTerminal = hasTerminal;
    this.#env = env;
    this.#streams = streams;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.started = promise;
    this.#start = resolve;
    const splitter = new LineSplitter();
    streams.input.on('data', (chunk: Buffer) => {
      for (const { bytes } of splitter.split(chunk)) this.#take(Object(parseBoundedJson(bytes.toString('utf8'))));
    });
  }

  highlight(color: 'red' | 'cyan', text: string): string {
    const isColored = this.hasTerminal && (this.#env.NO_COLOR ?? '') === '' && this.#env.TERM !== 'dumb';
    return isColored ? styled(color, text, undefined) : text;
  }

  print(text: string): void {
    for (const out of partsOf(visibleText(text))) void this.#send({ out });
  }

  report(text: string): void {
    for (const err of partsOf(visibleText(text))) void this.#send({ err });
  }

  read(path: string): Promise<string> {
    this.#reading = Promise.withResolvers<string>();
    void this.#send({ read: path });
    return this.#reading.promise;
  }

  interruption(): AbortSignal {
    return this.#interruption.signal;
  }

  interruptedExitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  async endOutput(): Promise<undefined> {
    // That process does it.
  }

  async call(session: Session, { tool, args }: ToolRequest, call: Call): Promise<Answer> {
    // Sent before the call can change anything: without it that process would repeat the call.
    await this.#send({ calling: { tool, effect: callEffect(tool) } });
    return await session.call(tool, args, call);
  }

  async exit(code: number): Promise<void> {
    await this.#send({ exit: code });
  }

  abort(reason: ExpectedError): void {
    this.#start(false);
    this.#reading?.reject(reason);
    this.#interruption.abort(reason);
  }

  #take({ start, content, problem, signal }: ToCommand): void {
    if (start) this.#start(true);
    if (content !== undefined) this.#reading?.resolve(content);
    if (problem !== undefined) this.#reading?.reject(new Error(problem));
    if (signal === undefined || !Object.hasOwn(constants.signals, signal)) return;
    this.#signal ??= signal;
    this.abort(new ExpectedError('tool.cancelled', `stopped by ${signal}`));
  }

  #send(message: FromCommand): Promise<void> {
    return new Promise((resolve) => this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

const allTools = [...tools, ...unlistedTools];

/** Returns the tools by the effect of their calls, for a session that is resumed. */
export function toolKinds(): ToolKinds {
  // Edits that are commits.
  const edits = allTools.filter((tool) => plansEdits(tool) || (tool.effect === 'edits' && tool.toolset === 'memory'));
  return {
    reads: allTools.filter(({ effect }) => effect === 'reads').map(({ name }) => name),
    states: ['activate_project', 'switch_modes', 'search_tools'],
    edits: edits.map(({ name }) => name),
  };
}

/** Returns the possible effect of a call of a tool, by its name or a former name. */
function callEffect(tool: string): CallEffect {
  const { reads, states, edits } = toolKinds();
  const name = canonicalToolName(tool);
  if (reads.includes(name) || states.includes(name)) return 'none';
  return edits.includes(name) ? 'edits' : 'unknown';
}
