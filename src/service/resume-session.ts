import { type HiddenAnswers, type OpenRequest, parse, type Resumption } from './conversation.ts';
import { type Commits, outcomeOf } from './edit-receipts.ts';
import type { SessionServer } from './session-server.ts';

interface InterruptedEdits {
  /** `undefined` if they are not known. */
  readonly commits: Commits | undefined;
  /** True if the process of a lost service still exists: it may continue what it has begun. */
  readonly mayContinue: boolean;
}

/**
 * Puts a new server into the state of a lost one and lets it finish interrupted edits. Returns false if the server ends
 * before that.
 */
export async function replay(
  { replayed, edits }: Resumption,
  { server, answers }: { server: SessionServer; answers: HiddenAnswers },
): Promise<boolean> {
  answers.clear();
  const ended = server.ended.then(() => false);
  for (const line of [...replayed, ...edits.map(openingCall)]) {
    const hidden = answers.hide(line);
    server.send(hidden.line);
    if (!(await Promise.race([hidden.answered.then(() => true), ended]))) return false;
  }
  return true;
}

/** Returns the answers to the calls that cannot be repeated, after `replay()`. */
export function interruptedAnswers({ edits, unknown }: Resumption, { commits, mayContinue }: InterruptedEdits) {
  const known = commits === undefined ? [] : edits;
  return [
    ...known.map((request) => {
      const { isDone, text } = outcomeOf(commits?.get(request.id), mayContinue);
      return toolAnswer(request, { isError: !isDone, text });
    }),
    ...[...(commits === undefined ? edits : []), ...unknown].map((request) => {
      const text = 'It may or may not have had an effect: check before you repeat it.';
      return toolAnswer(request, { isError: true, text });
    }),
  ];
}

/** Returns a call that opens the project of an edit, as any call does: that finishes interrupted edits. */
function openingCall({ line }: OpenRequest): Buffer {
  const { _meta, arguments: args } = Object(parse(line).params);
  const { progressToken: _, ...meta } = Object(_meta);
  const { project } = Object(args);
  const params = { name: 'get_current_config', arguments: { project }, _meta: meta };
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params })}\n`);
}

/** True for a request of the stateless protocol, which names its version. */
function isStateless({ line }: OpenRequest): boolean {
  const { _meta } = Object(parse(line).params);
  return Object(_meta)['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

function toolAnswer(request: OpenRequest, { isError, text }: { isError: boolean; text: string }): string {
  const { id, tool } = request;
  const reason = `The background service ended while \`${tool}\` ran. ${text}`;
  const structured = isError ? {} : { structuredContent: { result: reason } };
  const type = isStateless(request) ? { resultType: 'complete' } : {};
  const result = { content: [{ type: 'text', text: reason }], isError, ...structured, ...type };
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
}
