import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  RequestIdSchema,
} from '@modelcontextprotocol/core';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { describeIssue, describeType } from '../base/describe-issue.ts';
import { isRecord } from '../base/own-value.ts';

/** JSON-RPC error codes for messages that cannot be handled. */
export const parseErrorCode = -32700;
export const invalidRequestCode = -32600;
export const invalidParamsCode = -32602;

/** The error response to a message that cannot be handled; `id` is `null` if it cannot be read. */
export interface MessageError {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Result of a check: the message if it is valid, else error responses; neither for an invalid message that gets no
 * response.
 */
export interface CheckedMessage {
  readonly message?: JSONRPCMessage;
  readonly errors?: readonly MessageError[];
  /** The fault of the message, for the log. */
  readonly problem?: string;
}

/** Schemas of the requests that this server handles in every protocol. */
const statelessSchemas = {
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
};

/** Likewise, with the methods of the protocols with a handshake, which the SDK rejects in the stateless protocol. */
const requestSchemas = {
  ...statelessSchemas,
  initialize: InitializeRequestSchema,
  ping: PingRequestSchema,
};

/** A batch is refused with one error per request, up to this many. */
const maxBatchAnswers = 100;

/** Returns the error response to a message that cannot be handled. */
export function messageError(id: RequestId | null, code: number, message: string): MessageError {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * True if an error is the response to a request with a known id; over HTTP, any other error becomes the HTTP status.
 */
export function isAnswerable({ id, error }: MessageError): boolean {
  return id !== null && error.code === invalidParamsCode;
}

/** Checks one parsed message against the protocol's schema. */
export function checkMessage(value: unknown): CheckedMessage {
  if (Array.isArray(value)) return refuseBatch(value);
  if (!isRecord(value))
    return invalid(value, invalidRequestCode, `Invalid request: expected an object, not ${describeType(value)}`);
  if (!('method' in value) && ('result' in value || 'error' in value)) return checkResponse(value);
  // A notification has no id and gets no response.
  if (!('id' in value) && isValidNotificationHead(value)) return checkNotification(value);
  const problem = requestProblem(value);
  if (problem !== undefined) return invalid(value, problem.code, problem.message);
  return { message: JSONRPCMessageSchema.parse(value) };
}

function requestProblem(value: object): { code: number; message: string } | undefined {
  const checked = JSONRPCRequestSchema.safeParse(value, { error: describeIssue });
  if (!checked.success) return describe(value, checked.error.issues);
  const { method } = checked.data;
  const schemas = claimsVersion(checked.data.params) ? statelessSchemas : requestSchemas;
  const schema = Object.entries(schemas).find(([name]) => name === method)?.[1];
  const issues = schema?.safeParse(value, { error: describeIssue }).error?.issues;
  return issues && describe(value, issues);
}

/** True if a request names its protocol in its own parameters, as in the stateless protocol. */
function claimsVersion(params: unknown): boolean {
  return Object(Object(params)._meta)[PROTOCOL_VERSION_META_KEY] !== undefined;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describe(value: object, issues: readonly Issue[]): { code: number; message: string } {
  const isParams = issues.every(({ path }) => path[0] === 'params');
  const problems = issues.map(({ path, message }) => {
    const sent = path.reduce<unknown>((part, key) => (isRecord(part) ? Reflect.get(part, key) : undefined), value);
    const subject = path.length === 0 ? 'the message' : `\`${path.map(String).join('.')}\``;
    const isTyped = message.startsWith('must be a') || message.startsWith('must be true');
    return `${subject} ${message === 'missing' ? 'is missing' : message}${isTyped ? `, not ${describeValue(sent)}` : ''}`;
  });
  const what = isParams ? 'Invalid params' : 'Invalid request';
  return { code: isParams ? invalidParamsCode : invalidRequestCode, message: `${what}: ${problems.join('; ')}` };
}

/** Returns a rejected number itself, and of any other value its type. */
function describeValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : describeType(value);
}

function isValidNotificationHead(value: object): boolean {
  return Reflect.get(value, 'jsonrpc') === '2.0' && typeof Reflect.get(value, 'method') === 'string';
}

function checkNotification(value: object): CheckedMessage {
  return isJSONRPCNotification(value) ? { message: value } : { problem: 'a notification is not valid MCP' };
}

function checkResponse(value: object): CheckedMessage {
  if (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value)) return { message: value };
  return { problem: 'a response is not valid MCP' };
}

function refuseBatch(batch: readonly unknown[]): CheckedMessage {
  const message = 'Invalid request: batches are not supported; send each message separately';
  const ids = batch.slice(0, maxBatchAnswers).flatMap((part) => idOf(part) ?? []);
  const errors = (ids.length > 0 ? ids : [null]).map((id) => messageError(id, invalidRequestCode, message));
  return { errors, problem: message };
}

function invalid(value: unknown, code: number, message: string): CheckedMessage {
  return { errors: [messageError(idOf(value) ?? null, code, message)], problem: message };
}

function idOf(value: unknown): RequestId | undefined {
  if (!isRecord(value)) return undefined;
  return RequestIdSchema.safeParse(Reflect.get(value, 'id')).data;
}

/** The `id` member at the beginning of the outermost object, perhaps after `jsonrpc` and `method`. */
const idAtStart =
  /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")\s*[,}]/;
/** The `id` as the last member of the outermost object. */
const idAtEnd = /[,{]\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")\s*\}\s*$/;

/** Returns the id of an unparsed message if it is found at its beginning or end, else `null`. */
export function idInText(start: string, end: string): RequestId | null {
  const text = idAtStart.exec(start)?.[1] ?? idAtEnd.exec(end)?.[1];
  const id: unknown = text === undefined ? null : JSON.parse(text);
  return RequestIdSchema.safeParse(id).data ?? null;
}
