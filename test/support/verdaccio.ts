import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { fetchPackages } from '../../scripts/support/fetch-packages.ts';
import { loadNpmOptions } from '../../src/install/fetch/npm.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { makeTempDir } from './temp.ts';

const version = '6.10.4';
const startTimeoutMs = 30_000;
const user = 'tester';
/** File with the certificates of the authorities that npm is configured to trust. */
const upstreamCa = 'upstream-ca.pem';

export interface VerdaccioOptions {
  /** Requires a token for downloads too; publishing always requires one. */
  readonly needsToken?: boolean;
  /** Serves over TLS with a certificate of an untrusted authority; requires `whyNoCertificates()` to be undefined. */
  readonly isTls?: boolean;
  /** Gets packages that were not published to it from the registry that npm is configured for. */
  readonly hasUplink?: boolean;
}

/** A request with the status of its response. */
export interface RegistryRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

const Line = z.object({
  request: z.object({ method: z.string(), url: z.string() }),
  status: z.number(),
});

/** The npm registry Verdaccio on loopback, in its own process and with an empty storage. */
export class Verdaccio {
  readonly url: string;
  /** Token of the only user. */
  readonly token: string;
  /** Absolute path of the authority's certificate if `isTls` is set. */
  readonly caPath: string | undefined;
  readonly #child: ChildProcess;
  readonly #output: Output;

  constructor(child: ChildProcess, access: { url: string; token: string; caPath: string | undefined; output: Output }) {
    this.#child = child;
    this.url = access.url;
    this.token = access.token;
    this.caPath = access.caPath;
    this.#output = access.output;
  }

  /** Starts a registry; `await using` stops it. The first start on a machine downloads Verdaccio, in about 10 s. */
  static async start(options: VerdaccioOptions = {}): Promise<Verdaccio> {
    const packages = await fetchPackages('verdaccio', version, {
      // A dependency requires the dist-tag `cjs`, which some mirrors of the registry lack.
      'node-fetch': '2.7.0',
    });
    const directory = makeTempDir('verdaccio');
    const certificates = options.isTls ? makeCertificates() : undefined;
    const config = join(directory, 'config.yaml');
    // JSON is valid YAML.
    writeFileSync(config, JSON.stringify(await configurationOf(options, directory, certificates)));
    const authorities = join(directory, upstreamCa);
    const protocol = options.isTls ? 'https' : 'http';
    const main = join(packages, 'node_modules/verdaccio/build/index.js');
    const child = spawn(process.execPath, ['--no-install', runner, main, config, protocol], {
      cwd: directory,
      // Verdaccio's own setting (`ca`) fails with `Invalid CA` under Bun.
      env: existsSync(authorities) ? { ...process.env, NODE_EXTRA_CA_CERTS: authorities } : process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output = new Output(child);
    try {
      const url = `${protocol}://127.0.0.1:${await output.port()}/`;
      const token = await makeUser(url, certificates?.ca);
      return new Verdaccio(child, { url, token, caPath: certificates?.caPath, output });
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  /** Requests so far, in order; the first creates the user. */
  get requests(): readonly RegistryRequest[] {
    return this.#output.lines.flatMap((line) => {
      const { data } = Line.safeParse(jsonOf(line));
      return data === undefined ? [] : [{ method: data.request.method, path: data.request.url, status: data.status }];
    });
  }

  /** Returns an `.npmrc` with this registry and, by default, its token and its authority. */
  npmrc({ hasToken = true, hasAuthority = true } = {}): string {
    const lines = [`registry=${this.url}`];
    if (hasToken) lines.push(`${this.url.replace(/^https?:/, '')}:_authToken=${this.token}`);
    if (hasAuthority && this.caPath !== undefined) lines.push(`cafile=${this.caPath}`);
    return `${lines.join('\n')}\n`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill();
    await ended;
  }
}

const runner = join(dirname(fileURLToPath(import.meta.url)), 'verdaccio-child.ts');

/** Stdout of the child: its log in JSON, and a line with the port. */
class Output {
  readonly lines: string[] = [];
  readonly #port: Promise<string>;

  constructor(child: ChildProcess) {
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    this.#port = new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`Verdaccio did not start to listen:\n${this.lines.join('\n')}\n${stderr}`));
      const timer = setTimeout(fail, startTimeoutMs);
      child.once('close', fail);
      if (child.stdout === null) return;
      createInterface(child.stdout).on('line', (line) => {
        this.lines.push(line);
        const port = /^port (\d+)$/.exec(line)?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(port);
      });
    });
  }

  port(): Promise<string> {
    return this.#port;
  }
}

async function configurationOf(
  { needsToken, hasUplink }: VerdaccioOptions,
  directory: string,
  certificates: Certificates | undefined,
): Promise<object> {
  const rights = {
    access: needsToken ? '$authenticated' : '$all',
    publish: '$authenticated',
    unpublish: '$authenticated',
    ...(hasUplink ? { proxy: 'upstream' } : {}),
  };
  const { keyPath: key, certificatePath: cert, caPath: ca } = certificates ?? {};
  return {
    storage: join(directory, 'storage'),
    // Our largest package has about 60 MB and is sent as base64.
    max_body_size: '200mb',
    web: { enable: false },
    auth: { htpasswd: { file: join(directory, 'htpasswd') } },
    uplinks: hasUplink ? { upstream: await uplink(directory) } : {},
    packages: { '@*/*': rights, '**': rights },
    log: { type: 'stdout', format: 'json', level: 'http' },
    ...(certificates === undefined ? {} : { https: { key, cert, ca } }),
  };
}

/** Returns the `uplinks` entry of the registry that npm is configured for. */
async function uplink(directory: string): Promise<object> {
  const empty = join(directory, 'npm');
  mkdirSync(empty);
  const options = z.looseObject({ registry: z.string() }).parse((await loadNpmOptions(empty, process.env)).flat);
  const token = options[`${options.registry.replace(/^https?:/, '').replace(/\/*$/, '/')}:_authToken`];
  const { ca } = z.object({ ca: z.array(z.string()).nullish() }).parse(options);
  if (ca) writeFileSync(join(directory, upstreamCa), ca.join('\n'));
  return {
    url: options.registry,
    ...(typeof token === 'string' ? { auth: { type: 'bearer', token } } : {}),
  };
}

/** Creates the user and returns its token. @throws {Error} with the registry's answer if it refuses. */
async function makeUser(url: string, ca: string | undefined): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const id = createHash('sha1').update(user).digest('hex');
  const response = await fetch(`${url}-/user/org.couchdb.user:${user}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ _id: id, name: user, password, type: 'user' }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  const text = await response.text();
  const { data } = z.object({ token: z.string() }).safeParse(jsonOf(text));
  if (data === undefined) throw new Error(`Verdaccio did not create the user: ${response.status} ${text}`);
  return data.token;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
