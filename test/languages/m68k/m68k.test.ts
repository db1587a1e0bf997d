import { m68k } from '../../../src/languages/m68k.ts';
import { describeServer } from '../../servers/conformance.ts';

const fill = { namePath: 'fill', file: 'basket.asm' };

describeServer(m68k, {
  fixture: 'm68k',
  questions: {
    overview: ['basket.asm', 'checkout.asm'],
    find: ['fill', 'limit', { part: 'heck' }, 'nowhere'],
    body: [fill, { namePath: 'limit', file: 'basket.asm' }],
    containing: [{ file: 'checkout.asm', at: /bsr\s(fill)/ }],
    references: [fill, { namePath: 'limit', file: 'basket.asm' }],
    implementation: fill,
    diagnostics: { clean: 'clean.asm', broken: 'broken.asm' },
    rename: { file: 'basket.asm', at: /(fill):/, to: 'pack' },
    edit: {
      symbol: fill,
      appended: '\ngift:\n\tbsr\tfill\n\trts\n',
      defines: 'gift',
      user: 'checkout.asm',
      prepended: '; A checkout.\n\n',
    },
    external: {
      symbol: fill,
      file: 'wish.asm',
      text: '\tinclude\t"basket.asm"\nwish:\n\tbsr\tfill\n\trts\n',
      changed: '\tinclude\t"basket.asm"\nwishes:\n\tnop\n\tbsr\tfill\n\trts\n',
      moved: 'list.asm',
    },
  },
});
