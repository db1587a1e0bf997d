import { vhdl } from '../../../src/languages/vhdl.ts';
import { describeInstalled } from '../../servers/installed.ts';

const outer = { namePath: 'basket[0]/outer', file: 'basket.vhd' };
const limit = { namePath: 'basket[0]/limit', file: 'basket.vhd' };

describeInstalled(vhdl, {
  fixture: 'vhdl',
  program: 'vhdl_ls',
  questions: {
    overview: ['basket.vhd', 'checkout.vhd', 'shop_front.vhd'],
    find: ['outer', 'basket_t/size', '/checkout', 'limit', { part: 'basket' }, 'nowhere'],
    body: [outer, { namePath: 'basket[1]/outer', file: 'basket.vhd' }, { namePath: 'rtl/count', file: 'checkout.vhd' }],
    containing: [
      { file: 'checkout.vhd', at: /<= (outer)/ },
      { file: 'shop_front.vhd', at: /basket\.(limit)/ },
    ],
    references: [
      outer,
      limit,
      { namePath: 'checkout/limit', file: 'checkout.vhd' },
      { namePath: 'basket[0]/basket_t/size', file: 'basket.vhd' },
      { namePath: 'basket[0]/crate_t/size', file: 'basket.vhd' },
      { namePath: 'checkout', file: 'checkout.vhd' },
    ],
    implementation: outer,
    diagnostics: { clean: 'clean.vhd', broken: 'broken.vhd' },
    rename: { file: 'basket.vhd', at: /function (outer)\(.*integer;/, to: 'whole' },
    edit: {
      symbol: limit,
      appended: '\npackage gift is\n    constant bound : integer := work.basket.limit;\nend package;\n',
      defines: 'gift',
      user: 'shop_front.vhd',
      prepended: '-- The front of the shop.\n\n',
    },
    external: {
      symbol: limit,
      file: 'wish.vhd',
      text: 'package wish is\n    constant most : integer := work.basket.limit;\nend package;\n',
      changed:
        'package wishes is\n\n    constant least : integer := 1;\n    constant most : integer := work.basket.limit;\nend package;\n',
      moved: 'list.vhd',
    },
  },
});
