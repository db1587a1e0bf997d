import { expect, test } from 'bun:test';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { vue } from '../../../src/languages/web/servers.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { preOrder } from '../../../src/symbols/model/symbol.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { copyFixture } from '../../support/workspace.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

describeServer(vue, {
  fixture: 'vue',
  questions: {
    overview: ['src/Price.vue', 'src/Shop.vue', 'src/helper.ts'],
    find: ['label', '/Basket', 'Basket/add', { part: 'tota' }, 'nowhere'],
    body: [
      { namePath: 'script setup/label', file: 'src/Price.vue' },
      { namePath: 'Basket/add', file: 'src/helper.ts' },
      formatAmount,
    ],
    containing: [
      { file: 'src/Price.vue', at: /return '🧾 ' \+ (formatAmount)/ },
      { file: 'src/Price.vue', at: /(cents) \}\}/ },
      { file: 'src/Shop.vue', at: /import \{ Basket, (formatAmount)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket/total', file: 'src/helper.ts' },
      { namePath: 'script setup/label', file: 'src/Price.vue' },
    ],
    implementation: { namePath: 'Basket', file: 'src/helper.ts' },
    diagnostics: { clean: 'src/Clean.vue', broken: 'src/Broken.vue' },
    rename: { file: 'src/Price.vue', at: /function (label)/, to: 'text' },
    edit: {
      symbol: formatAmount,
      appended: '\nexport function renderAll(amounts: number[]): string[] {\n  return amounts.map(formatAmount);\n}\n',
      defines: 'renderAll',
      user: 'src/Shop.vue',
      prepended: '<!-- A shop. -->\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'src/Label.vue',
      text: '<script setup lang="ts">\nimport { formatAmount } from \'./helper.ts\';\n\nfunction one(): string {\n  return formatAmount(1);\n}\n</script>\n',
      changed:
        '<script setup lang="ts">\nimport { formatAmount } from \'./helper.ts\';\n\nconst free = formatAmount(0);\n</script>\n',
      moved: 'src/Tag.vue',
    },
  },
});

// The plugin checks templates against Vue's types, and finds no references in templates without them.
test(
  'reports that references in templates may be missing if Vue is not installed',
  async () => {
    await install(vue);
    const workspace = copyFixture('vue');
    workspace.remove('node_modules');
    await using opened = await Opened.open(workspace, vue);
    const { answer, missing } = await opened.askPartly((symbols) =>
      referencesTo(symbols, 'formatAmount', 'src/helper.ts'),
    );
    expect(answer).toHaveLength(8);
    expect(missing).toEqual([
      'References may be missing: references in templates are known only if the `vue` package is installed in the project',
    ]);
  },
  questionTimeoutMs,
);

// TypeScript's server reads no components: references from there were once omitted silently.
test(
  "names the components that a project's TypeScript server does not read",
  async () => {
    await install(typescript);
    await using opened = await Opened.open(copyFixture('vue'), typescript);
    const { answer, missing } = await opened.askPartly((symbols) =>
      referencesTo(symbols, 'formatAmount', 'src/helper.ts'),
    );
    expect(placesOf(answer)).toEqual(['src/main.ts:0', 'src/main.ts:4']);
    expect(missing).toHaveLength(1);
    expect(missing[0]).toStartWith('References in `src/Broken.vue`, `src/Price.vue`, `src/Shop.vue` may be missing');
  },
  questionTimeoutMs,
);

test(
  'a name that `defineExpose` exports is one symbol',
  async () => {
    await install(vue);
    await using workspace = copyFixture('vue');
    workspace.write(
      'src/Counter.vue',
      '<script setup lang="ts">\nconst count = 1;\nfunction press() {}\ndefineExpose({ count, press, other: 2 });\n</script>\n',
    );
    await using opened = await Opened.open(workspace, vue);
    const [script] = await opened.ask((symbols) => symbols.overview('src/Counter.vue'));
    expect(script?.children.map(({ name }) => name)).toEqual(['count', 'press', 'other']);
  },
  questionTimeoutMs,
);

test(
  'the rules of a style block are symbols, and a class in the template resolves to its rule',
  async () => {
    await install(vue);
    await using workspace = copyFixture('vue');
    workspace.write(
      'src/Key.vue',
      '<template>\n  <b class="key">1</b>\n</template>\n\n<style scoped>\n.price,\n.key {\n  color: red;\n}\n@media print {\n  #sum { color: red; }\n}\n</style>\n\n<style lang="scss">\n$ink: red;\n.pad { .dot { color: $ink; } }\n</style>\n',
    );
    await using opened = await Opened.open(workspace, vue);
    const roots = await opened.ask((symbols) => symbols.overview('src/Key.vue'));
    const styles = roots.filter(({ name }) => name.startsWith('style'));
    expect(preOrder(styles).map(namePathOf)).toEqual([
      'style scoped',
      'style scoped/.price',
      'style scoped/.price/.key',
      'style scoped/@media print',
      'style scoped/@media print/#sum',
      'style',
      'style/$ink',
      'style/.pad',
      'style/.pad/.dot',
    ]);
    const declared = await opened.ask((symbols) => symbols.declaration('src/Key.vue', { line: 1, character: 13 }));
    expect(declared.name).toBe('.key');
  },
  questionTimeoutMs,
);
