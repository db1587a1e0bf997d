import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { mdx } from '../../../src/languages/web/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

describeServer(mdx, {
  fixture: 'mdx',
  questions: {
    overview: ['src/Price.mdx', 'src/Shop.mdx', 'src/helper.ts'],
    find: ['label', '/Basket', 'Basket/add', 'total', { part: 'tota' }, 'nowhere'],
    body: [
      { namePath: 'label', file: 'src/Price.mdx' },
      { namePath: 'Basket/add', file: 'src/helper.ts' },
      formatAmount,
    ],
    containing: [
      { file: 'src/Price.mdx', at: /return '🧾 ' \+ (formatAmount)/ },
      { file: 'src/Price.mdx', at: /or \{(formatAmount)/ },
      { file: 'src/Shop.mdx', at: /import \{ Basket, (formatAmount)/ },
    ],
    references: [
      { namePath: 'cents', file: 'src/Price.mdx' },
      formatAmount,
      { namePath: 'Basket/total', file: 'src/helper.ts' },
      { namePath: 'Points/total', file: 'src/helper.ts' },
      { namePath: 'label', file: 'src/Price.mdx' },
      { namePath: 'label', file: 'src/Shop.mdx' },
    ],
    implementation: { namePath: 'Basket', file: 'src/helper.ts' },
    // The unknown name resembles none: TypeScript suggests a name for ten errors only, those of the files that it checks first.
    diagnostics: { clean: 'src/Clean.mdx', broken: 'src/Broken.mdx' },
    rename: { file: 'src/Price.mdx', at: /function (label)/, to: 'text' },
    edit: {
      symbol: formatAmount,
      appended: '\nexport function renderAll(amounts: number[]): string[] {\n  return amounts.map(formatAmount);\n}\n',
      defines: 'renderAll',
      user: 'src/Shop.mdx',
      prepended: '\n',
    },
    external: {
      symbol: formatAmount,
      file: 'src/Label.mdx',
      text: "import { formatAmount } from './helper.ts';\n\nexport function one() {\n  return formatAmount(1);\n}\n\n# One\n\n{one()}\n",
      changed: "import { formatAmount } from './helper.ts';\n\n{formatAmount(0)}\n",
      moved: 'src/Tag.mdx',
    },
  },
});

test(
  'MDX: no plugin that a project names is run, and its files are read without it',
  async () => {
    await install(mdx);
    const workspace = copyFixture('mdx');
    const marks = makeTempDir('marks');
    workspace.write('plugin.cjs', `require('node:fs').writeFileSync(${JSON.stringify(join(marks, 'ran'))}, '');\n`);
    const configuration = workspace.read('tsconfig.json');
    workspace.write('tsconfig.json', configuration.replace('"checkMdx"', '"plugins": ["./plugin.cjs"], "checkMdx"'));
    await using opened = await Opened.open(workspace, mdx);
    const found = await opened.ask((symbols) => referencesTo(symbols, 'cents', 'src/Price.mdx'));
    expect(placesOf(found)).toEqual(['src/Price.mdx:5', 'src/Shop.mdx:1', 'src/Shop.mdx:7']);
    const users = await opened.ask((symbols) => referencesTo(symbols, 'Points/total', 'src/helper.ts'));
    expect(placesOf(users)).toEqual(['src/Shop.mdx:14']);
    expect(readdirSync(marks)).toEqual([]);
  },
  questionTimeoutMs,
);

test(
  "TypeScript's server names the MDX files that may refer to a symbol, and no prose",
  async () => {
    await install(typescript);
    const files = {
      'helper.ts': 'export function total(): number {\n  return 1;\n}\n',
      'shop.mdx': "import { total } from './helper.ts';\n\n{total()}\n",
      'prose.mdx': '# The total\n\nCall `total` for the total.\n',
    };
    await using opened = await Opened.open(makeWorkspace(files), typescript);
    const { answer, missing } = await opened.askPartly((symbols) => referencesTo(symbols, 'total', 'helper.ts'));
    expect(placesOf(answer)).toEqual([]);
    expect(missing).toEqual([expect.stringContaining('`shop.mdx`')]);
    expect(missing[0]).not.toContain('prose.mdx');
  },
  questionTimeoutMs,
);
