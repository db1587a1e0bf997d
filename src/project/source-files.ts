import { ExpectedError } from '../base/errors.ts';
import type { ServerSettings } from '../servers/settings.ts';
import { claimedSuffix, type ServerSpec } from '../servers/spec.ts';

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

  constructor(servers: readonly ActiveServer[]) {
    this.servers = servers;
    this.suffixes = servers.flatMap(({ spec }) => Object.keys(spec.files));
    const [first, ...others] = servers.map(({ spec }) => spec.ignoredDirectories);
    const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
    this.prunedDirectories = [...neverSources, ...shared];
  }

  /**
   * Returns the server that a project-relative file belongs to, or `undefined` where none claims it or where the file
   * lies in a directory that holds no sources. Ignore rules are not looked at.
   */
  serverOf(path: string): ActiveServer | undefined {
    const folders = path.split('/').slice(0, -1);
    if (folders.some((name) => neverSources.includes(name))) return undefined;
    return this.servers.find(
      ({ spec }) =>
        claimedSuffix(spec, path) !== undefined && !folders.some((name) => spec.ignoredDirectories.includes(name)),
    );
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
