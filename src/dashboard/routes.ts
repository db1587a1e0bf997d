import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { ownValue } from '../base/own-value.ts';
import { changeSetting } from '../config/change-setting.ts';
import { type EffectiveConfig, effectiveConfig, withoutSecrets } from '../config/effective-config.ts';
import { projectKeys } from '../config/project-config.ts';
import { loadUserConfig, type UserConfig, userKeys } from '../config/user-config.ts';
import { isHarmless } from '../config/value-schemas.ts';
import type { EditAuthor } from '../edits/edit-author.ts';
import { Edits } from '../edits/edits.ts';
import { type EditRecord, type RecordedStep, readRecords, recordedContent } from '../edits/history-records.ts';
import { reverseEdits, timelineOf } from '../edits/undo.ts';
import { resources } from '../generated/resources.ts';
import type { Memories } from '../memories/memories.ts';
import { parseMemoryName } from '../memories/names.ts';
import { Project } from '../project/project.ts';
import { projectSettingsFile } from '../session/known-projects.ts';
import { openMemories } from '../session/open-memories.ts';
import { decode } from '../text/decode.ts';
import { unifiedDiff } from '../text/diff.ts';
import { getCodec } from '../text/encodings.ts';
import { RefusedRequest } from './access.ts';
import type { DashboardAnswer, DashboardSource } from './source.ts';

/** Returns the absolute paths of the projects that the dashboard may read: all known and all open projects. */
function shownRoots(user: UserConfig, source: DashboardSource): string[] {
  return [...new Set([...source.projects().flatMap(({ roots }) => roots), ...user.projects])];
}

/**
 * Runs `work` with a project of its own, which starts no language server.
 *
 * @throws {ExpectedError} `project.unknown` for any directory but that of a known or open project; errors of
 *   {@link Project.open}.
 */
async function withProject<T>(
  root: string,
  source: DashboardSource,
  work: (project: Project, user: UserConfig) => Promise<T>,
): Promise<T> {
  const { home, workerUrl } = source;
  const user = await requireShown(root, source);
  await using project = await Project.open(root, { home, user, workerUrl });
  return await work(project, user);
}

/**
 * Returns the user's configuration.
 *
 * @throws {ExpectedError} `project.unknown` for any directory but that of a known or open project; `config.invalid`.
 */
async function requireShown(root: string, source: DashboardSource): Promise<UserConfig> {
  const user = await loadUserConfig(source.home);
  if (shownRoots(user, source).includes(root)) return user;
  throw new ExpectedError('project.unknown', `\`${root}\` is not a known project`);
}

/** A request to change a setting: `text` is YAML, `key` may have dots, and `project` is needed except for `user`. */
const setting = z.object({
  file: z.enum(['user', 'project', 'local']),
  project: z.string(),
  key: z.string().min(1),
  text: z.string(),
});

/**
 * Changes a setting in one of the configuration files, and returns its value there. Only harmless ones: a link to a page
 * must not give a way to run programs, or to reach what the user has not opened.
 *
 * @throws {ExpectedError} `usage.invalid` for a setting that needs a terminal; `project.unknown`; errors of {@link changeSetting}, after which nothing has changed.
 */
async function setSetting(
  { file: of, project: root, key, text }: z.infer<typeof setting>,
  source: DashboardSource,
): Promise<{ readonly value: unknown }> {
  const { home, env, workerUrl } = source;
  const path = key.split('.');
  const type = ownValue<z.ZodType>(of === 'user' ? userKeys : projectKeys, path[0] ?? '');
  if (type !== undefined && !isHarmless(type)) {
    throw new ExpectedError(
      'usage.invalid',
      `\`${key}\` is not changed on this page: run \`serena config set ${key} <value>\``,
    );
  }
  const file =
    of === 'user' ? { of } : projectSettingsFile(of, root, { home, workerUrl, user: await requireShown(root, source) });
  return { value: (await changeSetting(file, { path, text }, { home, env })) ?? null };
}

/** Returns the settings, each with whether the page can change it in one of the files. */
function withPermissions({ settings, ...config }: EffectiveConfig) {
  const canChange = (key: string) => [userKeys, projectKeys].some((keys) => isHarmless(ownValue<z.ZodType>(keys, key)));
  return { ...config, settings: settings.map((each) => ({ ...each, canChange: canChange(each.key) })) };
}

/** A request for the neighbors of a symbol in the project with this root. */
const symbol = z.object({ project: z.string(), name_path: z.string(), relative_path: z.string().default('') });

const kinds = ['callers', 'callees', 'supertypes', 'subtypes'] as const;

const Neighbors = z.record(z.string(), z.record(z.string(), z.array(z.int())));

/** The symbols in one relation to a symbol, or why they are unknown. */
interface Group {
  readonly kind: (typeof kinds)[number];
  readonly neighbors: readonly { readonly path: string; readonly name: string }[];
  /** Why the symbols are unknown. */
  readonly problem?: string | undefined;
  /** Gaps, sources and notes of the list. */
  readonly labels?: string | undefined;
}

/**
 * Returns the direct callers, callees, supertypes and subtypes of a symbol. A relation that a kind of symbol does not have,
 * or that a language server does not support, has a problem in place of symbols.
 *
 * @throws {ExpectedError} `project.unknown`; the error of the tool if no relation is known.
 */
async function neighborsOf(
  { project, name_path, relative_path }: z.infer<typeof symbol>,
  source: DashboardSource,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  await requireShown(project, source);
  const questions = kinds.map((kind) => ({
    tool: 'symbol_hierarchy',
    args: { name_path, relative_path, kind, format: 'legacy' },
  }));
  const answers = await source.ask(project, questions, signal);
  const [first] = answers;
  if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw first.reason;
  return kinds.map((kind, index) => groupOf(kind, answers[index]));
}

function groupOf(kind: Group['kind'], answer: PromiseSettledResult<DashboardAnswer> | undefined): Group {
  if (answer?.status !== 'fulfilled') {
    if (!isExpected(answer?.reason)) throw answer?.reason;
    return { kind, neighbors: [], problem: messageOf(answer.reason) };
  }
  const { text, labels } = answer.value;
  const files = Object.entries(Neighbors.parse(JSON.parse(text)));
  const neighbors = files.flatMap(([path, own]) => Object.keys(own).map((name) => ({ path, name })));
  return { kind, neighbors, labels };
}

/** The user may undo the edits of every session. A file that changed since is never overwritten. */
const author: EditAuthor = { session: 'dashboard', tool: 'dashboard', hasEnded: () => true };

const maxDiffChars = 400_000;

/**
 * Returns the recorded edits of a project, latest first. Only the latest edit that counts can be undone, and only the edit
 * that was undone last can be redone.
 */
function listEdits({ state }: Project) {
  const records = readRecords(state.edits);
  const { done, undone } = timelineOf(records, author);
  return records
    .filter(({ kind }) => kind === 'edit')
    .toReversed()
    .map(({ id, tool, timeMs, session, steps }) => {
      const isUndone = undone.some((record) => record.id === id);
      const paths = steps.map(({ path }) => path);
      const [canUndo, canRedo] = [done.at(-1)?.id === id, undone.at(-1)?.id === id];
      return { id, tool, timeMs, session, paths, isUndone, canUndo, canRedo };
    });
}

/** Returns the change of each file by an edit. @throws {ExpectedError} `edit.refused` if it is no longer recorded. */
function diffOf({ state, config }: Project, id: string) {
  const { steps } = find(readRecords(state.edits), id);
  const codec = getCodec(config.encoding);
  const textOf = (hash: string | undefined) => {
    if (hash === undefined) return undefined;
    const bytes = recordedContent(state.edits, hash);
    if (bytes === undefined) throw new ExpectedError('edit.refused', 'the content of this edit is no longer stored');
    const decoded = decode(bytes, codec);
    return 'text' in decoded ? decoded.text : `(${bytes.length} bytes that are no text)\n`;
  };
  return steps.map((step: RecordedStep) => {
    const diff = unifiedDiff({ path: step.path, before: textOf(step.before), after: textOf(step.after) });
    return { path: step.path, diff: (diff ?? 'The versions differ too much.').slice(0, maxDiffChars) };
  });
}

/**
 * Undoes or redoes the edit with this id, and returns its files.
 *
 * @throws {ExpectedError} `edit.conflict` if another edit is the next to be undone or redone; errors of
 *   {@link reverseEdits}.
 */
async function reverseEdit(
  project: Project,
  { id, kind }: { readonly id: string; readonly kind: 'undo' | 'redo' },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { done, undone } = timelineOf(readRecords(project.state.edits), author);
  const next = (kind === 'undo' ? done : undone).at(-1);
  if (next?.id !== id) throw new ExpectedError('edit.conflict', `this is not the latest edit to ${kind} any more`);
  const edits = new Edits(project.edited, { rule: 'keep', author });
  return (await reverseEdits(edits, { kind, count: 1 }, signal)).paths;
}

function find(records: readonly EditRecord[], id: string): EditRecord {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new ExpectedError('edit.refused', 'this edit is no longer recorded');
  return record;
}

/** Handler of the requests for one path below `/api/`. */
interface Route {
  /** Only `POST` changes anything. */
  readonly method: 'GET' | 'POST';
  /** Returns the answer, as JSON. */
  run(sent: unknown, source: DashboardSource, signal: AbortSignal): Promise<unknown>;
}

const project = z.object({ project: z.string() });
const memory = project.extend({ name: z.string() });
const edit = project.extend({ id: z.string() });
const server = z.object({ id: z.string() });

/** Every request for data or a change, by its path below `/api/`; `sign-in` and `feed` are those of the server itself. */
export const routes: Readonly<Record<string, Route>> = {
  projects: reads(z.object({}), async (_, source) => shownRoots(await loadUserConfig(source.home), source)),
  servers: reads(z.object({}), (_, { servers }) => servers.list()),
  'servers/install': changes(server, async ({ id }, { servers }, signal) => {
    await servers.install(id, signal);
    return {};
  }),
  'servers/remove': changes(server, async ({ id }, { servers }) => ({ inUse: await servers.remove(id) })),
  'servers/verify': changes(z.object({}), async (_, { servers }, signal) => ({
    problems: await servers.verify(signal),
  })),
  symbol: reads(symbol, neighborsOf),
  configuration: reads(z.object({ project: z.string().optional() }), async ({ project }, source) => {
    const configOf = async (root?: string) => withPermissions(withoutSecrets(await effectiveConfig(source.home, root)));
    if (project === undefined) return await configOf();
    return await withProject(project, source, ({ root }) => configOf(root));
  }),
  'configuration/set': changes(setting, setSetting),
  'calls/cancel': changes(z.object({ id: z.int() }), async ({ id }, { activity }) => ({
    isCancelled: activity.cancel(id),
  })),
  memories: reads(project, (sent, source, signal) =>
    withMemories(sent, { source, signal }, async (memories) => {
      const { writable, readOnly } = await memories.list();
      return [...writable, ...readOnly].map(({ text }) => text);
    }),
  ),
  memory: reads(memory, (sent, source, signal) =>
    withMemories(sent, { source, signal }, async (memories) => ({
      text: await memories.read(parseMemoryName(sent.name)),
    })),
  ),
  'memory/write': changes(memory.extend({ text: z.string() }), (sent, source, signal) =>
    withMemories(sent, { source, signal }, async (memories) => {
      await memories.write(parseMemoryName(sent.name), sent.text);
      return {};
    }),
  ),
  'memory/delete': changes(memory, (sent, source, signal) =>
    withMemories(sent, { source, signal }, async (memories) => ({
      isDeleted: await memories.delete(parseMemoryName(sent.name)),
    })),
  ),
  edits: reads(project, (sent, source) => withProject(sent.project, source, async (open) => listEdits(open))),
  'edits/diff': reads(edit, (sent, source) => withProject(sent.project, source, async (open) => diffOf(open, sent.id))),
  'edits/undo': changes(edit, ({ project: root, id }, source, signal) =>
    withProject(root, source, async (open) => ({ paths: await reverseEdit(open, { id, kind: 'undo' }, signal) })),
  ),
  'edits/redo': changes(edit, ({ project: root, id }, source, signal) =>
    withProject(root, source, async (open) => ({ paths: await reverseEdit(open, { id, kind: 'redo' }, signal) })),
  ),
};

type Run<T> = (input: T, source: DashboardSource, signal: AbortSignal) => Promise<unknown>;

function reads<T>(schema: z.ZodType<T>, run: Run<T>): Route {
  return { method: 'GET', run: (sent, source, signal) => run(schema.parse(sent), source, signal) };
}

function changes<T>(schema: z.ZodType<T>, run: Run<T>): Route {
  return { ...reads(schema, run), method: 'POST' };
}

/** As for commands of the user, `read_only_memory_patterns` do not apply. */
function withMemories<T>(
  { project: root }: { readonly project: string },
  { source, signal }: { readonly source: DashboardSource; readonly signal: AbortSignal },
  work: (memories: Memories) => Promise<T>,
): Promise<T> {
  return withProject(root, source, (open, user) => {
    const { home } = source;
    return work(openMemories(open, { home, user, scanner: open.scanner, signal, isUser: true }));
  });
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

/** Larger than every memory that people write. */
const maxBodyBytes = 4 * 1024 * 1024;

export const safeHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Checks the method of a request. @throws {RefusedRequest} 405. */
export function requireMethod({ method }: IncomingMessage, expected: 'GET' | 'POST'): void {
  if (method !== expected) throw new RefusedRequest(405, `use ${expected}`);
}

/** Reads a body of JSON. Forms of other pages cannot have this type. @throws {RefusedRequest} 400, 413, 415. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') throw new RefusedRequest(415, 'send application/json');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new RefusedRequest(413, 'the request is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new RefusedRequest(400, 'send JSON');
  }
}

/** Sends the file of the page that the URL names. None contains a secret. @throws {RefusedRequest} 404, 405. */
export function sendAsset({ request, response, url }: Exchange): void {
  requireMethod(request, 'GET');
  const asset = assetAt(url.pathname);
  if (asset === undefined) throw new RefusedRequest(404, 'not found');
  response.writeHead(200, { 'Content-Type': `${asset.type}; charset=utf-8` });
  response.end(asset.text);
}

export function sendJson(value: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends why a request was not served. */
export function sendFailure(error: unknown, { request, response }: Omit<Exchange, 'url'>): void {
  const { status, message } = failureOf(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the request is not read.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: message }));
}

function failureOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof RefusedRequest) return error;
  if (isExpected(error)) return { status: 422, message: error.message };
  if (error instanceof z.ZodError) return { status: 400, message: z.prettifyError(error) };
  log('dashboard').error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { status: 500, message: 'internal error (please report); the details are in the log' };
}

interface Asset {
  readonly type: string;
  readonly text: string;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Returns the file that a path in the URL names, `undefined` if there is none. */
function assetAt(path: string): Asset | undefined {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  // TypeScript treats modules that end with `.html` as pages that a bundler made.
  const key = `dashboard/${type === types.html ? `${name}.txt` : name}`;
  const text = Object.hasOwn(resources, key) ? resources[key] : undefined;
  return type === undefined || text === undefined ? undefined : { type, text };
}
