import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { astro } from '../../../src/languages/web/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture } from '../../support/workspace.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

describeServer(astro, {
  fixture: 'astro',
  questions: {
    overview: ['src/Price.astro', 'src/Shop.astro', 'src/helper.ts'],
    find: ['label', '/Basket', 'Basket/add', 'total', { part: 'tota' }, 'nowhere'],
    body: [
      { namePath: 'label', file: 'src/Price.astro' },
      { namePath: 'Basket/add', file: 'src/helper.ts' },
      formatAmount,
    ],
    containing: [
      { file: 'src/Price.astro', at: /return '🧾 ' \+ (formatAmount)/ },
      { file: 'src/Price.astro', at: /title=\{(formatAmount)/ },
      { file: 'src/Shop.astro', at: /import \{ Basket, (formatAmount)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket/total', file: 'src/helper.ts' },
      { namePath: 'Points/total', file: 'src/helper.ts' },
      { namePath: 'label', file: 'src/Price.astro' },
      { namePath: 'label', file: 'src/Shop.astro' },
    ],
    implementation: { namePath: 'Basket', file: 'src/helper.ts' },
    diagnostics: { clean: 'src/Clean.astro', broken: 'src/Broken.astro' },
    rename: { file: 'src/Price.astro', at: /function (label)/, to: 'text' },
    edit: {
      symbol: formatAmount,
      appended: '\nexport function renderAll(amounts: number[]): string[] {\n  return amounts.map(formatAmount);\n}\n',
      defines: 'renderAll',
      user: 'src/Shop.astro',
      prepended: '\n',
    },
    external: {
      symbol: formatAmount,
      file: 'src/Label.astro',
      text: "---\nimport { formatAmount } from './helper.ts';\n\nfunction one(): string {\n  return formatAmount(1);\n}\n---\n\n<p>{one()}</p>\n",
      changed: "---\nimport { formatAmount } from './helper.ts';\n---\n\n<p>{formatAmount(0)}</p>\n",
      moved: 'src/Tag.astro',
    },
  },
});

// The server loads the integrations of Svelte and Vue from the project as soon as it reads a component of theirs.
test(
  'runs no code of the project for components of other frameworks',
  async () => {
    await install(astro);
    const workspace = copyFixture('astro');
    const marks = makeTempDir('marks');
    for (const framework of ['svelte', 'vue']) {
      const mark = JSON.stringify(join(marks, framework));
      const integration = `node_modules/@astrojs/${framework}`;
      workspace.write(`${integration}/package.json`, '{"version":"7.0.0","main":"dist/editor.cjs"}');
      workspace.write(`${integration}/dist/editor.cjs`, `require('node:fs').writeFileSync(${mark}, 'ran');\n`);
      workspace.write(`src/Sum.${framework}`, '<p>1</p>\n');
      workspace.write(`src/With-${framework}.astro`, `---\nimport Sum from './Sum.${framework}';\n---\n\n<Sum />\n`);
    }
    await using opened = await Opened.open(workspace, astro);
    const found = await opened.askPartly((symbols) => referencesTo(symbols, 'label', 'src/Price.astro'));
    expect(placesOf(found.answer)).toEqual(['src/Price.astro:14']);
    expect(readdirSync(marks)).toEqual([]);
  },
  questionTimeoutMs,
);
