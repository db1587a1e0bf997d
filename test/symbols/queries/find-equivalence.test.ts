// Every answer of `find_symbol` is that of a full scan: the matching symbols of all files, each parsed as it is now.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isExpected } from '../../../src/base/errors.ts';
import { loadUserConfig } from '../../../src/config/user-config.ts';
import { adapters } from '../../../src/languages/adapters.ts';
import { Project } from '../../../src/project/project.ts';
import { ServerPool } from '../../../src/servers/runtime/pool.ts';
import { assignServers } from '../../../src/session/assign-servers.ts';
import { FileSymbols } from '../../../src/symbols/model/file-symbols.ts';
import { matchesPattern, namePathOf, parsePattern } from '../../../src/symbols/model/name-path.ts';
import { preOrder, type SymbolNode } from '../../../src/symbols/model/symbol.ts';
import { Symbols } from '../../../src/symbols/symbols.ts';
import { settle } from '../../search/indexed-project.ts';
import { applyEdit, type Edit, edits, words } from '../../search/random-edits.ts';
import { patientCall, serverPlace } from '../../servers/opened.ts';
import { rounds } from '../../support/rounds.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const workerUrl = new URL('../../../src/search/worker.ts', import.meta.url);
const kinds = { include: [], exclude: [] };

interface Question {
  readonly pattern: string;
  readonly isSubstring: boolean;
  readonly within: string;
}

/** A project that one process has open, with its index in a home directory. */
class Finder implements AsyncDisposable {
  readonly #project: Project;
  readonly #files: FileSymbols;
  readonly #pool = new ServerPool(serverPlace('find-equivalence'));

  private constructor(project: Project, sources: ReturnType<typeof assignServers>) {
    this.#project = project;
    this.#files = new FileSymbols({ project, sources, pool: this.#pool });
  }

  static async open({ root }: Workspace, home: string): Promise<Finder> {
    const user = await loadUserConfig(home);
    const project = await Project.open(root, { home, user, workerUrl });
    return new Finder(project, assignServers(project, user));
  }

  async index(): Promise<void> {
    await this.#project.scanner.updateIndex();
  }

  /** Returns what the product answers. */
  async find({ pattern, isSubstring, within }: Question): Promise<string[]> {
    const symbols = this.#symbols();
    const found = await orNone(() => symbols.find(pattern, { within, isSubstring, kinds }));
    return found.map((symbol) => render(symbol, symbols));
  }

  /** Returns the matching symbols of all files, without a search for the name. */
  async scan({ pattern, isSubstring, within }: Question): Promise<string[]> {
    const symbols = this.#symbols();
    const { extensions, prunedDirectories } = this.#files.sources;
    const walk = { under: within, extensions, pruneDirectories: prunedDirectories };
    const files = await orNone(() => this.#project.scanner.listFiles(walk));
    const parsed = parsePattern(pattern, { isSubstring });
    const found: string[] = [];
    for (const { path } of files) {
      const tree = await orNone(() => this.#files.parsed.treeOf(path, this.#files.textOf(path), 'python'));
      const nodes = 'nodes' in tree ? preOrder(tree.nodes) : [];
      for (const node of nodes) if (matchesPattern(parsed, node)) found.push(render(node, symbols));
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]();
    await this.#project[Symbol.asyncDispose]();
    await this.#pool.stopAll();
  }

  #symbols(): Symbols {
    return new Symbols({ files: this.#files, call: patientCall(), adapters, source: 'syntax' });
  }
}

/** Returns no items if a file or a directory cannot be searched, whether or not others could be. */
async function orNone<T extends object>(work: () => Promise<T> | T): Promise<T | []> {
  try {
    return await work();
  } catch (error) {
    if (isExpected(error)) return [];
    throw error;
  }
}

function render(symbol: SymbolNode, symbols: Symbols): string {
  return `${symbol.file} ${namePathOf(symbol)} ${JSON.stringify(symbols.body(symbol))}`;
}

const names = words.filter((word) => word !== 'taſk');
const name = fc.constantFrom(...names);

/** A file with definitions, some of them with equal names. */
const definitions = fc
  .array(fc.record({ outer: name, inner: name, mentioned: name }), { maxLength: 3 })
  .map((classes) =>
    classes
      .map(({ outer, inner, mentioned }) => `class ${outer}:\n    def ${inner}(self):\n        ${mentioned}()\n`)
      .join('\n'),
  );

const change: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path: fc.constantFrom('a.py', 'b.py', 'd/a.py', 'd/e/f.py', 'ignored/h.py'),
      content: definitions.map((text) => Buffer.from(text)),
      hasOldTime: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: edits },
);

const question: fc.Arbitrary<Question> = fc.record({
  pattern: fc.oneof(
    { weight: 3, arbitrary: name },
    { weight: 1, arbitrary: fc.tuple(name, name).map((path) => path.join('/')) },
    { weight: 1, arbitrary: name.map((top) => `/${top}`) },
    { weight: 1, arbitrary: name.map((overloaded) => `${overloaded}[1]`) },
  ),
  isSubstring: fc.boolean(),
  within: fc.constantFrom('', '', 'd'),
});

const round = fc.record({
  changes: fc.array(change, { maxLength: 5 }),
  questions: fc.array(question, { minLength: 2, maxLength: 5 }),
  isIndexed: fc.boolean(),
  isSettled: fc.boolean(),
});

test('finds what a full scan finds, with and without an index, in a process that watches and in a new one', async () => {
  const histories = fc.array(round, { minLength: 2, maxLength: 4 });
  const property = fc.asyncProperty(histories, async (history) => {
    const workspace = makeWorkspace({
      '.serena/project.yml': 'language_servers: [python]\n',
      '.gitignore': 'ignored/\n',
      'a.py': 'class task:\n    def os(self):\n        pass\n',
      'd/e/f.py': 'def x():\n    pass\n',
    });
    const home = makeTempDir('home');
    await using running = await Finder.open(workspace, home);
    for (const { changes, questions, isIndexed, isSettled } of history) {
      for (const change of changes) applyEdit(workspace, change);
      await using started = await Finder.open(workspace, home);
      if (isSettled) settle();
      if (isIndexed) await started.index();
      await using scanning = await Finder.open(workspace, makeTempDir('home'));
      for (const question of questions) {
        const expected = await scanning.scan(question);
        const asked = JSON.stringify(question);
        expect([asked, await running.find(question)]).toEqual([asked, expected]);
        expect([asked, await started.find(question)]).toEqual([asked, expected]);
      }
    }
  });
  await fc.assert(property, { numRuns: rounds(5, 12) });
}, 600_000);
