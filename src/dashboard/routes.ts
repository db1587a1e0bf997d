import { z } from 'zod';
import { effectiveConfig, withoutSecrets } from '../config/effective-config.ts';
import { loadUserConfig } from '../config/user-config.ts';
import type { Memories } from '../memories/memories.ts';
import { parseMemoryName } from '../memories/names.ts';
import { openMemories } from '../session/open-memories.ts';
import { diffOf, listEdits, reverseEdit } from './edits.ts';
import { neighborsOf, symbol } from './neighbors.ts';
import { setSetting, setting, withPermissions } from './set-setting.ts';
import type { DashboardSource } from './source.ts';
import { shownRoots, withProject } from './with-project.ts';

/** What answers a request for one path below `/api/`. */
export interface Route {
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
