import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { astro } from '../../src/servers/catalog/specs/astro.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, Opened, referencesTo } from './opened.ts';
import { placesOf } from './render.ts';

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
