import { bsl } from '../../src/languages/bsl.ts';
import { describeServer } from '../servers/conformance.ts';
import { findBslLanguageServer } from '../support/bsl-language-server.ts';

const file = (module: string) => `CommonModules/${module}/Ext/Module.bsl`;
const total = { namePath: 'Total', file: file('Prices') };

const server = findBslLanguageServer();

describeServer(bsl, {
  fixture: 'bsl',
  // Its start takes tens of seconds on a busy machine.
  timeoutMs: 600_000,
  ...('bin' in server ? { env: { PATH: `${server.bin}:${process.env.PATH}` } } : { whyNot: server.whyNot }),
  questions: {
    overview: [file('Prices'), file('Basket'), file('Checkout')],
    find: ['Total', 'Public/Total', 'Sell', { part: 'ell' }, 'nowhere'],
    body: [total, { namePath: 'Add', file: file('Basket') }],
    containing: [
      { file: file('Prices'), at: /(WithTax)\(Count/ },
      { file: file('Checkout'), at: /Prices\.(Format)\(Sum/ },
      { file: file('Basket'), at: /(LastItem) =/ },
    ],
    references: [
      total,
      { namePath: 'Total', file: file('Basket') },
      { namePath: 'Format', file: file('Prices') },
      { namePath: 'WithTax', file: file('Prices') },
      { namePath: 'Sell', file: file('Checkout') },
    ],
    implementation: total,
    diagnostics: { clean: file('Clean'), broken: file('Broken') },
    rename: { file: file('Prices'), at: /Function (Format)/, to: 'Render' },
    edit: {
      symbol: total,
      appended: '\nFunction Free() Export\n\tReturn Total(0, 0);\nEndFunction\n',
      defines: 'Free',
      user: file('Checkout'),
      prepended: '// A checkout.\n\n',
    },
    external: {
      symbol: total,
      file: file('Gift'),
      text: 'Function Gift() Export\n\tReturn Prices.Total(1, 0);\nEndFunction\n',
      changed: '// Nothing costs nothing.\nFunction Nothing() Export\n\tReturn Prices.Total(0, 0);\nEndFunction\n',
      moved: file('Present'),
    },
  },
});
