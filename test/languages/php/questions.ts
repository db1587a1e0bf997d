import type { Questions } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.php' };

/** Questions for every server of `test/fixtures/php`. */
export const phpQuestions: Questions = {
  overview: ['src/helper.php', 'src/discount.php', 'src/receipt.php', 'src/checkout.php'],
  find: ['apply', 'Flat/apply', '/Basket', 'Basket/add', { part: 'Off' }, 'nowhere'],
  body: [
    { namePath: 'Basket/add', file: 'src/helper.php' },
    { namePath: 'Receipt/render', file: 'src/receipt.php' },
    { namePath: 'Discount/apply', file: 'src/discount.php' },
    formatAmount,
  ],
  containing: [
    { file: 'src/checkout.php', at: /return (formatAmount)/ },
    { file: 'src/receipt.php', at: /'🧾 ' \. (formatAmount)/ },
    { file: 'src/helper.php', at: /array_sum\((\$this)/ },
    { file: 'src/helper.php', at: /(LIMIT) = 100/ },
  ],
  references: [
    formatAmount,
    { namePath: 'Basket', file: 'src/helper.php' },
    { namePath: 'Basket/total', file: 'src/helper.php' },
    { namePath: 'Discount/apply', file: 'src/discount.php' },
  ],
  implementation: { namePath: 'Discount/apply', file: 'src/discount.php' },
  diagnostics: { clean: 'src/clean.php', broken: 'src/broken.php' },
  rename: { file: 'src/helper.php', at: /function (formatAmount)/, to: 'renderAmount' },
  edit: {
    symbol: formatAmount,
    appended:
      '\n/** @return string[] */\nfunction renderAll(array $amounts): array\n{\n    return array_map(fn ($each) => formatAmount($each), $amounts);\n}\n',
    defines: 'renderAll',
    user: 'src/receipt.php',
    prepended: '<?php // A receipt. ?>\n\n',
  },
  external: {
    symbol: formatAmount,
    file: 'src/label.php',
    text: '<?php\n\nnamespace Shop;\n\nfunction label(int $cents): string\n{\n    return formatAmount($cents);\n}\n',
    changed: '<?php\n\nnamespace Shop;\n\n$free = formatAmount(0);\n',
    moved: 'src/tag.php',
  },
};
