import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { type Call, withoutRepeats } from '../base/call.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { fromUri } from '../base/paths.ts';
import type { Session } from '../session/session.ts';
import { wantsOpenAiSchema } from './openai-schema.ts';
import { answerResult, errorResult } from './results.ts';
import { listedTool } from './schema.ts';

/** Data that the SDK passes to a handler besides the request; only the part used here. */
interface RequestExtras {
  readonly signal: AbortSignal;
  readonly requestId: RequestId;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  sendNotification(notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message: string };
  }): Promise<void>;
}

/** Returns an MCP server, not yet connected, that lists and calls the tools of `session`. */
export function createMcpServer(
  session: Session,
  options: { version: string; instructions: string; logPath: string | undefined },
): Server {
  const { version, instructions, logPath } = options;
  const server = new Server(
    { name: 'serena', title: 'Serena in one file', version },
    {
      capabilities: { tools: { listChanged: session.tools.isDeferred } },
      instructions,
      // The SDK validates only what users enter, which no tool requests. Its default takes an eighth of the start.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'unexpected' }),
      },
    },
  );
  const { name, hasStructuredOutput, descriptionOverrides, isCompact } = session.tools.context;
  const hasOpenAiSchema = wantsOpenAiSchema(name);
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: session.tools.listed.map((tool) =>
      listedTool(tool, {
        hasStructuredOutput,
        hasOpenAiSchema,
        isCompact,
        description: descriptionOverrides[tool.name],
      }),
    ),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    session.offerRoots(() => clientRoots(server, extra.requestId));
    session.tools.onListed(() => void notifyListChanged(server, extra.requestId));
    try {
      const answer = await session.call(params.name, params.arguments, callOf(extra));
      return answerResult(answer, hasStructuredOutput);
    } catch (error) {
      if (error instanceof ExpectedError) log('mcp').warn(`${params.name}: ${error.message}`);
      else log('mcp').error(`${params.name}: ${error instanceof Error ? error.stack : String(error)}`);
      return errorResult(params.name, error, logPath);
    }
  });
  return server;
}

/** Sends `list_changed`; over HTTP on the stream of the request `relatedRequestId`, as the client may have no other. */
async function notifyListChanged(server: Server, relatedRequestId: RequestId): Promise<void> {
  try {
    await server.notification({ method: 'notifications/tools/list_changed' }, { relatedRequestId });
  } catch (error) {
    log('mcp').debug(`cannot notify the client that the list of tools has changed: ${messageOf(error)}`);
  }
}

/** A client that declares roots but does not answer must not delay the first call for long. */
const rootsTimeoutMs = 3_000;

/**
 * Returns the client's roots as absolute paths; none if it has none or does not answer. Over HTTP the request is sent
 * on the stream of the request `relatedRequestId`, as the client may have no other.
 */
async function clientRoots(server: Server, relatedRequestId: RequestId): Promise<string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: rootsTimeoutMs, relatedRequestId });
    return roots.flatMap(({ uri }) => fromUri(uri) ?? []);
  } catch (error) {
    log('mcp').warn(`The client did not report its roots: ${messageOf(error)}`);
    return [];
  }
}

/** Progress goes to clients that requested it. Its count always increases, as MCP requires. */
function callOf(extra: RequestExtras): Call {
  const token = extra._meta?.progressToken;
  let progress = 0;
  return {
    signal: extra.signal,
    // Several requests of one call may wait for the same language server.
    progress: withoutRepeats((message) => {
      if (token === undefined || extra.signal.aborted) return;
      progress++;
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
        .catch((error: unknown) => log('mcp').debug(`cannot send progress: ${messageOf(error)}`));
    }),
  };
}
