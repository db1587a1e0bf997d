import { findProgram } from '../../src/base/find-program.ts';
import { rust } from '../../src/servers/specs/rust.ts';
import { describeServer } from './conformance.ts';

const formatAmount = { namePath: 'format_amount', file: 'src/helper.rs' };

describeServer(rust, {
  fixture: 'rust',
  whyNot: findProgram('rust-analyzer', process.env) === undefined ? 'there is no rust-analyzer here' : undefined,
  questions: {
    overview: ['src/helper.rs', 'src/discount.rs', 'src/checkout.rs'],
    find: ['apply', '/Basket', 'add', { part: 'Off' }, 'nowhere'],
    body: [formatAmount, { namePath: 'CURRENCY', file: 'src/helper.rs' }, { namePath: 'checkout', file: 'src/checkout.rs' }],
    containing: [
      { file: 'src/checkout.rs', at: /", (format_amount)/ },
      { file: 'src/checkout.rs', at: /\{(format_amount)/ },
      { file: 'src/helper.rs', at: /self\.(items)\.push/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket', file: 'src/helper.rs' },
      { namePath: 'Discount/apply', file: 'src/discount.rs' },
    ],
    implementation: { namePath: 'Discount', file: 'src/discount.rs' },
    diagnostics: { clean: 'src/helper.rs', broken: 'src/broken.rs' },
    rename: { file: 'src/helper.rs', at: /fn (format_amount)/, to: 'render_amount' },
    edit: {
      symbol: formatAmount,
      appended: '\npub fn render_all(amounts: &[u32]) -> Vec<String> {\n    amounts.iter().map(|each| format_amount(*each)).collect()\n}\n',
      defines: 'render_all',
      user: 'src/checkout.rs',
      prepended: '//! A checkout.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'tests/label.rs',
      text: 'use shop::helper::format_amount;\n\nfn label(cents: u32) -> String {\n    format_amount(cents)\n}\n',
      changed: 'use shop::helper::format_amount;\n\nfn free() -> String { format_amount(0) }\n',
      moved: 'tests/tag.rs',
    },
  },
});
