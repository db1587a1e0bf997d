import { java } from '../../../src/languages/java/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { jdtlsPlace } from '../../support/jdtls.ts';

const formatAmount = { namePath: 'Amounts/formatAmount[0]', file: 'src/shop/Amounts.java' };

describeServer(java, {
  fixture: 'java',
  // Java takes tens of seconds to start on a busy machine, and each test that changes files starts one.
  timeoutMs: 600_000,
  ...jdtlsPlace(),
  questions: {
    overview: ['src/shop/Amounts.java', 'src/shop/Discount.java', 'src/shop/Receipt.java'],
    find: ['apply', 'Flat/apply', '/Basket', 'Basket/items', 'formatAmount[1]', { part: 'Off' }, 'nowhere'],
    body: [
      { namePath: 'Basket/add', file: 'src/shop/Basket.java' },
      { namePath: 'Basket', file: 'src/shop/Basket.java' },
      { namePath: 'Discount', file: 'src/shop/Discount.java' },
      { namePath: 'Discount/HalfOff', file: 'src/shop/Discount.java' },
      formatAmount,
      { namePath: 'Amounts/CURRENCY', file: 'src/shop/Amounts.java' },
    ],
    containing: [
      { file: 'src/shop/Checkout.java', at: /return Amounts\.(formatAmount)/ },
      { file: 'src/shop/Amounts.java', at: /String\.(format)\(/ },
      { file: 'src/shop/Basket.java', at: /(items)\.add/ },
      { file: 'src/shop/Basket.java', at: /List<Integer> (items)/ },
      { file: 'src/shop/Broken.java', at: /Amounts\.(formatAmount)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Amounts/formatAmount[1]', file: 'src/shop/Amounts.java' },
      { namePath: 'Basket', file: 'src/shop/Basket.java' },
      { namePath: 'Basket/total', file: 'src/shop/Basket.java' },
      { namePath: 'Discount/apply', file: 'src/shop/Discount.java' },
      { namePath: 'Amounts/CURRENCY', file: 'src/shop/Amounts.java' },
    ],
    implementation: { namePath: 'Discount/apply', file: 'src/shop/Discount.java' },
    diagnostics: { clean: 'src/shop/Clean.java', broken: 'src/shop/Broken.java' },
    rename: { file: 'src/shop/Basket.java', at: /public int (total)/, to: 'sum' },
    edit: {
      symbol: formatAmount,
      appended:
        '\n/** Renders every amount. */\nclass Lines {\n    String render(int[] amounts) {\n        String all = "";\n        for (int each : amounts) {\n            all += Amounts.formatAmount(each);\n        }\n        return all;\n    }\n}\n',
      defines: 'Lines/render',
      user: 'src/shop/Receipt.java',
      prepended: '// Receipts.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'src/shop/Label.java',
      text: 'package shop;\n\nclass Label {\n    /** Returns a price tag. */\n    String label(int cents) {\n        return Amounts.formatAmount(cents);\n    }\n}\n',
      changed:
        'package shop;\n\nclass Label {\n    /** The label of what costs nothing. */\n    String free = Amounts.formatAmount(0);\n}\n',
      moved: 'src/shop/Tag.java',
    },
  },
});
