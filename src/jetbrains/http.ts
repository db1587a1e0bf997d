import { request } from 'node:http';
import { ExpectedError, messageOf } from '../base/errors.ts';

/** Where a service listens. */
export interface Address {
  /** Name or number, as the user has configured it. */
  readonly host: string;
  readonly port: number;
}

export interface HttpQuestion {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends one HTTP request and returns its answer, whatever its status; a redirection is not followed.
 *
 * Not with `fetch`: that would hand the request to a configured proxy, and only the address itself is to be contacted.
 *
 * @throws {ExpectedError} `ide.unreachable` for a refused or broken connection, an answer that is no HTTP or has more
 *   than `maxBytes`, and after `timeoutMs`; the signal's reason once it aborts.
 */
export async function ask({ host, port }: Address, question: HttpQuestion): Promise<HttpAnswer> {
  const { signal, timeoutMs, path } = question;
  signal.throwIfAborted();
  const overtime = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange({ host, port }, { ...question, signal: AbortSignal.any([signal, overtime]) });
  } catch (error) {
    signal.throwIfAborted();
    const problem = overtime.aborted ? `it did not answer within ${timeoutMs / 1000} s` : messageOf(error);
    throw new ExpectedError('ide.unreachable', `Cannot ask the IDE at ${host}:${port} for \`${path}\`: ${problem}`, {
      hints: ['Check that the IDE is running and not waiting for the user, then call again'],
      cause: error,
    });
  }
}

function exchange(address: Address, { method, path, body, maxBytes, signal }: HttpQuestion): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    // Without an agent the connection ends with the answer, and nothing of it outlives the call.
    const sent = request({ ...address, method, path, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) sent.destroy(new Error(`the answer has more than ${maxBytes} bytes`));
      });
      response.once('error', reject);
      response.once('aborted', () => reject(new Error('the connection broke off')));
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body: new TextDecoder().decode(Buffer.concat(chunks)) });
      });
    });
    // The signal ends what is under way, but says so in different ways before and after the first byte.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    sent.once('error', reject);
    sent.end(body);
  });
}
