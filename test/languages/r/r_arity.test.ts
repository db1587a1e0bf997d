import { rArity } from '../../../src/languages/r/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const formatAmount = { namePath: 'format_amount', file: 'helper.R' };

describeServer(rArity, {
  fixture: 'r',
  questions: {
    overview: ['helper.R', 'checkout.R', 'broken.R'],
    find: ['total', '/format_amount', 'total/sum', { part: 'ceipt' }, 'nowhere'],
    body: [formatAmount, { namePath: 'total', file: 'helper.R' }, { namePath: 'currency', file: 'helper.R' }],
    containing: [
      { file: 'checkout.R', at: /(format_amount)\(total/ },
      { file: 'checkout.R', at: /"🧾", (format_amount)/ },
      { file: 'helper.R', at: /paste0\((cents)/ },
    ],
    references: [formatAmount, { namePath: 'total', file: 'helper.R' }, { namePath: 'currency', file: 'helper.R' }],
    implementation: formatAmount,
    diagnostics: { clean: 'clean.R', broken: 'broken.R' },
    rename: { file: 'helper.R', at: /(format_amount)/, to: 'render_amount' },
    edit: {
      symbol: formatAmount,
      appended: '\nrender_all <- function(items) {\n  lapply(items, format_amount)\n}\n',
      defines: 'render_all',
      user: 'checkout.R',
      prepended: '# A checkout.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'label.R',
      text: 'source("helper.R")\n\nlabel <- function(cents) {\n  format_amount(cents)\n}\n',
      changed: 'source("helper.R")\n\nfree <- format_amount(0)\n',
      moved: 'tag.R',
    },
  },
});
