import { expect, test } from 'bun:test';
import { delimiter, join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { deno, typescript, typescriptNative, typescriptVts } from '../../../src/languages/typescript/servers.ts';
import { svelte, vue } from '../../../src/languages/web/servers.ts';
import type { ServerSpec } from '../../../src/servers/spec.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { preOrder } from '../../../src/symbols/model/symbol.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const code = `function useTheme() {
  const theme = 1;
  function reset() {}
  return { reset, theme, other: 2 };
}
class Key {
  reset
  static reset() {}
}
`;

const cases: readonly { spec: ServerSpec; file: string; text: string }[] = [
  { spec: typescript, file: 'theme.ts', text: code },
  { spec: typescriptVts, file: 'theme.ts', text: code },
  { spec: typescriptNative, file: 'theme.ts', text: code },
  { spec: deno, file: 'theme.ts', text: code },
  { spec: vue, file: 'theme.ts', text: code },
  { spec: vue, file: 'Theme.vue', text: `<script lang="ts">\n${code}</script>\n` },
  { spec: svelte, file: 'Theme.svelte', text: `<script lang="ts">\n${code}</script>\n` },
];

/** Deno is on `PATH` during development, as one of this repository's packages. */
const env = { PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) };

for (const { spec, file, text } of cases) {
  test(
    `${spec.name} has one symbol for what an object in ${file} passes on by its name`,
    async () => {
      await install(spec, env);
      await using workspace = makeWorkspace({ [file]: text });
      await using opened = await Opened.open(workspace, spec, env);
      const roots = await opened.ask((symbols) => symbols.overview(file));
      const paths = preOrder(roots).map((symbol) => namePathOf(symbol).replace(/^script\//, ''));
      expect(paths.filter((path) => path.startsWith('useTheme/'))).toEqual([
        'useTheme/theme',
        'useTheme/reset',
        'useTheme/other',
      ]);
      expect(paths.filter((path) => path.startsWith('Key/'))).toEqual(['Key/reset[0]', 'Key/reset[1]']);
    },
    questionTimeoutMs + installTimeoutMs,
  );
}
