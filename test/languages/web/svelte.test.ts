import { svelte } from '../../../src/languages/web/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

describeServer(svelte, {
  fixture: 'svelte',
  questions: {
    overview: ['src/Price.svelte', 'src/Shop.svelte', 'src/helper.ts'],
    find: ['label', '/Basket', 'Basket/add', { part: 'tota' }, 'nowhere'],
    body: [
      { namePath: 'script/label', file: 'src/Price.svelte' },
      { namePath: 'Basket/add', file: 'src/helper.ts' },
      formatAmount,
    ],
    containing: [
      { file: 'src/Price.svelte', at: /return '🧾 ' \+ (formatAmount)/ },
      { file: 'src/Price.svelte', at: /title=\{(formatAmount)/ },
      { file: 'src/Shop.svelte', at: /import \{ Basket, (formatAmount)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket/total', file: 'src/helper.ts' },
      { namePath: 'script/label', file: 'src/Price.svelte' },
    ],
    implementation: { namePath: 'Basket', file: 'src/helper.ts' },
    diagnostics: { clean: 'src/Clean.svelte', broken: 'src/Broken.svelte' },
    rename: { file: 'src/Price.svelte', at: /function (label)/, to: 'text' },
    edit: {
      symbol: formatAmount,
      appended: '\nexport function renderAll(amounts: number[]): string[] {\n  return amounts.map(formatAmount);\n}\n',
      defines: 'renderAll',
      user: 'src/Shop.svelte',
      prepended: '<!-- A shop. -->\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'src/Label.svelte',
      text: '<script lang="ts">\n  import { formatAmount } from \'./helper.ts\';\n\n  function one(): string {\n    return formatAmount(1);\n  }\n</script>\n\n<p>{one()}</p>\n',
      changed:
        '<script lang="ts">\n  import { formatAmount } from \'./helper.ts\';\n</script>\n\n<p>{formatAmount(0)}</p>\n',
      moved: 'src/Tag.svelte',
    },
  },
});
