import { toml } from '../../../src/languages/toml/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const flat = { namePath: 'discounts/flat', file: 'shop.toml' };

describeServer(toml, {
  fixture: 'toml',
  questions: {
    overview: ['shop.toml', 'delivery.toml'],
    find: ['cents', 'discounts/flat/cents', '/currency', { part: 'carr' }, 'nowhere'],
    body: [flat, { namePath: 'currency', file: 'shop.toml' }, { namePath: 'carrier', file: 'delivery.toml' }],
    containing: [
      { file: 'shop.toml', at: /percent = (50)/ },
      { file: 'shop.toml', at: /cents = (1200)/ },
      { file: 'delivery.toml', at: /name = ("Bike")/ },
    ],
    references: [flat],
    implementation: flat,
    diagnostics: { clean: 'shop.toml', broken: 'broken.toml' },
    rename: { file: 'shop.toml', at: /(currency)/, to: 'money' },
    edit: {
      symbol: flat,
      appended: '\n[extra]\nopen = true\n',
      defines: 'extra/open',
      user: 'delivery.toml',
      prepended: '# How it gets there.\n',
    },
    external: {
      symbol: flat,
      file: 'more.toml',
      text: '[flat]\ncents = 1\n',
      changed: '[flatter]\ncents = 2\n',
      moved: 'moved/more.toml',
    },
  },
});
