import { yaml } from '../../../src/languages/yaml/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const flat = { namePath: 'discounts/flat', file: 'shop.yaml' };

describeServer(yaml, {
  fixture: 'yaml',
  questions: {
    overview: ['shop.yaml', 'delivery.yml'],
    find: ['cents', 'discounts/flat/cents', '/currency', { part: 'carr' }, 'nowhere'],
    body: [flat, { namePath: 'defaults', file: 'shop.yaml' }, { namePath: 'zones', file: 'delivery.yml' }],
    containing: [
      { file: 'shop.yaml', at: /percent: (50)/ },
      { file: 'shop.yaml', at: /<<: (\*defaults)/ },
      { file: 'delivery.yml', at: /carrier: (Train)/ },
    ],
    references: [{ namePath: 'defaults', file: 'shop.yaml' }],
    implementation: flat,
    diagnostics: { clean: 'shop.yaml', broken: 'broken.yaml' },
    rename: { file: 'shop.yaml', at: /&(defaults)/, to: 'usual' },
    edit: {
      symbol: flat,
      appended: '  large:\n    percent: 75\n',
      defines: 'discounts/large',
      user: 'delivery.yml',
      prepended: '# How it gets there.\n',
    },
    external: {
      symbol: flat,
      file: 'more.yaml',
      text: 'flat:\n  cents: 1\n',
      changed: 'flatter:\n  - cents: 2\n',
      moved: 'moved/more.yml',
    },
  },
});
