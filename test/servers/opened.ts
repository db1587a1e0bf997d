import { randomUUID } from 'node:crypto';
import { type Call, withoutRepeats } from '../../src/base/call.ts';
import { type Gap, placeRows } from '../../src/base/gap.ts';
import { loadUserConfig } from '../../src/config/user-config.ts';
import { adapters } from '../../src/languages/adapters.ts';
import type { LanguageServer } from '../../src/lsp/client/language-server.ts';
import { Project } from '../../src/project/project.ts';
import type { SourceFiles } from '../../src/servers/assignment/source-files.ts';
import { ServerPool } from '../../src/servers/runtime/pool.ts';
import { resolveServer, type ServerEnvironment } from '../../src/servers/runtime/resolve.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { assignServers } from '../../src/session/assign-servers.ts';
import { FileSymbols } from '../../src/symbols/model/file-symbols.ts';
import type { Reference } from '../../src/symbols/queries/references.ts';
import { Symbols } from '../../src/symbols/symbols.ts';
import { markVariable } from '../support/processes.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import type { Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);

/** Environment variables of a test, in addition to its own environment. */
export type Env = Readonly<Record<string, string>>;

/** Returns the environment of the tests' servers. `mark` is in the environment of each that runs; see `findMarked`. */
export function serverPlace(mark: string, env: Env = {}): ServerEnvironment {
  return { home: sharedHome(), env: { ...process.env, ...env, [markVariable]: mark } };
}

/** A call without cancellation and progress. */
export function patientCall(): Call {
  return { signal: new AbortController().signal, progress: () => undefined };
}

const announce = withoutRepeats((message) => console.warn(message));

/** Building gopls takes minutes on a small machine. */
export const installTimeoutMs = 15 * 60_000;

/**
 * Installs a server into the shared home if needed: within `installTimeoutMs`, before tests begin. Does nothing if its
 * tests are skipped because it cannot be installed here.
 */
export async function install(spec: ServerSpec, env: Env = {}): Promise<void> {
  if (whyNoServer(spec) !== undefined) return;
  const place = serverPlace('install', env);
  // Otherwise the first run looks as if it hung.
  const call = { ...patientCall(), progress: (message: string) => announce(message.replace(/: \d+ %$/, '')) };
  await resolveServer(spec, {}, { place, call, directories: { root: place.home } });
}

/**
 * Returns the absolute path of the directory that a server is installed in, in the shared home; {@link install} it
 * first.
 */
export async function installedAt(spec: ServerSpec): Promise<string> {
  const place = serverPlace('install');
  const { placeholders } = await resolveServer(
    spec,
    {},
    { place, call: patientCall(), directories: { root: place.home } },
  );
  if (placeholders.directory === undefined) throw new Error(`${spec.name} is not installed`);
  return placeholders.directory;
}

/** A workspace opened by the project's own classes, wired as a session wires them, with servers of its own. */
export class Opened implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly files: FileSymbols;
  readonly pool: ServerPool;
  readonly mark: string;
  readonly #project: Project;

  private constructor(parts: { workspace: Workspace; project: Project; sources: SourceFiles; mark: string; env: Env }) {
    this.workspace = parts.workspace;
    this.mark = parts.mark;
    this.#project = parts.project;
    this.pool = new ServerPool(serverPlace(parts.mark, parts.env));
    this.files = new FileSymbols({ project: parts.project, sources: parts.sources, pool: this.pool });
  }

  /**
   * Opens a workspace under a configuration without a user's settings, as a project that names `spec` if given. Starts
   * no server; those that start have `env` besides the tests' own environment.
   */
  static async open(workspace: Workspace, spec?: ServerSpec, env: Env = {}): Promise<Opened> {
    if (spec !== undefined) workspace.write('.serena/project.yml', `language_servers: [${spec.id}]\n`);
    const user = await loadUserConfig(makeTempDir('user'));
    const project = await Project.open(workspace.root, { home: makeTempDir('home'), user, workerUrl });
    return new Opened({ workspace, project, sources: assignServers(project, user), mark: randomUUID(), env });
  }

  /**
   * Runs a symbol query as one tool call does.
   *
   * @throws {Error} if the answer has gaps: a conforming server has none here.
   */
  async ask<T>(question: (symbols: Symbols) => Promise<T>): Promise<T> {
    const { answer, missing } = await this.askPartly(question);
    if (missing.length > 0) throw new Error(`The answer is incomplete: ${missing.join('\n')}`);
    return answer;
  }

  /** Like `ask`, for a query whose answer has gaps: returns the gaps as well. */
  async askPartly<T>(question: (symbols: Symbols) => Promise<T>): Promise<{ answer: T; missing: string[] }> {
    const symbols = new Symbols({ files: this.files, call: patientCall(), adapters, source: 'server' });
    const answer = await question(symbols);
    const textOf = ({ missing, reason, places = [] }: Gap) =>
      [`${missing}: ${reason}`, ...placeRows(places)].join('\n');
    return { answer, missing: symbols.gaps.map(textOf) };
  }

  /** Returns the references to the one symbol with a name path in a file. */
  references(namePath: string, file: string): Promise<Reference[]> {
    return this.ask((symbols) => referencesTo(symbols, namePath, file));
  }

  /** Runs `ask` with the server of a file, which has the file open. `path` is the file's absolute path. */
  server<T>(file: string, question: (server: LanguageServer, path: string) => T | Promise<T>): Promise<T> {
    const active = this.files.sources.requireServer(file);
    return this.files.ask(active, patientCall(), async (server) => {
      const path = this.files.absolute(file);
      server.documents.sync(path);
      return question(server, path);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.stopAll();
    await this.files[Symbol.asyncDispose]();
    await this.#project[Symbol.asyncDispose]();
  }
}

/** Returns the references to the one symbol with a name path in a file. */
export async function referencesTo(symbols: Symbols, namePath: string, file: string): Promise<Reference[]> {
  return symbols.references(await symbols.unique(namePath, file), { include: [], exclude: [] });
}
