import { extname } from 'node:path';
import { servers } from '../../src/languages/servers.ts';
import { atEnd } from './at-end.ts';
import { startClient, type TestClient } from './client.ts';
import { ownHome } from './homes.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** A session of the program in a project directory whose files each test replaces. */
export interface SharedSession {
  readonly workspace: Workspace;
  readonly client: TestClient;
}

export interface SessionOptions {
  /** Configuration of the user; without it, that of the home that all tests share. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Files that a language server or this program reads at its start: a session is shared by projects in which they agree. */
const setting =
  /(^|\/)([tj]sconfig[^/]*\.json|package\.json|py[^/]*\.(toml|json)|go\.(mod|work)|Cargo\.toml|\.project|\.classpath|compile_[^/]*|CMakeLists\.txt|\.clang[^/]*|\.editorconfig|\.gitignore|\.serena\/.*)$/;

/** More than one, because the tests of a directory alternate; few, because each has language servers. */
const mostSessions = 6;

/** Matches `.serena/project.yml` of a project whose servers do not depend on the kinds of its files. */
const listsLanguages = /^languages:/m;

/** The kinds of files that a server reads: others do not decide which servers a project has. */
const served = new Set(servers.flatMap(({ files }) => Object.keys(files)));

/** The running sessions, by what they have in common; the longest unused one first. */
const sessions = new Map<string, SharedSession>();

/**
 * Returns a session in a project with exactly these files: relative path → text; unless `options` have a configuration or
 * arguments, its own configuration also has the optional tools of {@link withOptionalTools}. It is one that an earlier test of
 * the process used, if that had the same options, settings and, unless these list the languages, kinds of files; starting the
 * program and its language servers takes longer than most tests. The caller closes nothing, and keeps nothing after its test.
 */
export async function openShared(
  given: Readonly<Record<string, string>>,
  options: SessionOptions = {},
): Promise<SharedSession> {
  const files = options.config === undefined && options.args === undefined ? withOptionalTools(given) : given;
  const key = keyOf(files, options);
  const known = sessions.get(key);
  sessions.delete(key);
  if (known !== undefined && isRunning(known.client)) {
    known.workspace.replace(files);
    sessions.set(key, known);
    return known;
  }
  for (const [oldest, session] of sessions) {
    if (sessions.size < mostSessions) break;
    sessions.delete(oldest);
    await close(session);
  }
  const { config, args = [], env = {} } = options;
  const workspace = makeWorkspace(files);
  const home = config === undefined ? {} : ownHome(config);
  const client = await startClient({ args: ['--project', workspace.root, ...args], env: { ...home, ...env } });
  const session = { workspace, client };
  sessions.set(key, session);
  return session;
}

atEnd(async () => {
  await Promise.all([...sessions.values()].map(close));
});

async function close({ client, workspace }: SharedSession): Promise<void> {
  await client.close();
  await workspace[Symbol.asyncDispose]();
}

function isRunning({ client }: { client: TestClient['client'] }): boolean {
  return client.transport !== undefined;
}

/** Adds the optional tools that tests of languages use, so that these share the sessions of the other tests. */
function withOptionalTools(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const path = '.serena/project.yml';
  const own = files[path] ?? '';
  if (/^included_optional_tools:/m.test(own)) return files;
  return { ...files, [path]: `${own}included_optional_tools: [change_signature, find_unused, format_code]\n` };
}

function keyOf(files: Readonly<Record<string, string>>, options: SessionOptions): string {
  const paths = Object.keys(files).sort();
  const settings = paths.filter((path) => setting.test(path)).map((path) => [path, files[path]]);
  const isListed = listsLanguages.test(files['.serena/project.yml'] ?? '');
  const kinds = new Set(isListed ? [] : paths.filter((path) => !setting.test(path)).map(extname));
  return JSON.stringify([settings, [...kinds].filter((kind) => served.has(kind)).sort(), options]);
}
