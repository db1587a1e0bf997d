import type { Questions } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'format_amount', file: 'shop/helper.py' };

/** Questions for every server of `test/fixtures/python`. */
export const pythonQuestions: Questions = {
  overview: ['shop/helper.py', 'shop/discount.py', 'shop/receipt.py', 'shop/__init__.py'],
  find: ['apply', 'Flat/apply', '/pad', 'pad', '/Basket', 'format_amount/pad', { part: 'Off' }, 'nowhere'],
  body: [
    { namePath: 'Basket/add', file: 'shop/helper.py' },
    { namePath: 'Receipt/render', file: 'shop/receipt.py' },
    { namePath: 'Discount/apply', file: 'shop/discount.py' },
    formatAmount,
    { namePath: 'CURRENCY', file: 'shop/helper.py' },
  ],
  containing: [
    { file: 'shop/checkout.py', at: /return (format_amount)/ },
    { file: 'shop/checkout.py', at: /import Basket, (format_amount)/ },
    { file: 'shop/helper.py', at: /return f"\{(rest)/ },
    { file: 'shop/helper.py', at: /sum\(self\.(items)\)/ },
    { file: 'shop/helper.py', at: /(limit) = 100/ },
  ],
  references: [
    formatAmount,
    { namePath: 'Basket', file: 'shop/helper.py' },
    { namePath: 'Basket/total', file: 'shop/helper.py' },
    { namePath: 'Discount/apply', file: 'shop/discount.py' },
    { namePath: 'CURRENCY', file: 'shop/helper.py' },
  ],
  implementation: { namePath: 'Discount/apply', file: 'shop/discount.py' },
  diagnostics: { clean: 'shop/clean.py', broken: 'shop/broken.py' },
  rename: { file: 'shop/helper.py', at: /def (format_amount)/, to: 'render_amount' },
  edit: {
    symbol: formatAmount,
    appended:
      '\n\ndef render_all(amounts: list[int]) -> list[str]:\n    return [format_amount(each) for each in amounts]\n',
    defines: 'render_all',
    user: 'shop/receipt.py',
    prepended: '"""A receipt."""\n\n',
  },
  external: {
    symbol: formatAmount,
    file: 'shop/label.py',
    text: 'from shop.helper import format_amount\n\n\ndef label(cents: int) -> str:\n    return format_amount(cents)\n',
    changed: 'from shop.helper import format_amount\n\nfree = format_amount(0)\n',
    moved: 'shop/tag.py',
  },
};
