import { beforeAll, describe, expect, test } from 'bun:test';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { preOrder } from '../../../src/symbols/model/symbol.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';
import { typescriptQuestions } from './questions.ts';

describeServer(typescript, { fixture: 'typescript', questions: typescriptQuestions });

async function placesIn(workspace: Workspace, file: string): Promise<string[]> {
  await using opened = await Opened.open(workspace);
  return placesOf(await opened.references('formatAmount', file));
}

const helper = 'export function formatAmount(cents: number): string {\n  return String(cents);\n}\n';
const config = (options: object = {}) =>
  JSON.stringify({
    compilerOptions: { module: 'nodenext', allowImportingTsExtensions: true, noEmit: true, types: [] },
    ...options,
  });
/** A file that refers to the helper in lines 0 and 2. */
const user = (from: string) => `import { formatAmount } from '${from}';\n\nconsole.log(formatAmount(1));\n`;

describe('typescript-language-server and files of several projects', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  // tsserver loads a project when its first file is opened, and searches loaded projects only. For a symbol of package
  // `a` it answered as if package `b`, which refers to it, did not exist.
  test(
    'finds the references in another package of a monorepo, although only the first was opened',
    async () => {
      expect(await placesIn(copyFixture('monorepo'), 'packages/a/src/helper.ts')).toEqual([
        'packages/a/src/own.ts:0',
        'packages/a/src/own.ts:2',
        'packages/b/src/label.ts:0',
        'packages/b/src/label.ts:3',
      ]);
    },
    questionTimeoutMs,
  );

  // Without a tsconfig.json, a file is known only while it is open.
  test(
    'finds the references in JavaScript files that no project contains',
    async () => {
      const workspace = makeWorkspace({
        'package.json': '{ "type": "module" }',
        'lib/helper.js': 'export function formatAmount(cents) {\n  return String(cents);\n}\n',
        'lib/app.js': user('./helper.js'),
        'other/tool.mjs': "import * as helper from '../lib/helper.js';\n\nhelper.formatAmount(2);\n",
      });
      expect(await placesIn(workspace, 'lib/helper.js')).toEqual(['lib/app.js:0', 'lib/app.js:2', 'other/tool.mjs:2']);
    },
    questionTimeoutMs,
  );

  // Most packages have `"include": ["src"]` and the tests beside it, without a marker file: the answer had the
  // references in `src` and none in the tests.
  test(
    'finds the references in files that their project leaves out',
    async () => {
      const workspace = makeWorkspace({
        'tsconfig.json': config({ include: ['src'] }),
        'src/helper.ts': helper,
        'src/user.ts': user('./helper.ts'),
        'test/helper.test.ts': user('../src/helper.ts'),
        'scripts/tool.mjs': user('../src/helper.ts'),
      });
      expect(await placesIn(workspace, 'src/helper.ts')).toEqual([
        'scripts/tool.mjs:0',
        'scripts/tool.mjs:2',
        'src/user.ts:0',
        'src/user.ts:2',
        'test/helper.test.ts:0',
        'test/helper.test.ts:2',
      ]);
    },
    questionTimeoutMs,
  );

  // Of the projects listed in one tsconfig.json, the server loads only that of the file.
  test(
    'finds the references in a second project of one directory',
    async () => {
      const workspace = makeWorkspace({
        'tsconfig.json':
          '{ "files": [], "references": [{ "path": "tsconfig.app.json" }, { "path": "tsconfig.test.json" }] }',
        'tsconfig.app.json': config({ include: ['src'] }),
        'tsconfig.test.json': config({ include: ['src', 'test'] }),
        'src/helper.ts': helper,
        'src/user.ts': user('./helper.ts'),
        'test/helper.test.ts': user('../src/helper.ts'),
        'test/other.test.ts': user('../src/helper.ts'),
      });
      expect(await placesIn(workspace, 'src/helper.ts')).toEqual([
        'src/user.ts:0',
        'src/user.ts:2',
        'test/helper.test.ts:0',
        'test/helper.test.ts:2',
        'test/other.test.ts:0',
        'test/other.test.ts:2',
      ]);
    },
    questionTimeoutMs,
  );

  // Files without a project are known only while they are open, and here are more than stay open: the search of the
  // text finds them, and each occurrence is resolved. Files that one query opened and closed were once treated as known
  // by the next.
  test(
    'finds references in more files without a project than stay open, each time',
    async () => {
      const tests = Array.from(
        { length: 60 },
        (_, index) => [`test/t${index + 10}.ts`, user('../src/helper.ts')] as const,
      );
      const files = { 'tsconfig.json': config({ include: ['src'] }), 'src/helper.ts': helper };
      await using opened = await Opened.open(makeWorkspace({ ...files, ...Object.fromEntries(tests) }));
      const ask = () => opened.references('formatAmount', 'src/helper.ts');
      const first = await ask();
      expect(placesOf(first)).toEqual(tests.flatMap(([file]) => [`${file}:0`, `${file}:2`]));
      expect(placesOf(await ask())).toEqual(placesOf(first));
    },
    questionTimeoutMs,
  );
});

describe('typescript-language-server and its symbols', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  // tsserver sorts by name, and equal names by kind. The index in a name path would then depend on the order of getter
  // and setter in a table of the compiler.
  test(
    'come in document order, in which overloads are numbered',
    async () => {
      const text = [
        'export class Price {',
        '  set value(cents: number) {}',
        '  get value(): number { return 1; }',
        '  static value() {}',
        '}',
        'export namespace Price { export const none = 0; }',
        'export function format(cents: number): string;',
        'export function format(text: string): string;',
        'export function format(any: unknown): string { return String(any); }',
        'const Also = 1;',
      ];
      await using opened = await Opened.open(makeWorkspace({ 'price.ts': `${text.join('\n')}\n` }));
      const tree = await opened.ask((symbols) => symbols.overview('price.ts'));
      expect([...preOrder(tree)].map((node) => `${node.range.start.line} ${namePathOf(node)}`)).toEqual([
        '0 Price[0]',
        '1 Price[0]/value[0]',
        '2 Price[0]/value[1]',
        '3 Price[0]/value[2]',
        '5 Price[1]',
        '5 Price[1]/none',
        '6 format[0]',
        '7 format[1]',
        '8 format[2]',
        '9 Also',
      ]);
    },
    questionTimeoutMs,
  );
});
