import { vim } from '../../src/servers/catalog/specs/vim.ts';
import { describeServer } from './conformance.ts';

const formatAmount = { namePath: 'FormatAmount', file: 'helper.vim' };

describeServer(vim, {
  fixture: 'vim',
  questions: {
    overview: ['helper.vim', 'checkout.vim'],
    find: ['Total', '/FormatAmount', 'g:currency', { part: 'ceipt' }, 'nowhere'],
    body: [formatAmount, { namePath: 'Total', file: 'helper.vim' }],
    containing: [
      { file: 'checkout.vim', at: /return (FormatAmount)/ },
      { file: 'checkout.vim', at: /'🧾' (FormatAmount)/ },
      { file: 'helper.vim', at: /(cents) \/ 100/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Total', file: 'helper.vim' },
      { namePath: 'g:currency', file: 'helper.vim' },
    ],
    implementation: formatAmount,
    diagnostics: { clean: 'clean.vim', broken: 'broken.vim' },
    rename: { file: 'helper.vim', at: /(FormatAmount)/, to: 'RenderAmount' },
    edit: {
      symbol: formatAmount,
      appended:
        '\nfunction! RenderAll(items) abort\n  return map(a:items, {_, each -> FormatAmount(each)})\nendfunction\n',
      defines: 'RenderAll',
      user: 'checkout.vim',
      prepended: '" A checkout.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'label.vim',
      text: 'source helper.vim\n\nfunction! Label(cents) abort\n  return FormatAmount(a:cents)\nendfunction\n',
      changed: 'source helper.vim\n\nlet g:free = FormatAmount(0)\n',
      moved: 'tag.vim',
    },
  },
});
