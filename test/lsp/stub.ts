import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LanguageServer, type LanguageServerOptions } from '../../src/lsp/client/language-server.ts';
import { findMarked, markVariable } from '../support/processes.ts';
import { stubCommand } from '../support/stubs.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const files = {
  'a.py': 'class Größe:\n    def wert(self):\n        return 1\n\n\ndef helper():\n    return Größe()\n',
  'b.py': 'from a import helper\n\nhelper()\n',
};

/** Options of a test for the start of a stub. */
export interface StubStart extends Partial<Omit<LanguageServerOptions, 'name' | 'command' | 'root'>> {
  /** `name=value` arguments that tell the stub how to misbehave. */
  readonly args?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A stub's options and the project that it serves, before it is started. */
export interface StubPlan {
  readonly options: LanguageServerOptions;
  readonly project: Workspace;
  /** In the environment of the stub and of everything below it; see `findMarked`. */
  readonly mark: string;
}

/** A stub that runs below this program's LSP layer. */
export interface RunningStub extends StubPlan, AsyncDisposable {
  readonly server: LanguageServer;
}

/** Returns the options that start `test/stub-servers/<name>.ts` on a small project of two files. */
export function planStub(name: string, start: StubStart = {}): StubPlan {
  const { args, signal: _, ...changes } = start;
  const project = makeWorkspace(files);
  const mark = randomUUID();
  const [command, ...rest] = stubCommand(name, args);
  const env = { ...process.env, [markVariable]: mark };
  const options: LanguageServerOptions = {
    name: 'stub 1',
    command: { command, args: rest, env, cwd: project.root },
    root: project.root,
    initializationOptions: {},
    settings: {},
    ready: { when: 'initialized' },
    readText: (path) => readFileSync(path, 'utf8'),
    languageIdOf: () => 'python',
    startTimeoutMs: 120_000,
    ...changes,
  };
  return { options, project, mark };
}

/** Starts a stub through this program's LSP layer; `await using` stops it. */
export async function startStub(name: string, start: StubStart = {}): Promise<RunningStub> {
  const plan = planStub(name, start);
  const server = await LanguageServer.start(plan.options, start.signal);
  return { ...plan, server, [Symbol.asyncDispose]: () => server.stop() };
}

/** Returns the ids of the live processes of a stub. */
export function livePids({ mark }: StubPlan): number[] {
  return findMarked(mark).map(({ pid }) => pid);
}
