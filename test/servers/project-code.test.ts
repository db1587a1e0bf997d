// Servers that would run what a project names, in a project that nobody has looked at yet.
import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { svelte } from '../../src/servers/specs/svelte.ts';
import { vue } from '../../src/servers/specs/vue.ts';
import { startClient } from '../support/client.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs } from './opened.ts';

interface Attack {
  readonly spec: ServerSpec;
  /** Where it would be loaded from; each file leaves a mark where that happens. */
  readonly files: readonly string[];
  /** Further files of the project. */
  readonly data: Readonly<Record<string, string>>;
  readonly component: string;
}

const compilerOptions = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noEmit: true, types: [] };

const attacks: readonly Attack[] = [
  {
    spec: vue,
    files: ['plugin.cjs'],
    data: {
      'tsconfig.json': JSON.stringify({
        compilerOptions,
        include: ['src'],
        vueCompilerOptions: { plugins: ['./plugin.cjs'] },
      }),
    },
    component: 'src/Price.vue',
  },
  {
    spec: svelte,
    files: ['svelte.config.cjs', 'node_modules/svelte/compiler/index.js', 'node_modules/prettier/index.js'],
    data: {
      'node_modules/svelte/package.json': '{"name":"svelte","version":"5.0.0"}',
      'node_modules/prettier/package.json': '{"name":"prettier","version":"3.0.0","main":"index.js"}',
    },
    component: 'src/Price.svelte',
  },
];

describe.each(attacks)('$spec.name', ({ spec, files, data, component }) => {
  beforeAll(() => install(spec), installTimeoutMs);

  test(
    'runs nothing that a project names',
    async () => {
      await using project = copyFixture(spec.id);
      const marks = makeTempDir('marks');
      for (const [path, text] of Object.entries(data)) project.write(path, text);
      for (const [index, path] of files.entries()) {
        const mark = JSON.stringify(join(marks, String(index)));
        project.write(path, `require('node:fs').writeFileSync(${mark}, 'ran');\nmodule.exports = {};\n`);
      }
      project.write('.serena/project.yml', `language_servers: [${spec.id}]\n`);
      await using client = await startClient({
        args: ['--project', project.root],
        env: { SERENA_HOME: sharedHome() },
      });
      expect(await client.ask('get_symbols_overview', { relative_path: component })).toContain('script');
      await client.ask('get_diagnostics_for_file', { relative_path: component });
      await client.call('find_referencing_symbols', { name_path: 'formatAmount', relative_path: 'src/helper.ts' });
      expect(readdirSync(marks).map((index) => files[Number(index)])).toEqual([]);
    },
    questionTimeoutMs,
  );
});
