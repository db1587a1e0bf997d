import type { Questions } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'formatAmount', file: 'helper.hpp' };
const total = { namePath: 'shop/Basket/total', file: 'basket.hpp' };

/** Questions for every server of `test/fixtures/cpp`. */
export const cppQuestions: Questions = {
  overview: ['basket.hpp', 'helper.hpp', 'checkout.cpp'],
  find: ['apply', 'HalfOff/apply', '/shop', 'Basket/add', { part: 'Off' }, 'nowhere'],
  body: [total, { namePath: 'checkout', file: 'checkout.cpp' }, formatAmount],
  containing: [
    { file: 'checkout.cpp', at: /return (formatAmount)/ },
    { file: 'helper.cpp', at: /"(free)"/ },
    { file: 'basket.hpp', at: /(sum) \+= cents/ },
  ],
  references: [formatAmount, total, { namePath: 'shop/Discount/apply', file: 'basket.hpp' }],
  implementation: { namePath: 'shop/Discount/apply', file: 'basket.hpp' },
  diagnostics: { clean: 'clean.cpp', broken: 'broken.cpp' },
  rename: { file: 'helper.hpp', at: /(formatAmount)/, to: 'renderAmount' },
  edit: {
    symbol: total,
    appended: '\ninline int half(const shop::Basket &basket) {\n  return basket.total() / 2;\n}\n',
    defines: 'half',
    user: 'checkout.cpp',
    prepended: '// A checkout.\n\n',
  },
  external: {
    symbol: total,
    file: 'label.cpp',
    text: '#include "helper.hpp"\n\nint label(const shop::Basket &basket) {\n  return basket.total();\n}\n',
    changed: '#include "helper.hpp"\n\nint twice(const shop::Basket &basket) { return basket.total() * 2; }\n',
    moved: 'tag.cpp',
  },
};
