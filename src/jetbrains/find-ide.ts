import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { ask } from './http.ts';
import { matchRoot, type RootMatch } from './match-root.ts';
import { withSnakeCaseKeys } from './snake-case.ts';

/** The plugin listens on the first of these that is free; every open IDE has one of its own (`spec/tools.md` §15.1). */
const firstPort = 24226;
const portCount = 20;

/** Long enough for an IDE that is busy indexing, short enough to wait for a port that never says a word. */
const statusTimeoutMs = 3_000;
const maxStatusBytes = 64 * 1024;

const Status = z.looseObject({ project_root: z.string(), plugin_version: z.string() });

/** An IDE that has a project open. */
export interface FoundIde {
  readonly port: number;
  /** As the IDE writes it. */
  readonly projectRoot: string;
  readonly pluginVersion: string;
}

export interface IdeQuestion {
  /** Host name or number of the machine that IDEs run on; nothing else is contacted. */
  readonly host: string;
  /** Absolute path of the project. */
  readonly root: string;
  readonly signal: AbortSignal;
}

type Candidate = FoundIde & { readonly match: RootMatch | undefined };

/** Finds the IDE that has a project open, and remembers where it was. */
export class IdeFinder {
  /** By host and root. */
  readonly #lastPorts = new Map<string, number>();

  /**
   * Returns the IDE that has the project at `root` open: the one that had it last, else the first whose project root is
   * the same, else the first whose root may be the same directory under another name.
   *
   * @throws {ExpectedError} `ide.not-found`; the signal's reason once it aborts.
   */
  async find({ host, root, signal }: IdeQuestion): Promise<FoundIde> {
    const key = `${host} ${root}`;
    const last = this.#lastPorts.get(key);
    if (last !== undefined) {
      const candidate = await probe(last, { host, root, signal });
      if (candidate?.match !== undefined) return candidate;
    }
    const ports = Array.from({ length: portCount }, (_, index) => firstPort + index);
    const found = await scan(ports, { host, root, signal });
    this.#lastPorts.set(key, found.port);
    return found;
  }
}

async function scan(ports: readonly number[], question: IdeQuestion): Promise<FoundIde> {
  const settled: Candidate[] = [];
  const probes = ports.map(async (port) => {
    const candidate = await probe(port, question);
    if (candidate) settled.push(candidate);
    if (candidate?.match !== 'same') throw new Error(`Port ${port} has another project, or none`);
    return candidate;
  });
  try {
    // The others need not be waited for: nothing matches better.
    return await Promise.any(probes);
  } catch {
    question.signal.throwIfAborted();
    const [elsewhere] = settled.filter(({ match }) => match !== undefined).sort((a, b) => a.port - b.port);
    if (elsewhere) return elsewhere;
    throw notFound(question, settled);
  }
}

/** Returns what listens on a port if it is an IDE with the plugin, whichever project it has open. */
async function probe(port: number, { host, root, signal }: IdeQuestion): Promise<Candidate | undefined> {
  try {
    const question = { method: 'GET', path: '/status', timeoutMs: statusTimeoutMs, maxBytes: maxStatusBytes } as const;
    const { status, body } = await ask({ host, port }, { ...question, signal });
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

function notFound({ host, root }: IdeQuestion, others: readonly Candidate[]): ExpectedError {
  const ports = `${host}, ports ${firstPort} to ${firstPort + portCount - 1}`;
  const roots = others.map(({ projectRoot }) => `\`${projectRoot}\``).join(', ');
  const what =
    others.length === 0
      ? `no IDE with the Serena plugin answers at ${ports}`
      : `the IDEs at ${ports} have other projects open: ${roots}`;
  return new ExpectedError('ide.not-found', `No JetBrains IDE has the project \`${root}\` open: ${what}`, {
    hints: ['Stop here, and ask the user to open that directory in a JetBrains IDE with the Serena plugin'],
  });
}
