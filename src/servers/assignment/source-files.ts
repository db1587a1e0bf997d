import { ExpectedError } from '../../base/errors.ts';
import { extensionIn } from '../../base/paths.ts';
import type { ServerCatalog } from '../catalog.ts';
import type { ServerSpec } from '../spec.ts';
import { fingerprintOf, type ServerSettings } from './settings.ts';

/** Names of directories without sources of the project in any language; see docs/compatibility.md, Ignored files. */
const neverSources = [
  // Dependencies, not sources of the project.
  'node_modules',
  ...['.git', '.svn', '.hg', '.bzr', '.venv', '.env', '.cache', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.tox', '.nox', '.idea', '.serena', '.vscode'],
];

/** A server that a project uses, with the user's settings for it. */
export interface ActiveServer {
  readonly spec: ServerSpec;
  readonly settings: ServerSettings;
  /** Why the project has this server and not the usual one, or the usual one after all; absent otherwise. */
  readonly reason?: string;
}

export class SourceFiles {
  readonly servers: readonly ActiveServer[];
  /** All built-in servers, whether or not the project uses them. */
  readonly catalog: ServerCatalog;
  /** Every extension that some server claims. */
  readonly extensions: readonly string[];
  /** Names of directories that contain sources for no server. */
  readonly prunedDirectories: readonly string[];
  /** For speed: there are many servers, and a query may involve many files. */
  readonly #byExtension = new Map<string, ActiveServer[]>();
  /** By the extension in lower case. */
  readonly #byFolded = new Map<string, ActiveServer[]>();
  #unclaimed: Readonly<Record<string, string>> | undefined;

  constructor(servers: readonly ActiveServer[], catalog: ServerCatalog) {
    this.servers = servers;
    this.catalog = catalog;
    for (const server of servers) {
      for (const extension of Object.keys(server.spec.files)) {
        add(this.#byExtension, extension, server);
        add(this.#byFolded, extension.toLowerCase(), server);
      }
    }
    this.extensions = [...this.#byExtension.keys()];
    const [first, ...others] = servers.map(({ spec }) => spec.ignoredDirectories);
    const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
    this.prunedDirectories = [...neverSources, ...shared];
  }

  /**
   * A text that is equal for equal assignments of files: the order of servers counts only where they claim the same
   * files.
   */
  get assignment(): string {
    const claims = this.servers.flatMap(({ spec }) =>
      Object.keys(spec.files).map((extension) => ({ id: spec.id, last: extension.toLowerCase().split('.').at(-1) })),
    );
    const byExtension = [...Map.groupBy(claims, ({ last }) => last)].map(([last, own]) => [
      last,
      own.map(({ id }) => id),
    ]);
    const settings = this.servers.map((server) => [server.spec.id, server.settings]);
    return fingerprintOf([byExtension, settings].map((entries) => Object.fromEntries(entries)));
  }

  /** The extensions of source files that no server claims, each with its LSP language id. */
  get unclaimedLanguages(): Readonly<Record<string, string>> {
    this.#unclaimed ??= Object.fromEntries(
      Object.entries(this.catalog.codeLanguages).filter(
        ([extension]) => extensionIn(extension, this.extensions) === undefined,
      ),
    );
    return this.#unclaimed;
  }

  /**
   * Returns the server that a project-relative file belongs to, or `undefined` if none claims it or the file is in a
   * directory without sources. Does not apply ignore rules.
   */
  serverOf(path: string): ActiveServer | undefined {
    const directories = path.split('/').slice(0, -1);
    if (directories.some((name) => neverSources.includes(name))) return undefined;
    return this.#claiming(path.slice(path.lastIndexOf('/') + 1)).find(
      ({ spec }) => !directories.some((name) => spec.ignoredDirectories.includes(name)),
    );
  }

  /**
   * True if a project-relative file may be part of the sources: a server has it, or it is outside of directories without
   * sources and no server claims its extension, such as `model.inc` in C++. Does not apply ignore rules.
   */
  mayBeSource(path: string): boolean {
    const directories = path.split('/').slice(0, -1);
    if (directories.some((name) => this.prunedDirectories.includes(name))) return false;
    return this.serverOf(path) !== undefined || this.#claiming(path.slice(path.lastIndexOf('/') + 1)).length === 0;
  }

  /** Returns the servers that claim an extension of a file name, in order of {@link servers}; see {@link extensionIn}. */
  #claiming(name: string): readonly ActiveServer[] {
    const found: ActiveServer[] = [];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const extension = name.slice(dot);
      found.push(...(this.#byExtension.get(extension) ?? this.#byFolded.get(extension.toLowerCase()) ?? []));
    }
    return found.length < 2 ? found : this.servers.filter((server) => found.includes(server));
  }

  /** Returns the names of directories that a search for the files of one server can skip. */
  prunedFor({ spec }: ActiveServer): readonly string[] {
    return [...neverSources, ...spec.ignoredDirectories];
  }

  /**
   * Returns the server that a file belongs to.
   *
   * @throws {ExpectedError} `file.not-source`, with the names of the active servers.
   */
  requireServer(path: string): ActiveServer {
    const server = this.serverOf(path);
    if (server) return server;
    const active = this.servers.map(({ spec }) => `\`${spec.id}\``).join(', ');
    throw new ExpectedError('file.not-source', `no language server handles \`${path}\`; active are: ${active}`, {
      hints: ['use `search_for_pattern` or `read_file` for such files'],
    });
  }
}

function add(servers: Map<string, ActiveServer[]>, extension: string, server: ActiveServer): void {
  const known = servers.get(extension) ?? [];
  if (!known.includes(server)) servers.set(extension, [...known, server]);
}

/** A server with the number of a project's files that belong to it. */
interface ServerShare {
  readonly server: ActiveServer;
  readonly fileCount: number;
}

/**
 * Returns the servers that have files in a project, most files first. `counts` has the number of files of each extension,
 * ignored files left out.
 */
export function detectServers(sources: SourceFiles, counts: Readonly<Record<string, number>>): ServerShare[] {
  const fileCounts = new Map<ActiveServer, number>();
  for (const [extension, count] of Object.entries(counts)) {
    const server = sources.serverOf(`file${extension}`);
    if (server !== undefined) fileCounts.set(server, (fileCounts.get(server) ?? 0) + count);
  }
  const shares = sources.servers.map((server) => ({ server, fileCount: fileCounts.get(server) ?? 0 }));
  return shares.filter(({ fileCount }) => fileCount > 0).sort((a, b) => b.fileCount - a.fileCount);
}
