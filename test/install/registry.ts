import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import type { LockedPackage, ServerLock } from '../../src/install/lock/server-lock.ts';

/** Answers the request for an archive; can send less, more slowly, or something else. */
type Serve = (response: ServerResponse, tarball: Uint8Array) => void;

interface Published {
  readonly name: string;
  readonly version: string;
  readonly tarball: Uint8Array;
  /** The registry's metadata of the package. */
  readonly integrity: string;
}

/** An npm registry on loopback with the packages a test publishes in it. */
export class Registry {
  /** Path and `Authorization` header of every request, in order. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  /** Set by tests of bad transfers. */
  serve: Serve = (response, tarball) => response.end(tarball);
  /** An HTTP status for all responses, in place of content. */
  refuseWith: number | undefined;
  readonly #packages: Published[] = [];
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));

  static async start(): Promise<Registry> {
    const registry = new Registry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The registry does not listen');
    return `http://127.0.0.1:${address.port}/`;
  }

  /** Publishes a given archive, or one with these files, and returns its pin. */
  async publish(
    name: string,
    content: Readonly<Record<string, string>> | Uint8Array,
    version = '1.0.0',
  ): Promise<LockedPackage> {
    const tarball = content instanceof Uint8Array ? content : await packageTarball(content);
    const integrity = integrityOf(tarball);
    this.#packages.push({ name, version, tarball, integrity });
    return { name, version, integrity, dest: `node_modules/${name}`, sizeBytes: tarball.length, unpackedBytes: 1000 };
  }

  /** Paths of the requested archives. */
  get downloads(): readonly string[] {
    return this.requests.map(({ path }) => path).filter((path) => path.endsWith('.tgz'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '/');
    this.requests.push({ path, authorization: request.headers.authorization });
    if (this.refuseWith !== undefined) return void response.writeHead(this.refuseWith).end('{}');
    const [, name, version] = /^\/(.+?)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const found = this.#packages.filter((candidate) => candidate.name === name);
    const archive = found.find((candidate) => candidate.version === version);
    if (archive !== undefined) this.serve(response, archive.tarball);
    else if (found.length > 0 && version === undefined) response.end(JSON.stringify(this.#packument(found)));
    else response.writeHead(404).end('{}');
  }

  #packument(found: readonly Published[]): object {
    const versions = found.map(({ name, version, integrity }) => [
      version,
      { name, version, dist: { tarball: `${this.url}${name}/-/${version}.tgz`, integrity } },
    ]);
    return { name: found[0]?.name, versions: Object.fromEntries(versions), 'dist-tags': { latest: found[0]?.version } };
  }
}

/** Returns an npm archive with these files below `package/`. */
export function packageTarball(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  return tarballOf(Object.entries(files).map(([path, text]) => fileEntry(`package/${path}`, text)));
}

/** Returns a gzipped archive with exactly these entries. */
export async function tarballOf(entries: readonly TarEntry[]): Promise<Uint8Array> {
  return gzipSync(await packTar(entries));
}

/** Returns an archive's entry for a file with this full name. */
export function fileEntry(name: string, text: string, mode = 0o644): TarEntry {
  return { header: { name, size: Buffer.byteLength(text), type: 'file', mode, mtime: new Date(0) }, body: text };
}

export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** Returns a lock that pins server `demo` to these packages. */
export function lockOf(...packages: readonly LockedPackage[]): ServerLock {
  return { servers: { demo: { source: 'npm', version: packages[0]?.version ?? '', packages } } };
}
