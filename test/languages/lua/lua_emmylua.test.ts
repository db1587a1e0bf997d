import { luaEmmylua } from '../../../src/languages/lua/servers.ts';
import { describeInstalled } from '../../servers/installed.ts';

const formatAmount = { namePath: 'format_amount', file: 'basket.lua' };
const priceOf = { namePath: 'price_of', file: 'prices.lua' };
const total = { namePath: 'total[0]', file: 'basket.lua' };

describeInstalled(luaEmmylua, {
  fixture: 'lua',
  program: 'emmylua_ls',
  questions: {
    overview: ['basket.lua', 'checkout.lua', 'prices.lua'],
    find: ['total', 'format_amount/pad', '/pad', '/Basket', { part: 'ew' }, 'nowhere'],
    body: [formatAmount, total, { namePath: 'currency', file: 'basket.lua' }],
    containing: [
      { file: 'checkout.lua', at: /mine:(total)/ },
      { file: 'basket.lua', at: /\.\. (currency)/ },
    ],
    references: [
      priceOf,
      { namePath: 'bonus', file: 'prices.lua' },
      formatAmount,
      total,
      { namePath: 'total[1]', file: 'basket.lua' },
      { namePath: 'Basket', file: 'basket.lua' },
      { namePath: 'currency', file: 'basket.lua' },
    ],
    implementation: total,
    diagnostics: { clean: 'clean.lua', broken: 'broken.lua' },
    rename: { file: 'basket.lua', at: /function Basket:(total)/, to: 'amount' },
    edit: {
      symbol: priceOf,
      appended: '\nfunction gift_of(cents)\n  return price_of(cents) // 2\nend\n',
      defines: 'gift_of',
      user: 'checkout.lua',
      prepended: '-- A checkout.\n\n',
    },
    external: {
      symbol: priceOf,
      file: 'label.lua',
      text: 'local function label(cents)\n  return price_of(cents)\nend\n\nreturn label\n',
      changed: '\nlocal free = price_of(0)\n\nreturn free\n',
      moved: 'tag.lua',
    },
  },
});
