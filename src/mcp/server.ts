import { randomUUID } from 'node:crypto';
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
  type RequestId,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Call, withoutRepeats } from '../base/call.ts';
import { type CommitReceipt, withReceipt } from '../base/commit-receipt.ts';
import { ExpectedError, errorKinds, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { inputSchemas } from '../generated/input-schemas.ts';
import { hasProjectArgument } from '../session/project-argument.ts';
import type { Session } from '../session/session.ts';
import { renderLabels } from '../tools/answers/answer-text.ts';
import { questions } from '../tools/questions.ts';
import { type Answer, summaryOf, type Tool } from '../tools/tool.ts';
import { ClientRoots, capabilitiesOf, hasRoots } from './client-roots.ts';
import { type CalledTool, type EditQuestion, runAsking } from './edit-questions.ts';
import { callInSession, lacksProject, type SessionHandles } from './stateless-calls.ts';
import { compactSchema, type ListedTool, listedTool, wantsOpenAiSchema, withCallParameters } from './tool-list.ts';

interface McpServerOptions {
  readonly version: string;
  readonly instructions: string;
  /** Absolute path of the log file, for messages about internal errors. */
  readonly logPath: string | undefined;
  /** Present if clients have no connection of their own, so that their calls have to name their session. */
  readonly handles?: SessionHandles | undefined;
  /** Called after each tool call. */
  onAnswered?(): void;
  receiptOf?(request: RequestId): CommitReceipt;
}

/** Time for which clients of the stateless protocol may reuse a list of tools: it rarely changes while they run. */
const listTtlMs = 60_000;

/** Returns an MCP server, not yet connected, that lists and calls the tools of `session`. */
export function createMcpServer(session: Session, options: McpServerOptions): Server {
  const { version, instructions, logPath, handles } = options;
  const isDeferred = session.tools.isDeferred && handles === undefined;
  const cacheHint = { ttlMs: isDeferred ? 0 : listTtlMs, cacheScope: 'private' } as const;
  const server = new Server(
    { name: 'serena', title: 'Serena in one file', version },
    {
      capabilities: { tools: { listChanged: isDeferred } },
      instructions,
      cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint },
    },
  );
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => ({
    tools: listTools(session, {
      handles,
      isStateless: mcpReq.envelope !== undefined,
      hasRoots: hasRoots(server, mcpReq),
    }),
  }));
  server.oninitialized = () => {
    const { name, version: own } = server.getClientVersion() ?? {};
    if (name !== undefined) session.client = `${name} ${own}`;
    session.startEarly();
  };
  const roots = new ClientRoots(server);
  const questions = new UserQuestions(server);
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const isOne = session.tools.context.single_tool && params.name === oneTool;
    let { name, arguments: sent }: { name: string; arguments?: unknown } = params;
    const needsRoots = handles === undefined ? session.needsRoots : lacksProject(session, sent);
    const question = needsRoots ? roots.ask(mcpReq) : undefined;
    if (question !== undefined) return question;
    const listRoots = () => roots.list(mcpReq);
    if (handles === undefined) session.offerRoots(listRoots);
    if (isDeferred) session.tools.onListed(() => void notifyListChanged(server, mcpReq.id));
    try {
      if (isOne) {
        const read = readOneCall(sent, session.tools.listed);
        if ('text' in read) return { content: [{ type: 'text', text: read.text }], isError: false };
        ({ name, sent } = read);
      }
      const own = { session, options, questions, listRoots };
      const answer = await answerCall({ name, sent }, mcpReq, own);
      return isInputRequiredResult(answer) ? answer : answerResult(answer, session.tools.context);
    } catch (error) {
      if (error instanceof ExpectedError) log('mcp').warn(`${name}: ${error.message}`);
      else log('mcp').error(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
      return errorResult(name, isOne ? withRightCall(error, name, session.tools.listed) : error, logPath);
    } finally {
      options.onAnswered?.();
    }
  });
  return server;
}

interface CallParts {
  readonly session: Session;
  readonly options: Pick<McpServerOptions, 'handles' | 'receiptOf'>;
  readonly questions: UserQuestions;
  listRoots(): Promise<readonly string[]>;
}

/** Runs a tool, with a question to the user if an edit leaves one open and somebody may answer. @throws what tools throw. */
async function answerCall(
  called: CalledTool,
  mcpReq: ServerContext['mcpReq'],
  { session, options: { handles, receiptOf }, questions, listRoots }: CallParts,
): Promise<Answer | InputRequiredResult> {
  const startedAtMs = performance.now();
  const receipt = receiptOf?.(mcpReq.id);
  const run = ({ name, sent }: CalledTool) => {
    const call = () =>
      handles === undefined
        ? session.call(name, sent, callOf(mcpReq))
        : callInSession(handles, { session, name, sent, listRoots }, callOf(mcpReq));
    return receipt === undefined ? call() : withReceipt(receipt, call);
  };
  const resumed = questions.resumed(mcpReq);
  if (resumed !== undefined) return await resumed;
  // A client without a connection of its own may come back to another server.
  const mayAsk = handles === undefined && session.isInteractive && questions.canAsk(mcpReq);
  const outcome = await (mayAsk ? runAsking(called, run) : run(called));
  const limit = { startedAtMs, timeoutMs: session.toolTimeoutMs };
  return 'resume' in outcome ? await questions.ask(outcome, mcpReq, limit) : outcome;
}

/**
 * Returns the entries of the listed tools. Without a connection and a project of its own, a client has to name its
 * session and its project in each call.
 */
function listTools(
  session: Session,
  client: { handles: SessionHandles | undefined; isStateless: boolean; hasRoots: boolean },
): ListedTool[] {
  const { context } = session.tools;
  if (context.single_tool) return listOneTool(session.tools.listed);
  const {
    name,
    hasStructuredOutput,
    hasData,
    tool_description_overrides: descriptionOverrides,
    compact_tool_list: isCompact,
    tool_hints: hasToolHints,
    always_loaded_tools: alwaysLoadedTools,
  } = context;
  const hasOpenAiSchema = wantsOpenAiSchema(name);
  const format = { hasStructuredOutput, hasData, hasOpenAiSchema, isCompact, hasToolHints };
  const namesProject = client.isStateless && !client.hasRoots && session.needsProjectArgument;
  return session.tools.listed.map((tool) => {
    const description = descriptionOverrides[tool.name];
    const isAlwaysLoaded = alwaysLoadedTools.includes(tool.name);
    const own = { effect: session.tools.effectOf(tool), description, isAlwaysLoaded };
    const listed = listedTool(tool, { ...format, ...own });
    return withCallParameters(listed, {
      session: client.handles !== undefined,
      project: namesProject && hasProjectArgument(tool),
    });
  });
}

/** Sends `list_changed`; over HTTP on the stream of the request `relatedRequestId`, as the client may have no other. */
async function notifyListChanged(server: Server, relatedRequestId: RequestId): Promise<void> {
  try {
    await server.notification({ method: 'notifications/tools/list_changed' }, { relatedRequestId });
  } catch (error) {
    log('mcp').debug(`cannot notify the client that the list of tools has changed: ${messageOf(error)}`);
  }
}

/** Progress goes to clients that requested it. Its count always increases, as MCP requires. */
function callOf({ signal, _meta, notify }: ServerContext['mcpReq']): Call {
  const token = _meta?.progressToken;
  let progress = 0;
  return {
    signal,
    // Several requests of one call may wait for the same language server.
    progress: withoutRepeats((message) => {
      if (token === undefined || signal.aborted) return;
      progress++;
      notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } }).catch(
        (error: unknown) => log('mcp').debug(`cannot send progress: ${messageOf(error)}`),
      );
    }),
  };
}

/** The result of `tools/call`. */
interface CallResult {
  readonly content: { type: 'text'; text: string }[];
  readonly isError: boolean;
  /** `notes` is the second text, because some clients pass only this object to the model. */
  readonly structuredContent?: {
    readonly result: string;
    readonly notes?: string;
    readonly complete?: boolean;
    readonly data?: object;
  };
  readonly [key: string]: unknown;
}

/** Errors of the call pipeline, whose messages have no kind before them: see docs/compatibility.md, Tool errors. */
const pipelineCodes: readonly string[] = ['tool.inactive', 'project.none-active', 'tool.timed-out', 'tool.cancelled'];

/** Parts of a context that decide about the form of a result. */
interface ResultForm {
  readonly hasStructuredOutput: boolean;
  readonly hasData: boolean;
  readonly maxResultChars: number;
}

/**
 * Clients accept messages of 10 MiB, such as those of the TypeScript SDK 1.32. An answer contains its text twice, and its
 * data once more.
 */
const maxDataText = 1_000_000;

/**
 * Returns the result for the client: the text of the answer, and a second text with its gaps, warnings and notes if
 * any. They are in reverse order if the client shows only the beginning of both.
 */
function answerResult(answer: Answer, { hasStructuredOutput, hasData, maxResultChars }: ResultForm): CallResult {
  const notes = renderLabels(answer);
  const texts = notes === undefined ? [answer.text] : [answer.text, notes];
  // A call may ask for a longer answer, and notes may have any length.
  if (texts.reduce((sum, { length }) => sum + length, 0) > maxResultChars) texts.reverse();
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    isError: false,
    ...(hasStructuredOutput
      ? {
          structuredContent: {
            result: answer.text,
            ...(notes === undefined ? {} : { notes }),
            // Only an edit promises to be complete; other answers without it may still have gaps.
            ...(answer.edit === undefined ? {} : { complete: answer.edit.isComplete }),
            ...(hasData && answer.data !== undefined && answer.text.length <= maxDataText ? { data: answer.data } : {}),
          },
        }
      : {}),
  };
}

/** Returns the error result for the client; `logPath` is the log file that has the details of internal errors. */
function errorResult(toolName: string, error: unknown, logPath: string | undefined): CallResult {
  return { content: [{ type: 'text', text: errorText(toolName, error, logPath) }], isError: true };
}

function errorText(toolName: string, error: unknown, logPath: string | undefined): string {
  if (!(error instanceof ExpectedError)) {
    const where = logPath === undefined ? 'on stderr' : `in \`${logPath}\``;
    return `Error executing tool ${toolName}: internal error (please report); the details are ${where}`;
  }
  const hints = error.hints.map((hint) => `\nhint: ${hint}`).join('');
  if (error.code === 'tool.unknown') return error.message + hints;
  const kind = pipelineCodes.includes(error.code) ? '' : `${errorKinds[error.code]}: `;
  return `Error executing tool ${toolName}: ${kind}${error.message}${hints}`;
}

/** The tool of contexts with `single_tool`, which calls all others by their names. */
const oneTool = 'serena';

const help = 'help';
const callHelp = 'call {"action": "help"} for the actions';

/** What a call of {@link oneTool} asks for: a call of another tool, or a text. */
type OneCall = { readonly name: string; readonly sent: unknown } | { readonly text: string };

const Sent = z.object({
  action: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
});

/** Returns the list of tools that has only {@link oneTool}: the questions that the others answer, with their names. */
function listOneTool(tools: readonly Tool[]): ListedTool[] {
  const rows = tools.flatMap(({ name }) => {
    const question = questions[name];
    return question === undefined ? [] : [`- ${name}: ${question}`];
  });
  const description = [
    'Reads, edits and refactors code by symbol. `help` lists all actions; with {"action": name} as arguments, it shows the parameters of one.',
    ...rows,
  ].join('\n');
  const properties = {
    action: { type: 'string', description: 'Name of the action.' },
    arguments: { type: 'object', description: 'Its arguments.' },
  };
  return [{ name: oneTool, description, inputSchema: { type: 'object', properties, required: ['action'] } }];
}

/**
 * Reads a call of {@link oneTool}; `tools` are the active ones.
 *
 * @throws {ExpectedError} `tool.invalid-input`, `tool.unknown`, with the right call as a hint.
 */
function readOneCall(sent: unknown, tools: readonly Tool[]): OneCall {
  const parsed = Sent.safeParse(sent);
  if (!parsed.success) {
    throw new ExpectedError('tool.invalid-input', 'a call has to be {"action": name, "arguments": {…}}', {
      hints: [callHelp],
    });
  }
  const { action, arguments: args } = parsed.data;
  if (action !== help) return { name: action, sent: args ?? {} };
  const about = args?.action;
  if (about === undefined) return { text: tools.map((tool) => `${tool.name}: ${summaryOf(tool)}`).join('\n') };
  const tool = tools.find(({ name }) => name === about);
  if (tool === undefined) {
    throw new ExpectedError('tool.unknown', `there is no action \`${String(about)}\``, {
      hints: [callHelp],
    });
  }
  const { properties, required = [] } = compactSchema(JSON.parse(inputSchemas[tool.name] ?? '{}'));
  return {
    text: [tool.description.trim(), JSON.stringify({ properties, required }), `Example: ${exampleOf(tool)}`].join('\n'),
  };
}

/** Returns an error of an action with the right call as a hint. */
function withRightCall(error: unknown, name: string, tools: readonly Tool[]): unknown {
  if (!(error instanceof ExpectedError)) return error;
  if (error.code !== 'tool.invalid-input' && error.code !== 'tool.unknown') return error;
  const tool = tools.find((one) => one.name === name);
  const right = tool === undefined ? callHelp : `call ${exampleOf(tool)}`;
  return new ExpectedError(error.code, error.message, { hints: [...error.hints, right], cause: error });
}

const Schema = z.object({
  properties: z
    .record(z.string(), z.object({ type: z.string().optional(), description: z.string().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
});

/** Returns a call with the required arguments, each with its description as the value. */
function exampleOf({ name }: Tool): string {
  const { properties, required } = Schema.parse(JSON.parse(inputSchemas[name] ?? '{}'));
  const values = required.map((key) => [key, `<${properties[key]?.description ?? properties[key]?.type ?? 'value'}>`]);
  return JSON.stringify({ action: name, arguments: Object.fromEntries(values) });
}

type Request = ServerContext['mcpReq'];

/** Key of the form among the inputs that a result of the stateless protocol requests. */
const formKey = 'form';

/** Many clients give up on a call after a minute without progress. */
const patienceMs = 55_000;

/** With less time left nobody can answer. */
const leastMs = 3_000;

/** Questions that clients of the stateless protocol may still answer. */
const maxOpen = 20;

/** How long a question may take. */
interface QuestionLimit {
  /** When the call began, as in `performance.now()`. */
  readonly startedAtMs: number;
  /** Limit of the whole call; `undefined` = none. */
  readonly timeoutMs: number | undefined;
}

/** Asks the person at the client: by a request, or in the stateless protocol by a result that asks for the answer. */
class UserQuestions {
  readonly #server: Server;
  readonly #open = new Map<string, EditQuestion>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** True if the client declares that it shows forms. */
  canAsk(request: Request): boolean {
    const declared = capabilitiesOf(this.#server, request)?.elicitation;
    return declared !== undefined && (declared.form !== undefined || declared.url === undefined);
  }

  /** Continues the call whose question `request` answers; `undefined` if it answers none. */
  resumed(request: Request): Promise<Answer> | undefined {
    const state = request.envelope === undefined ? undefined : request.requestState();
    const question = typeof state === 'string' ? this.#open.get(state) : undefined;
    if (typeof state !== 'string' || question === undefined) return undefined;
    this.#open.delete(state);
    const answer = inputResponse(request.inputResponses, formKey);
    return question.resume(answer.kind === 'elicit' && answer.action === 'accept' ? (answer.content ?? {}) : undefined);
  }

  /** Asks, and returns the answer of the continued call, or the result that asks. */
  async ask(question: EditQuestion, request: Request, limit: QuestionLimit): Promise<Answer | InputRequiredResult> {
    const { message, fields } = question;
    const form = {
      message,
      requestedSchema: { type: 'object' as const, properties: { ...fields }, required: Object.keys(fields) },
    };
    if (request.envelope === undefined) return await question.resume(await this.#filledIn(form, request, limit));
    const requestState = randomUUID();
    this.#open.set(requestState, question);
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
    return inputRequired({ inputRequests: { [formKey]: inputRequired.elicit(form) }, requestState });
  }

  /** Returns what the user filled in; `undefined` if they did not, or not in time. */
  async #filledIn(
    form: ElicitRequestFormParams,
    { send, signal, _meta }: Request,
    { startedAtMs, timeoutMs = Number.POSITIVE_INFINITY }: QuestionLimit,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const patience = _meta?.progressToken === undefined ? patienceMs : Number.POSITIVE_INFINITY;
    const timeout = Math.min(timeoutMs, patience, maxTimerMs) - (performance.now() - startedAtMs);
    if (timeout < leastMs) return undefined;
    try {
      const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
      const { action, content } = await send(request, { timeout, signal });
      return action === 'accept' ? (content ?? {}) : undefined;
    } catch (error) {
      signal.throwIfAborted();
      log('mcp').warn(`The user did not answer a question: ${messageOf(error)}`);
      return undefined;
    }
  }
}

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;
