import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret } from '../base/is-same-secret.ts';

/** Why a request is not served. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A page that has signed in. */
interface Page {
  readonly cookie: string;
  readonly key: string;
  readonly feeds: OpenRequests;
  readonly requests: OpenRequests;
}

/** A tab has one feed; a reload may begin the next one before the last has ended. */
const maxFeeds = 4;
/** More than a tab sends at a time. */
const maxRequests = 32;

/** Longer than a browser needs to start; a link that nobody uses must not stay valid. */
const tokenLifetimeMs = 5 * 60_000;

const keyHeader = 'x-serena-key';

/**
 * Decides which requests are served.
 *
 * A page proves itself by two secrets that it gets for the token of its link, which is valid once: a cookie, which
 * scripts cannot read, and a key in a header. The cookie alone is not enough: browsers send it to every port of this
 * machine, so that a server of another user could receive it. Pages of other sites know neither, and fail the checks
 * of `Host` (also those that use a name of their own for this machine) and `Origin`.
 */
export class Access {
  readonly #cookieName: string;
  readonly #hosts: readonly string[];
  readonly #tokens = new Map<string, number>();
  readonly #pages: Page[] = [];

  /** `names` are the host names in URLs of this server, which listens on `port`. */
  constructor(names: readonly string[], port: number) {
    this.#hosts = names.map((name) => `${name.toLowerCase()}:${port}`);
    // Cookies are shared by all ports.
    this.#cookieName = `serena-${port}`;
  }

  /** Returns a token for a link, which is valid once. */
  newToken(): string {
    const now = performance.now();
    for (const [token, expiresAtMs] of this.#tokens) if (expiresAtMs < now) this.#tokens.delete(token);
    const token = newSecret();
    this.#tokens.set(token, now + tokenLifetimeMs);
    return token;
  }

  /**
   * Returns the header that sets the cookie of a new page, and its key.
   *
   * @throws {RefusedRequest} 403 for a token that is unknown, was used or is too old.
   */
  signIn(sent: string): { readonly cookie: string; readonly key: string } {
    const token = [...this.#tokens.keys()].find((known) => isSameSecret(sent, known));
    const expiresAtMs = this.#tokens.get(token ?? '') ?? 0;
    if (token !== undefined) this.#tokens.delete(token);
    if (expiresAtMs < performance.now())
      throw new RefusedRequest(403, 'this link is no longer valid: request another one');
    const page = {
      cookie: newSecret(),
      key: newSecret(),
      feeds: new OpenRequests(maxFeeds),
      requests: new OpenRequests(maxRequests),
    };
    this.#pages.push(page);
    const cookie = `${this.#cookieName}=${page.cookie}; HttpOnly; SameSite=Strict; Path=/api/`;
    return { cookie, key: page.key };
  }

  /**
   * Checks where a request comes from: every request.
   *
   * @throws {RefusedRequest} 403.
   */
  requireOwnOrigin({ method, headers }: IncomingMessage): void {
    const { host = '', origin } = headers;
    if (!this.#hosts.includes(host.toLowerCase())) throw new RefusedRequest(403, 'this Host is not allowed');
    // Browsers send it with everything but plain reads.
    const mayLackOrigin = method === 'GET' && origin === undefined;
    if (!mayLackOrigin && origin?.toLowerCase() !== `http://${host.toLowerCase()}`) {
      throw new RefusedRequest(403, 'this Origin is not allowed');
    }
  }

  /**
   * Returns the page that sends a request, if it has signed in: for every request for data.
   *
   * @throws {RefusedRequest} 401.
   */
  requirePage({ headers }: IncomingMessage): Page {
    const prefix = `${this.#cookieName}=`;
    const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(prefix));
    const sent = cookies.map((cookie) => cookie.slice(prefix.length));
    const key = String(headers[keyHeader] ?? '');
    const known = this.#pages.find(
      (page) => sent.some((cookie) => isSameSecret(cookie, page.cookie)) && isSameSecret(key, page.key),
    );
    if (known === undefined) {
      throw new RefusedRequest(401, 'this page is not signed in: run `serena dashboard` for a link');
    }
    return known;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The requests of one page without a complete answer. Beyond `limit` the oldest is refused: a page that opens requests and
 * leaves them must not take the time and the connections of the others.
 */
class OpenRequests {
  readonly #limit: number;
  readonly #open = new Map<ServerResponse, (reason: RefusedRequest) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `refuse` is called if the request is the oldest beyond the limit, and ends it. */
  add(response: ServerResponse, refuse: (reason: RefusedRequest) => void): void {
    this.#open.set(response, refuse);
    response.once('close', () => this.#open.delete(response));
    const [oldest] = this.#open;
    if (oldest === undefined || this.#open.size <= this.#limit) return;
    this.#open.delete(oldest[0]);
    oldest[1](
      new RefusedRequest(429, `this page has more than ${this.#limit} open requests: the oldest one was ended`),
    );
  }
}
