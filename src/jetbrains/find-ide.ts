import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { realPath } from '../base/paths.ts';
import { withSnakeCaseKeys } from './answers.ts';
import { sendRequest } from './http.ts';

/**
 * The plugin of each open IDE listens on the first free port from here on: see docs/compatibility.md, JetBrains IDEs.
 */
const firstPort = 24226;
const portCount = 20;

/** Long enough for an IDE that is busy indexing, short enough for a port that never responds. */
const statusTimeoutMs = 3_000;
const maxStatusBytes = 64 * 1024;

const Status = z.looseObject({ project_root: z.string(), plugin_version: z.string() });

export interface LocatedIde {
  readonly port: number;
  /** In the IDE's notation. */
  readonly projectRoot: string;
  readonly pluginVersion: string;
}

interface IdeQuery {
  /** Name or address of the machine that the IDEs run on; no other host is contacted. */
  readonly host: string;
  /** Absolute path of the project. */
  readonly root: string;
  readonly signal: AbortSignal;
}

type Candidate = LocatedIde & { readonly match: RootMatch | undefined };

/** Finds the IDE that has a project open, and caches its port. */
export class IdeFinder {
  /** Ports by host and root. */
  readonly #lastPorts = new Map<string, number>();

  /**
   * Returns the IDE that has the project at `root` open: the one that had it last, else one whose project root is the
   * same, else the first whose root may be the same directory under another path.
   *
   * @throws {ExpectedError} `ide.not-found`; the signal's reason once it aborts.
   */
  async find({ host, root, signal }: IdeQuery): Promise<LocatedIde> {
    const key = `${host} ${root}`;
    const last = this.#lastPorts.get(key);
    if (last !== undefined) {
      const candidate = await probe(last, { host, root, signal });
      if (candidate?.match !== undefined) return candidate;
    }
    const ports = Array.from({ length: portCount }, (_, index) => firstPort + index);
    const ide = await scan(ports, { host, root, signal });
    this.#lastPorts.set(key, ide.port);
    return ide;
  }
}

async function scan(ports: readonly number[], query: IdeQuery): Promise<LocatedIde> {
  const settled: Candidate[] = [];
  const probes = ports.map(async (port) => {
    const candidate = await probe(port, query);
    if (candidate) settled.push(candidate);
    if (candidate?.match !== 'same') throw new Error(`Port ${port} does not serve the project`);
    return candidate;
  });
  try {
    // Do not wait for the other ports: no match is better.
    return await Promise.any(probes);
  } catch {
    query.signal.throwIfAborted();
    const [elsewhere] = settled.filter(({ match }) => match !== undefined).sort((a, b) => a.port - b.port);
    if (elsewhere) return elsewhere;
    throw notFound(query, settled);
  }
}

/**
 * Returns the IDE with the plugin that listens on a port, whichever project it has open; `undefined` if there is none.
 */
async function probe(port: number, { host, root, signal }: IdeQuery): Promise<Candidate | undefined> {
  try {
    const request = { method: 'GET', path: '/status', timeoutMs: statusTimeoutMs, maxBytes: maxStatusBytes } as const;
    const { status, body } = await sendRequest({ host, port }, { ...request, signal });
    if (status !== 200) return undefined;
    const { project_root: projectRoot, plugin_version: pluginVersion } = Status.parse(
      withSnakeCaseKeys(JSON.parse(body)),
    );
    return { port, projectRoot, pluginVersion, match: matchRoot(projectRoot, root) };
  } catch (error) {
    signal.throwIfAborted();
    log('jetbrains').debug(`No IDE at ${host}:${port}: ${String(error)}`);
    return undefined;
  }
}

function notFound({ host, root }: IdeQuery, others: readonly Candidate[]): ExpectedError {
  const ports = `${host}, ports ${firstPort} to ${firstPort + portCount - 1}`;
  const roots = others.map(({ projectRoot }) => `\`${projectRoot}\``).join(', ');
  const what =
    others.length === 0
      ? `no IDE with the Serena plugin answers at ${ports}`
      : `the IDEs at ${ports} have other projects open: ${roots}`;
  return new ExpectedError('ide.not-found', `no JetBrains IDE has the project \`${root}\` open: ${what}`, {
    hints: ['stop here and ask the user to open that directory in a JetBrains IDE with the Serena plugin'],
  });
}

/**
 * Relation of an IDE's project directory to ours: the same path, or probably the same directory seen from another
 * system.
 */
type RootMatch = 'same' | 'elsewhere';

/**
 * Returns how an IDE's project root, in the IDE's notation, relates to the absolute path `root`; `undefined` for
 * another directory. An IDE on the other side of WSL, or outside a container, has another path for the same directory:
 * `C:\code\shop` for `/mnt/c/code/shop`, `\\wsl.localhost\Ubuntu\home\me\shop` for `/home/me/shop`. See
 * docs/compatibility.md, JetBrains IDEs.
 */
export function matchRoot(ideRoot: string, root: string): RootMatch | undefined {
  if (realPath(ideRoot) === realPath(root)) return 'same';
  const theirs = comparable(ideRoot);
  const ours = comparable(root);
  // The root of a file system becomes '', a suffix of every path.
  return ours !== '' && theirs.endsWith(ours) ? 'elsewhere' : undefined;
}

function comparable(path: string): string {
  const posix = path.replaceAll('\\', '/').toLowerCase().replace(/\/+$/, '');
  return posix.replace(/^\/mnt\/([a-z])(?=\/|$)/, '$1:');
}
