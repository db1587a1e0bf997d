import { cue } from '../../src/languages/cue.ts';
import { describeInstalled } from '../servers/installed.ts';

const basket = { namePath: '#Basket', file: 'helper.cue' };

describeInstalled(cue, {
  fixture: 'cue',
  program: 'cue',
  questions: {
    overview: ['helper.cue', 'checkout.cue'],
    find: ['limit', '#Basket/limit', '/currency', { part: 'out' }, 'nowhere'],
    body: [basket, { namePath: 'checkout', file: 'checkout.cue' }, { namePath: 'currency', file: 'helper.cue' }],
    containing: [
      { file: 'checkout.cue', at: /limit: (50)/ },
      { file: 'checkout.cue', at: /\((currency)\)/ },
    ],
    references: [basket, { namePath: 'currency', file: 'helper.cue' }],
    implementation: basket,
    diagnostics: { clean: 'clean.cue', broken: 'broken.cue' },
    rename: { file: 'helper.cue', at: /(currency):/, to: 'money' },
    edit: {
      symbol: basket,
      appended: '\n#Gift: #Basket & {\n\tnote: string\n}\n',
      defines: '#Gift',
      user: 'checkout.cue',
      prepended: '// A checkout.\n\n',
    },
    external: {
      symbol: basket,
      file: 'wish.cue',
      text: 'package shop\n\nwish: #Basket\n',
      changed: 'package shop\n\nwishes: [...#Basket]\n',
      moved: 'list.cue',
    },
  },
});
