import { ExpectedError, messageOf } from '../base/errors.ts';

export interface Address {
  /** Host name or numeric address, as configured by the user. */
  readonly host: string;
  readonly port: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends one HTTP request and returns the response, whatever its status. Redirects are not followed.
 *
 * It does not use `fetch`, which would send the request to a configured proxy: only the address itself may be
 * contacted.
 *
 * @throws {ExpectedError} `ide.unreachable` for a refused or broken connection, a response that is not HTTP or is
 *   larger than `maxBytes`, and after `timeoutMs`; the signal's reason once it aborts.
 */
export async function sendRequest({ host, port }: Address, query: HttpRequest): Promise<HttpResponse> {
  const { signal, timeoutMs, path } = query;
  signal.throwIfAborted();
  const overtime = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange({ host, port }, { ...query, signal: AbortSignal.any([signal, overtime]) });
  } catch (error) {
    signal.throwIfAborted();
    const problem = overtime.aborted ? `it did not answer within ${timeoutMs / 1000} s` : messageOf(error);
    throw new ExpectedError(
      'ide.unreachable',
      `the request \`${path}\` to the IDE at ${host}:${port} failed: ${problem}`,
      {
        hints: ['check that the IDE is running and not waiting for user input, then retry'],
        cause: error,
      },
    );
  }
}

async function exchange(
  address: Address,
  { method, path, body, maxBytes, signal }: HttpRequest,
): Promise<HttpResponse> {
  // Few clients have an IDE, and every start would pay for the module.
  const { request } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    // Without an agent the connection ends with the response, and does not outlive the call.
    const sent = request({ ...address, method, path, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) sent.destroy(new Error(`the response is larger than ${maxBytes} bytes`));
      });
      response.once('error', reject);
      response.once('aborted', () => reject(new Error('the connection was closed')));
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body: new TextDecoder().decode(Buffer.concat(chunks)) });
      });
    });
    // An abort destroys the request, but is reported differently before and after the first byte: reject with its
    // reason.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    sent.once('error', reject);
    sent.end(body);
  });
}
