import { ExpectedError } from '../../base/errors.ts';
import type { ServerSpec } from '../catalog/spec.ts';
import type { ServerSettings } from './settings.ts';

/** Directory names that hold no sources of a project, whatever the language (`spec/tools.md` §6.4). */
const neverSources = [
  // Other people's packages: no server has sources there.
  'node_modules',
  ...['.git', '.svn', '.hg', '.bzr', '.venv', '.env', '.cache', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.tox', '.nox', '.idea', '.serena', '.vscode'],
];

/** A server that a project uses, with the user's settings for it. */
export interface ActiveServer {
  readonly spec: ServerSpec;
  readonly settings: ServerSettings;
}

/** Which file of a project belongs to which server. */
export class SourceFiles {
  readonly servers: readonly ActiveServer[];
  /** Every suffix that some server claims. */
  readonly suffixes: readonly string[];
  /** Directory names that no server looks into. */
  readonly prunedDirectories: readonly string[];
  /** There are many servers, and a question may be about many files. */
  readonly #bySuffix = new Map<string, ActiveServer[]>();

  constructor(servers: readonly ActiveServer[]) {
    this.servers = servers;
    for (const server of servers) {
      for (const suffix of Object.keys(server.spec.files)) {
        this.#bySuffix.set(suffix, [...(this.#bySuffix.get(suffix) ?? []), server]);
      }
    }
    this.suffixes = [...this.#bySuffix.keys()];
    const [first, ...others] = servers.map(({ spec }) => spec.ignoredDirectories);
    const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
    this.prunedDirectories = [...neverSources, ...shared];
  }

  /**
   * Returns the server that a project-relative file belongs to, or `undefined` where none claims it or where the file
   * lies in a directory that holds no sources. Ignore rules are not looked at.
   */
  serverOf(path: string): ActiveServer | undefined {
    const directories = path.split('/').slice(0, -1);
    if (directories.some((name) => neverSources.includes(name))) return undefined;
    return this.#claiming(path.slice(path.lastIndexOf('/') + 1)).find(
      ({ spec }) => !directories.some((name) => spec.ignoredDirectories.includes(name)),
    );
  }

  /** Returns the servers that claim a suffix of a file's name, in their order. */
  #claiming(name: string): readonly ActiveServer[] {
    const found: ActiveServer[] = [];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      found.push(...(this.#bySuffix.get(name.slice(dot)) ?? []));
    }
    return found.length < 2 ? found : this.servers.filter((server) => found.includes(server));
  }

  /** Returns directory names that a walk for the files of one server need not enter. */
  prunedFor({ spec }: ActiveServer): readonly string[] {
    return [...neverSources, ...spec.ignoredDirectories];
  }

  /**
   * Returns the server that a file belongs to.
   *
   * @throws {ExpectedError} `file.not-source` naming the active servers.
   */
  requireServer(path: string): ActiveServer {
    const server = this.serverOf(path);
    if (server) return server;
    const active = this.servers.map(({ spec }) => `\`${spec.id}\``).join(', ');
    throw new ExpectedError('file.not-source', `No language server takes \`${path}\`; active are: ${active}`, {
      hints: ['Use `search_for_pattern` or `read_file` for such files'],
    });
  }
}
