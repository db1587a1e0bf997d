import { type ClientProcess, connectClient, giveUpAfterMs, type Link, serviceTimeoutMs } from './connect.ts';
import { Conversation, HiddenAnswers, parse, type SessionRecord } from './conversation.ts';
import { type Commits, closeReceipts } from './edit-receipts.ts';
import { LineSplitter, type SplitLine } from './line-splitter.ts';
import { LspConversation } from './lsp-conversation.ts';
import { FrameSplitter, frameOf } from './lsp-frames.ts';
import { interruptedAnswers, replay } from './resume-session.ts';
import { ServiceConnection } from './service-connection.ts';
import {
  LocalServer,
  type SessionClient,
  type SessionEnd,
  type SessionServer,
  type Standalone,
} from './session-server.ts';

interface RelayOptions extends ClientProcess {
  readonly standalone: Standalone;
}

/** How long a session that has lost its service waits for another one. */
const returnTimeoutMs = 2_000;
const parentCheckMs = 500;
/** Lines of the client that are kept while no server takes them, above which no more are read. */
const maxHeldLines = 1_000;

/**
 * Connects stdin and stdout to the service, or serves the session in this process if the service cannot be used or
 * stops answering. Returns the exit code.
 */
export async function relaySession(options: RelayOptions): Promise<number> {
  // Creating the stream takes about as long as opening a session.
  const meanwhile = () => void process.stdin;
  const link = await connectClient('session', options, { meanwhile }).catch((error: unknown) => {
    process.stderr.write(`Not using the background service: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  });
  return link === undefined ? await options.standalone() : await new Relay(link, options).run(link);
}

/** Forwards one session. If its service ends, another one continues it, or this process. */
class Relay {
  readonly #options: RelayOptions;
  readonly #conversation: SessionRecord;
  /** True for a client whose messages have headers, as in LSP; those of MCP are lines. */
  readonly #hasFrames: boolean;
  readonly #answers = new HiddenAnswers();
  readonly #sent: LineSplitter | FrameSplitter;
  readonly #left = Promise.withResolvers<number>();
  readonly #client: SessionClient = {
    deliver: (line) => this.#deliver(line),
    onRoom: () => process.stdin.resume(),
    isWaiting: () => this.#conversation.isWaiting || this.#answers.isWaiting,
  };
  #server: SessionServer | undefined;
  #held: SplitLine[] = [];
  #isWanted = Promise.withResolvers<void>();
  /** `undefined` if those of a service are not known. */
  #commits: Commits | undefined = new Map();
  #isReplaying = false;
  /** False once this process serves the session: no other server will continue it. */
  #isRecording = true;
  /** True if the present server has answered a request of the client. */
  #hasAnswered = false;
  #hasInputEnded = false;
  #isBlocked = false;

  constructor({ answer }: Link, options: RelayOptions) {
    this.#options = options;
    this.#hasFrames = options.args[0] === 'lsp';
    this.#sent = this.#hasFrames ? new FrameSplitter() : new LineSplitter();
    const { reads, states, edits } = answer;
    const kinds = { reads: namesIn(reads), states: namesIn(states), edits: namesIn(edits) };
    this.#conversation = this.#hasFrames ? new LspConversation() : new Conversation(kinds);
  }

  async run(first: Link): Promise<number> {
    const parent = process.ppid;
    const timer = setInterval(() => process.ppid === parent || this.#leave(), parentCheckMs);
    process.stdin.on('data', (chunk: Buffer) => this.#accept(chunk));
    process.stdin.once('end', () => this.#endInput()).once('close', () => this.#endInput());
    process.stdout.once('error', () => this.#leave());
    let end = await this.#useService(first);
    while (typeof end !== 'number') {
      const link = end === 'gone' ? await this.#findService() : undefined;
      if (typeof link === 'number') end = link;
      else end = await (link === undefined ? this.#useThisProcess(end) : this.#useService(link, end));
    }
    clearInterval(timer);
    return end;
  }

  /** `lost` is how the service before ended. */
  async #useService({ socket, answer }: Link, lost?: SessionEnd): Promise<SessionEnd> {
    const connection = new ServiceConnection(socket, this.#client, giveUpAfterMs(this.#options.env));
    const serving = this.#use(connection, lost);
    const end = await Promise.race([connection.ended, this.#left.promise]);
    this.#server = undefined;
    // In this order: the service removes the receipts of a connection that its client has closed.
    if (typeof end !== 'number') this.#commits = joined(this.#commits, closeReceipts(String(answer.receipts)));
    connection.close();
    await serving;
    return end;
  }

  async #useThisProcess(lost: SessionEnd): Promise<SessionEnd> {
    process.stderr.write('The background service does not answer: this process continues the session\n');
    const server = new LocalServer(this.#options.standalone, this.#client);
    await this.#use(server, lost);
    this.#isRecording = false;
    const code = await server.ended;
    server.close();
    return code;
  }

  /**
   * Returns a connection to another service, or the exit code once the client has finished. Returns `undefined` if this
   * process must continue: no service can be used, or the last one answered nothing before it ended, possibly because
   * of an open request, which must not end every service that it is sent to.
   */
  async #findService(): Promise<Link | number | undefined> {
    if (this.#conversation.isWaiting && !this.#hasAnswered) return undefined;
    this.#isWanted = Promise.withResolvers();
    if (this.#conversation.isWaiting || this.#held.length > 0) this.#isWanted.resolve();
    // A service that was stopped is started again only if it is needed.
    const code = await Promise.race([this.#isWanted.promise, this.#left.promise]);
    if (code !== undefined) return code;
    const timeoutMs = serviceTimeoutMs(this.#options.env) ?? returnTimeoutMs;
    const link = await connectClient('session', this.#options, { timeoutMs }).catch(() => undefined);
    if (link !== undefined) process.stderr.write('The background service ended: another one continues the session\n');
    return link;
  }

  /** Puts `server` into the state of the session unless it is the first one, and passes on what the client sends. */
  async #use(server: SessionServer, lost: SessionEnd | undefined): Promise<void> {
    this.#server = server;
    this.#hasAnswered = false;
    if (this.#isBlocked) server.hold();
    // The server before may have had no room when it ended, and this one may ask the client while its state is restored.
    process.stdin.resume();
    if (lost !== undefined && !(await this.#resume(server, lost))) return;
    const held = this.#held;
    this.#held = [];
    process.stdin.resume();
    for (const line of held) this.#pass(line, server);
    if (this.#hasInputEnded) server.finish();
  }

  /** Returns false if the server ended meanwhile. */
  async #resume(server: SessionServer, lost: SessionEnd): Promise<boolean> {
    this.#isReplaying = true;
    const resumption = this.#conversation.resumption();
    const isDone = await replay(resumption, { server, answers: this.#answers });
    this.#isReplaying = false;
    if (!isDone) return false;
    const interrupted = { commits: this.#commits, mayContinue: lost === 'silent' };
    for (const answer of interruptedAnswers(resumption, interrupted)) process.stdout.write(answer);
    this.#commits = new Map();
    this.#conversation.settle([...resumption.edits, ...resumption.unknown]);
    for (const { line } of resumption.repeated) server.send(line);
    return true;
  }

  #accept(chunk: Buffer): void {
    for (const line of this.#linesIn(chunk)) {
      const server = this.#server;
      // What a server asks during the replay may be necessary for its answers.
      if (server !== undefined && (!this.#isReplaying || isAnswer(line))) this.#pass(line, server);
      else if (this.#held.push(line) >= maxHeldLines) process.stdin.pause();
    }
    if (this.#held.length > 0) this.#isWanted.resolve();
  }

  /** A client that sends something else than messages is not served. */
  *#linesIn(chunk: Buffer): Generator<SplitLine> {
    try {
      yield* this.#sent.split(chunk);
    } catch (error) {
      process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
      this.#left.resolve(1);
      this.#endInput();
    }
  }

  #pass({ bytes, isPart }: SplitLine, server: SessionServer): void {
    if (!isPart && this.#isRecording) this.#conversation.sent(bytes);
    if (!server.send(bytes, isPart)) process.stdin.pause();
    if (this.#conversation.hasEnded) this.#endInput();
  }

  #deliver(line: SplitLine): void {
    if (this.#answers.takes(line)) return;
    const isRecorded = !line.isPart && this.#isRecording;
    if (isRecorded && this.#conversation.received(line.bytes)) this.#hasAnswered = true;
    if (!process.stdout.write(this.#hasFrames ? frameOf(line.bytes) : line.bytes)) this.#awaitClient();
  }

  /** A client that does not read must not fill the memory of this process. */
  #awaitClient(): void {
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.#server?.hold();
    process.stdout.once('drain', () => {
      this.#isBlocked = false;
      this.#server?.release();
    });
  }

  #endInput(): void {
    if (this.#hasInputEnded) return;
    this.#hasInputEnded = true;
    if (this.#server === undefined) this.#left.resolve(0);
    else if (!this.#isReplaying) this.#server.finish();
  }

  /** Nobody reads the answers any more. */
  #leave(): void {
    this.#left.resolve(0);
    this.#endInput();
  }
}

function joined(earlier: Commits | undefined, later: Commits | undefined): Commits | undefined {
  return earlier && later && new Map([...earlier, ...later]);
}

/** True for the answer to a request of a server. */
function isAnswer({ bytes, isPart }: SplitLine): boolean {
  return !isPart && parse(bytes).method === undefined;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
