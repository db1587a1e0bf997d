import { z } from 'zod';

/** What the model has seen of a client. */
export interface Seen {
  /** Names of the tools that the client offered, as the client calls them. */
  readonly tools: ReadonlySet<string>;
  /** Texts of the tool's results that reached the model. */
  readonly results: readonly string[];
  /** Requests in order: method and path. */
  readonly requests: readonly string[];
}

/** What the model does in a conversation. */
export interface Script {
  /** End of the name of the tool to call. */
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Number of calls, one after the other; 1 by default. */
  readonly times?: number;
  /** A further call, after the others. */
  readonly followedBy?: Pick<Script, 'tool' | 'args'>;
  /** How long it thinks before each answer. */
  readonly thinksMs?: number;
}

/** What the model answers: a call of a tool, or a text that ends the turn. */
type Reply =
  | { readonly tool: OfferedTool; readonly args: Readonly<Record<string, unknown>>; readonly id: string }
  | { readonly text: string };

/** A tool as a client offers it; some put the tools of a server into a namespace. */
interface OfferedTool {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** One protocol in which clients speak to models. */
interface Dialect {
  readonly path: RegExp;
  tools(body: Body): readonly OfferedTool[];
  /** Returns the texts of the results of calls, as the client sent them. */
  results(body: Body): readonly string[];
  /** Returns the events of a streamed reply: name (if the protocol has any) and data. */
  stream(reply: Reply): readonly (readonly [event: string | undefined, data: unknown])[];
  /** Returns the body of a reply that is not streamed. */
  whole(reply: Reply): unknown;
}

type Body = Readonly<Record<string, unknown>>;

/** Begins the id of each call. */
const callPrefix = 'call_';
const model = 'scripted';
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const Named = z.looseObject({ name: z.string() });

function list(value: unknown): readonly Body[] {
  return z.array(z.looseObject({})).catch([]).parse(value);
}

function isOwnCall(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith(callPrefix);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toolNamed(value: unknown): OfferedTool[] {
  const { success, data } = Named.safeParse(value);
  return success ? [{ name: data.name }] : [];
}

const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  tools: ({ tools }) => list(tools).flatMap(toolNamed),
  results: ({ messages }) =>
    list(messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type, tool_use_id }) => type === 'tool_result' && isOwnCall(tool_use_id))
      .map(({ content }) => textOf(content)),
  stream: (reply) => {
    const message = { ...anthropicMessage(reply), content: [], stop_reason: null };
    const [block, delta] =
      'tool' in reply
        ? [
            { type: 'tool_use', id: reply.id, name: reply.tool.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) },
          ]
        : [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ];
    const { stop_reason } = anthropicMessage(reply);
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return events.map((event) => [event.type, event]);
  },
  whole: anthropicMessage,
};

function anthropicMessage(reply: Reply) {
  const content =
    'tool' in reply
      ? { type: 'tool_use', id: reply.id, name: reply.tool.name, input: reply.args }
      : { type: 'text', text: reply.text };
  const stop_reason = 'tool' in reply ? 'tool_use' : 'end_turn';
  return { id: 'msg_1', type: 'message', role: 'assistant', model, content: [content], stop_reason, usage };
}

const chat: Dialect = {
  path: /\/chat\/completions$/,
  tools: ({ tools }) => list(tools).flatMap((tool) => toolNamed(tool.function)),
  results: ({ messages }) =>
    list(messages)
      .filter(({ role, tool_call_id }) => role === 'tool' && isOwnCall(tool_call_id))
      .map(({ content }) => textOf(content)),
  stream: (reply) => {
    const { message, finish_reason } = chatChoice(reply);
    const calls = message.tool_calls?.map((call) => ({ ...call, index: 0 }));
    const delta = { ...message, ...(calls === undefined ? {} : { tool_calls: calls }) };
    const base = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model };
    return [
      [undefined, { ...base, choices: [{ index: 0, delta, finish_reason: null }] }],
      [undefined, { ...base, choices: [{ index: 0, delta: {}, finish_reason }] }],
      [undefined, { ...base, choices: [], usage: chatUsage }],
      [undefined, '[DONE]'],
    ];
  },
  whole: (reply) => ({
    id: 'chat_1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, ...chatChoice(reply) }],
    usage: chatUsage,
  }),
};

const chatUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chatChoice(reply: Reply) {
  if (!('tool' in reply)) return { message: { role: 'assistant', content: reply.text }, finish_reason: 'stop' };
  const call = { name: reply.tool.name, arguments: JSON.stringify(reply.args) };
  const tool_calls = [{ id: reply.id, type: 'function', function: call }];
  return { message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' };
}

const responses: Dialect = {
  path: /\/responses$/,
  tools: ({ tools }) =>
    list(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).flatMap((inner) => toolNamed(inner).map((own) => ({ ...own, namespace: textOf(tool.name) })))
        : toolNamed(tool),
    ),
  results: ({ input }) =>
    list(input)
      .filter(({ type, call_id }) => type === 'function_call_output' && isOwnCall(call_id))
      .map(({ output }) => textOf(output)),
  stream: (reply) => {
    const response = responsesBody(reply);
    const [item] = response.output;
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ].map((event, index) => [event.type, { ...event, sequence_number: index }]);
  },
  whole: responsesBody,
};

function responsesBody(reply: Reply) {
  const item =
    'tool' in reply
      ? {
          type: 'function_call',
          id: 'fc_1',
          call_id: reply.id,
          ...reply.tool,
          arguments: JSON.stringify(reply.args),
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: reply.text, annotations: [] }],
        };
  return { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model, output: [item], usage };
}

const gemini: Dialect = {
  path: /:(stream)?generateContent$/i,
  tools: ({ tools }) => list(tools).flatMap((tool) => list(tool.functionDeclarations).flatMap(toolNamed)),
  results: ({ contents }) =>
    list(contents)
      .flatMap(({ parts }) => list(parts))
      .flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [textOf(functionResponse)])),
  stream: (reply) => [[undefined, geminiBody(reply)]],
  whole: geminiBody,
};

function geminiBody(reply: Reply) {
  const part =
    'tool' in reply
      ? { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } }
      : { text: reply.text };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
  };
}

const dialects = [anthropic, chat, responses, gemini];

/**
 * A model on loopback that plays one scene in the protocols of Anthropic, OpenAI (both) and Gemini: it makes a call as soon
 * as a client offers the tool, the next ones when it has a result, and ends its turn when it has all results.
 */
export class ScriptedModel implements Seen {
  readonly tools = new Set<string>();
  readonly results: string[] = [];
  readonly requests: string[] = [];
  readonly bodies: Body[] = [];
  #script: Script;
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor(script: Script) {
    this.#script = script;
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#answer(request) });
  }

  /** Address without a path. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Makes the model play another scene in the conversations that follow. */
  play(script: Script): void {
    this.#script = script;
    this.results.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    this.requests.push(`${request.method} ${pathname}`);
    const dialect = dialects.find(({ path }) => path.test(pathname));
    if (request.method !== 'POST' || dialect === undefined) return this.#other(pathname);
    const body = z.looseObject({}).parse(await request.json());
    this.bodies.push(body);
    const reply = this.#next(dialect, body);
    if (this.#script.thinksMs !== undefined) await Bun.sleep(this.#script.thinksMs);
    const isStream = body.stream === true || /alt=sse/.test(search);
    return isStream ? eventStream(dialect.stream(reply)) : Response.json(dialect.whole(reply));
  }

  #next(dialect: Dialect, body: Body): Reply {
    const tools = dialect.tools(body);
    for (const { name } of tools) this.tools.add(name);
    const results = dialect.results(body);
    const { times = 1, followedBy } = this.#script;
    this.results.push(...results);
    const next = results.length < times ? this.#script : results.length === times ? followedBy : undefined;
    if (next === undefined) return { text: 'Finished.' };
    const { tool: wanted, args } = next;
    const tool = tools.find(({ name }) => name.endsWith(wanted));
    return tool === undefined ? { text: 'Nothing to call.' } : { tool, args, id: `${callPrefix}${results.length + 1}` };
  }

  #other(pathname: string): Response {
    if (pathname.endsWith('/models')) {
      const one = { id: model, name: model, object: 'model', created: 1, owned_by: 'test' };
      return Response.json({ object: 'list', data: [one], models: [one] });
    }
    if (/count_?tokens$/i.test(pathname)) return Response.json({ input_tokens: 1, totalTokens: 1 });
    return Response.json({ error: { message: 'not found' } }, { status: 404 });
  }
}

function eventStream(events: readonly (readonly [string | undefined, unknown])[]): Response {
  const text = events
    .map(([event, data]) => `${event === undefined ? '' : `event: ${event}\n`}data: ${textOf(data)}\n\n`)
    .join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
