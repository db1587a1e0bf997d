import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from './client.ts';
import { makeHome } from './homes.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

type Files = Readonly<Record<string, string>>;

/** A project with memories, and a client that has it open. */
export interface MemoryPlace extends AsyncDisposable {
  readonly client: TestClient;
  readonly project: Workspace;
  readonly home: string;
  /** Absolute path of a file below the project's memories. */
  own(...path: string[]): string;
  /** Absolute path of a file below the global memories. */
  shared(...path: string[]): string;
}

/** Starts a client in a project with these memories; those named `global/…` are in `SERENA_HOME`. */
export async function startWithMemories(
  memories: Files = {},
  config: { user?: Readonly<Record<string, unknown>>; project?: string } = {},
): Promise<MemoryPlace> {
  const home = makeHome(config.user);
  const project = makeWorkspace({ '.serena/project.yml': `project_name: p\n${config.project ?? ''}`, 'a.txt': 'a' });
  const own = (...path: string[]) => project.path('.serena/memories', ...path);
  const shared = (...path: string[]) => join(home, 'memories/global', ...path);
  for (const [name, text] of Object.entries(memories)) {
    const path = name.startsWith('global/') ? shared(`${name.slice(7)}.md`) : own(`${name}.md`);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  const client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  return { client, project, home, own, shared, [Symbol.asyncDispose]: () => client.close() };
}

/** Tools with a parameter that is a memory name: tool, that parameter, and the other arguments. */
export const toolsByName = [
  ['write_memory', 'memory_name', { content: 'x' }],
  ['read_memory', 'memory_name', {}],
  ['delete_memory', 'memory_name', {}],
  ['edit_memory', 'memory_name', { needle: 'a', repl: 'b', mode: 'literal' }],
  ['rename_memory', 'old_name', { new_name: 'new' }],
  ['rename_memory', 'new_name', { old_name: 'core' }],
] as const;
