import type { Questions } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

/** Questions for every server of `test/fixtures/typescript`. */
export const typescriptQuestions: Questions = {
  overview: ['src/helper.ts', 'src/discount.ts', 'src/receipt.ts', 'src/checkout.ts'],
  find: ['apply', 'Flat/apply', '/pad', 'pad', '/Basket', 'formatAmount/pad', { part: 'Off' }, 'nowhere'],
  body: [
    { namePath: 'Basket/add', file: 'src/helper.ts' },
    { namePath: 'Receipt/render', file: 'src/receipt.ts' },
    { namePath: 'Discount/apply', file: 'src/discount.ts' },
    formatAmount,
    { namePath: 'CURRENCY', file: 'src/helper.ts' },
  ],
  containing: [
    { file: 'src/checkout.ts', at: /return (formatAmount)/ },
    { file: 'src/checkout.ts', at: /type Basket, (formatAmount)/ },
    { file: 'src/helper.ts', at: /String\((rest)\)/ },
    { file: 'src/helper.ts', at: /this\.(items)\.push/ },
    { file: 'src/helper.ts', at: /(limit) = 100/ },
  ],
  references: [
    formatAmount,
    { namePath: 'Basket', file: 'src/helper.ts' },
    { namePath: 'Basket/total', file: 'src/helper.ts' },
    { namePath: 'Discount/apply', file: 'src/discount.ts' },
    { namePath: 'CURRENCY', file: 'src/helper.ts' },
  ],
  implementation: { namePath: 'Discount/apply', file: 'src/discount.ts' },
  diagnostics: { clean: 'src/clean.ts', broken: 'src/broken.ts' },
  rename: { file: 'src/helper.ts', at: /function (formatAmount)/, to: 'renderAmount' },
  edit: {
    symbol: formatAmount,
    appended: '\nexport function renderAll(amounts: number[]): string[] {\n  return amounts.map(formatAmount);\n}\n',
    defines: 'renderAll',
    user: 'src/receipt.ts',
    prepended: '// A receipt.\n\n',
  },
  external: {
    symbol: formatAmount,
    file: 'src/label.ts',
    text: "import { formatAmount } from './helper.ts';\n\nexport function label(cents: number): string {\n  return formatAmount(cents);\n}\n",
    changed: "import { formatAmount } from './helper.ts';\n\nexport const free = formatAmount(0);\n",
    moved: 'src/tag.ts',
  },
};
