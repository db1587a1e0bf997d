// Servers that would run code named by a project, in a project that the user has not reviewed.
import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { svelte, vue } from '../../../src/languages/web/servers.ts';
import type { ServerSpec } from '../../../src/servers/spec.ts';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';
import { questionTimeoutMs } from '../conformance.ts';
import { install, installedAt, installTimeoutMs } from '../opened.ts';

interface Attack {
  readonly spec: ServerSpec;
  /** Paths from which code would be loaded; each file creates another file when it runs. */
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
    'runs no code that a project names',
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

/** User configuration with servers installed in the shared home. */
function homeWith(config: Readonly<Record<string, unknown>>): string {
  const home = makeHome(config);
  symlinkSync(join(sharedHome(), 'language_servers'), join(home, 'language_servers'));
  return home;
}

/** Returns a project with a `tsserver.js` of its own, and whether that was run. */
function plantTsserver(files: Readonly<Record<string, string>>) {
  const mark = join(makeTempDir('marks'), 'ran');
  const project = makeWorkspace({
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/a.ts': 'export function total(): number {\n  return 1;\n}\nexport const sum = total();\n',
    'node_modules/typescript/package.json': '{"name":"typescript","version":"5.9.9"}',
    'node_modules/typescript/lib/tsserver.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'ran');\n`,
    ...files,
  });
  return { project, hasRun: () => readdirSync(dirname(mark)).length > 0 };
}

const uses = { name_path: 'total', relative_path: 'src/a.ts' };

describe("a user's own program in a project with a `tsserver.js`", () => {
  /** Absolute path of the program, with a TypeScript beside it. */
  let program: string;
  /** The same without one. */
  let lone: string;
  beforeAll(async () => {
    await install(typescript);
    await install(svelte);
    await install(vue);
    const modules = join(await installedAt(typescript), 'node_modules');
    program = join(modules, 'typescript-language-server/lib/cli.mjs');
    const directory = makeTempDir('lone');
    cpSync(join(modules, 'typescript-language-server'), join(directory, 'typescript-language-server'), {
      recursive: true,
    });
    lone = join(directory, 'typescript-language-server/lib/cli.mjs');
  }, installTimeoutMs);

  const ask = async (
    project: { root: string },
    { home, env }: { home: string; env?: Readonly<Record<string, string>> },
  ) => {
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home, ...env } });
    return await client.call('find_referencing_symbols', uses);
  };

  test(
    'runs the TypeScript beside the program',
    async () => {
      const { project, hasRun } = plantTsserver({});
      const answer = await ask(project, {
        home: homeWith({ ls_specific_settings: { typescript: { ls_path: program } } }),
      });
      expect([answer.text, hasRun()]).toEqual([expect.stringContaining('sum'), false]);
    },
    questionTimeoutMs,
  );

  test(
    'runs the installed TypeScript if there is none beside the program, regardless of other settings',
    async () => {
      const { project, hasRun } = plantTsserver({});
      const settings = { ls_path: lone, initializationOptions: { tsserver: { logVerbosity: 'off' } } };
      const answer = await ask(project, { home: homeWith({ ls_specific_settings: { typescript: settings } }) });
      expect([answer.text, hasRun()]).toEqual([expect.stringContaining('sum'), false]);
    },
    questionTimeoutMs,
  );

  test(
    'and so does a program that `SERENA_PREFER=system` finds',
    async () => {
      const { project, hasRun } = plantTsserver({});
      const bin = makeTempDir('bin');
      writeFileSync(
        join(bin, 'typescript-language-server'),
        `#!/bin/sh\nBUN_BE_BUN=1 exec ${process.execPath} ${lone} "$@"\n`,
      );
      chmodSync(join(bin, 'typescript-language-server'), 0o755);
      const env = { PATH: `${bin}:${process.env.PATH}`, SERENA_PREFER: 'system' };
      const answer = await ask(project, { home: homeWith({}), env });
      expect([answer.text, hasRun()]).toEqual([expect.stringContaining('sum'), false]);
    },
    questionTimeoutMs,
  );

  test(
    'is not started if no other TypeScript is available',
    async () => {
      const { project, hasRun } = plantTsserver({});
      const home = makeHome({ ls_specific_settings: { typescript: { ls_path: lone } } });
      const answer = await ask(project, { home, env: { SERENA_OFFLINE: '1' } });
      expect([answer.isError, hasRun()]).toEqual([true, false]);
      expect(answer.text).toContain('would run the TypeScript of the project, which is not trusted');
      expect(answer.text).toContain('trusted_project_path_patterns');
    },
    questionTimeoutMs,
  );

  test.each([
    ['svelte', 'svelte-language-server/bin/server.js'],
    ['vue', '@vue/language-server/bin/vue-language-server.js'],
  ])(
    'of %s is one beside which the installed TypeScript runs',
    async (id, entry) => {
      const own = join(await installedAt(id === 'vue' ? vue : svelte), 'node_modules', entry);
      const component = `src/Price.${id}`;
      const { project, hasRun } = plantTsserver({
        [component]: '<script lang="ts">\nimport { total } from \'./a\';\nconst price = total();\n</script>\n',
        '.serena/project.yml': `language_servers: [${id}]\n`,
      });
      const home = homeWith({ ls_specific_settings: { [id]: { ls_path: own } } });
      await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
      expect(await client.ask('find_referencing_symbols', uses)).toContain('sum');
      expect(await client.ask('get_symbols_overview', { relative_path: component })).toContain('script');
      expect(hasRun()).toBe(false);
    },
    questionTimeoutMs,
  );
});
