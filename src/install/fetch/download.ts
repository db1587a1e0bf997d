import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { attempt } from '../../base/attempt.ts';
import { pause } from '../../base/deadline.ts';
import { ExpectedError, systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { reasonOf } from '../failures.ts';
import { type NetworkSettings, proxyFor } from './network.ts';
import type { VerifiedFile } from './verified-file.ts';

export interface DownloadTiming {
  /** Delays before each retry. The number of retries is their number. */
  readonly retryDelaysMs: readonly number[];
  /** Maximum time without a byte, also before the first one. There is no limit for the whole download. */
  readonly idleTimeoutMs: number;
  /** Minimum number of bytes in every time window. A slower attempt is stopped, and the next one resumes. */
  readonly pace?: { readonly bytes: number; readonly windowMs: number };
}

interface DownloadOptions {
  /** True if content may come from a host, as in `URL.host` (with any non-default port). */
  readonly isAllowed: (host: string) => boolean;
  readonly network: NetworkSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly timing?: DownloadTiming | undefined;
}

export const defaultTiming = {
  retryDelaysMs: [200, 1000, 4000, 15_000],
  idleTimeoutMs: 30_000,
  // 5 kB/s over a minute. At a lower rate a language server takes hours.
  pace: { bytes: 300_000, windowMs: 60_000 },
} satisfies DownloadTiming;
const maxRedirects = 10;
// A `Retry-After` above this counts as a failure, because a user is waiting.
const maxRetryAfterMs = 60_000;
const transientStatuses = [408, 425, 429];

/**
 * Downloads `url` into `file`. The caller finishes the file, which verifies it. Retries transient failures, and resumes
 * where the last attempt stopped.
 *
 * @throws {HttpFailure} if the download fails; errors of `file`; the signal's reason once it aborts.
 */
export async function download(url: URL, file: VerifiedFile, options: DownloadOptions): Promise<void> {
  const { retryDelaysMs } = options.timing ?? defaultTiming;
  // Identifies the file that was begun: an entity tag or a modification date.
  let validator: string | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await requestContent(url, { ...options, resume: { from: file.receivedBytes, validator } });
      validator = validatorOf(answer) ?? validator;
      await receive(answer, file, options);
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = asFailure(error, url);
      const delayMs = retryDelaysMs[attempt];
      if (!(failure instanceof HttpFailure) || !failure.isTransient || delayMs === undefined) throw failure;
      const waitMs = failure.retryAfterMs ?? delayMs * (1 + Math.random() / 4);
      log('install').info(`Retrying in ${(waitMs / 1000).toFixed(1)} s: ${failure.message}`);
      // Without a validator the next response could be another file, so the download starts over.
      if (validator === undefined || failure.status === 416) file.restart();
      await pause(waitMs, options.signal);
    }
  }
}

interface ResumableOptions extends DownloadOptions {
  readonly resume: { readonly from: number; readonly validator: string | undefined };
}

/** Requests `url`, follows redirects to allowed hosts, and returns a response with content. */
async function requestContent(url: URL, options: ResumableOptions): Promise<IncomingMessage> {
  let current = url;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    requireSafe(current, options);
    const answer = await send(current, options);
    const { statusCode: status = 0, headers } = answer;
    if (status === 200 || status === 206) return answer;
    // The body is not needed, and a connection with an unread body cannot be reused.
    answer.destroy();
    if (status < 300 || status >= 400 || headers.location === undefined) throw refused(current, answer);
    current = new URL(headers.location, current);
  }
  throw new HttpFailure(`${nameOf(url)} redirects more than ${maxRedirects} times`);
}

function requireSafe(url: URL, { isAllowed, network }: ResumableOptions): void {
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && (isLoopback || network.allowsHttp));
  if (!isSecure) {
    const hint = 'use an `https` address, or set `SERENA_ALLOW_HTTP=1` for a network that you trust';
    throw new HttpFailure(`${nameOf(url)} is not an https address`, { hint });
  }
  if (isAllowed(url.host)) return;
  const example = `{"${url.origin}/": "${url.origin}/"}`;
  throw new HttpFailure(`it redirects to \`${url.host}\`, which is not an allowed host`, {
    hint: `if you trust that host, allow it with \`SERENA_URL_REWRITE='${example}'\``,
  });
}

function send(url: URL, options: ResumableOptions): Promise<IncomingMessage> {
  const { network, env, signal } = options;
  const { idleTimeoutMs } = options.timing ?? defaultTiming;
  const proxy = proxyFor(url, env);
  const authorities = network.authorities === undefined ? {} : { ca: [...network.authorities] };
  const common: RequestOptions & { ca?: string[] } = {
    headers: headersFor(url, options),
    signal,
    ...authorities,
    agent: proxy === undefined ? undefined : new HttpsProxyAgent(proxy, { ...authorities, keepAlive: false }),
  };
  return new Promise((resolve, reject) => {
    const asking = url.protocol === 'https:' ? requestHttps(url, common) : requestHttp(url, common);
    const watchdog = setTimeout(() => asking.destroy(idleTimeoutError(idleTimeoutMs)), idleTimeoutMs);
    asking.once('response', (answer) => {
      clearTimeout(watchdog);
      resolve(answer);
    });
    asking.on('error', (error) => {
      clearTimeout(watchdog);
      reject(error);
    });
    asking.end();
  });
}

function headersFor(url: URL, { env, resume }: ResumableOptions): Record<string, string> {
  const { username, password } = url;
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const token = env.GITHUB_TOKEN?.trim() ?? '';
  const sendsToken = url.protocol === 'https:' && ['github.com', 'api.github.com'].includes(url.host) && token !== '';
  const isResumed = resume.from > 0 && resume.validator !== undefined;
  return {
    'user-agent': 'serena',
    accept: '*/*',
    // The pinned hash is that of the file, not of a compressed transfer.
    'accept-encoding': 'identity',
    ...(username === '' ? {} : { authorization: `Basic ${basic}` }),
    ...(sendsToken && username === '' ? { authorization: `Bearer ${token}` } : {}),
    ...(isResumed ? { range: `bytes=${resume.from}-`, 'if-range': resume.validator ?? '' } : {}),
  };
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text), text);
}

/** Returns the validator of a response for `If-Range`. A weak entity tag does not identify exact bytes. */
function validatorOf({ headers }: IncomingMessage): string | undefined {
  const { etag, 'last-modified': modified } = headers;
  return etag !== undefined && !etag.startsWith('W/') ? etag : modified;
}

async function receive(answer: IncomingMessage, file: VerifiedFile, options: DownloadOptions): Promise<void> {
  const { idleTimeoutMs } = options.timing ?? defaultTiming;
  const start = Number(/^bytes (\d+)-/.exec(answer.headers['content-range'] ?? '')?.[1] ?? 0);
  if (answer.statusCode === 200) file.restart();
  else if (start !== file.receivedBytes) {
    answer.destroy();
    file.restart();
    throw new HttpFailure('the server sent a different range of the file than requested', { isTransient: true });
  }
  const watchdog = setTimeout(() => answer.destroy(idleTimeoutError(idleTimeoutMs)), idleTimeoutMs);
  const onAbort = () => answer.destroy();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const before = file.receivedBytes;
  const pacer = watchPace(answer, file, options);
  try {
    for await (const chunk of answer) {
      watchdog.refresh();
      file.write(chunk);
    }
  } finally {
    clearTimeout(watchdog);
    clearInterval(pacer);
    options.signal.removeEventListener('abort', onAbort);
  }
  const announced = answer.headers['content-length'];
  const received = file.receivedBytes - before;
  if (announced !== undefined && Number(announced) !== received) {
    throw new HttpFailure(`the connection closed after ${received} of ${announced} bytes`, { isTransient: true });
  }
}

/** Destroys the response if a time window brings too few bytes. The caller clears the timer. */
function watchPace(answer: IncomingMessage, file: VerifiedFile, { timing }: DownloadOptions): NodeJS.Timeout {
  const { bytes, windowMs } = timing?.pace ?? defaultTiming.pace;
  let before = file.receivedBytes;
  return setInterval(() => {
    const received = file.receivedBytes - before;
    before = file.receivedBytes;
    const seconds = windowMs / 1000;
    if (received < bytes)
      answer.destroy(new Error(`received only ${received} bytes in ${seconds} s, fewer than ${bytes}`));
  }, windowMs);
}

function refused(url: URL, { statusCode: status = 0, headers }: IncomingMessage): HttpFailure {
  const isTransient = transientStatuses.includes(status) || status >= 500;
  const retryAfterMs = retryAfter(headers['retry-after']);
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs;
  return new HttpFailure(`${nameOf(url)} returned status ${status}`, {
    status,
    isTransient: (isTransient && !isTooLong) || status === 416,
    retryAfterMs,
  });
}

/** Parses a `Retry-After` header (seconds or a date) into milliseconds from now. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const waitMs = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

function idleTimeoutError(idleTimeoutMs: number): Error {
  return new Error(`no data for ${idleTimeoutMs / 1000} s`);
}

/** Converts an error of the network into a failure of `url`. Other errors are returned unchanged. */
function asFailure(error: unknown, url: URL): unknown {
  if (error instanceof HttpFailure || error instanceof ExpectedError) return error;
  const code = systemCode(error) ?? '';
  if (/^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO)$/.test(code)) return error;
  const isUntrusted = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/.test(code);
  const message = `${nameOf(url)} is unreachable or closed the connection (${reasonOf(error) || code})`;
  if (!isUntrusted) return new HttpFailure(message, { isTransient: true, cause: error });
  const hint = "name your certificate authority's file with `SERENA_CA_FILE` or `NODE_EXTRA_CA_CERTS`";
  return new HttpFailure(message, { hint, cause: error });
}

/** Returns a URL for messages, without credentials and without the query, which may contain a signature. */
function nameOf({ origin, pathname }: URL): string {
  return `\`${origin}${pathname}\``;
}

/** A failed HTTP download. The message contains no credentials. */
export class HttpFailure extends Error {
  /** The HTTP status, or `undefined` if there was no response. */
  readonly status: number | undefined;
  /** True if a retry may succeed. */
  readonly isTransient: boolean;
  /** The delay before a retry that the server requests. */
  readonly retryAfterMs: number | undefined;
  /** The next step for the user, if known. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    more: {
      status?: number;
      isTransient?: boolean;
      retryAfterMs?: number | undefined;
      hint?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'HttpFailure';
    this.status = more.status;
    this.isTransient = more.isTransient ?? false;
    this.retryAfterMs = more.retryAfterMs;
    this.hint = more.hint;
  }
}
