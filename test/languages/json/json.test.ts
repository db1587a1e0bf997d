import { json } from '../../../src/languages/json/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const flat = { namePath: 'discounts/flat', file: 'shop.json' };

describeServer(json, {
  fixture: 'json',
  questions: {
    overview: ['shop.json', 'settings.jsonc'],
    find: ['cents', 'discounts/flat/cents', '/currency', { part: 'pap' }, 'nowhere'],
    body: [flat, { namePath: 'products', file: 'shop.json' }, { namePath: 'open', file: 'settings.jsonc' }],
    containing: [
      { file: 'shop.json', at: /"percent": (50)/ },
      { file: 'shop.json', at: /"cents": (1200)/ },
      { file: 'settings.jsonc', at: /"paper": ("A6")/ },
    ],
    references: [flat],
    implementation: flat,
    diagnostics: { clean: 'shop.json', broken: 'broken.json' },
    rename: { file: 'shop.json', at: /"(currency)"/, to: 'money' },
    edit: {
      symbol: { namePath: 'open', file: 'settings.jsonc' },
      appended: '\n// The end.\n',
      defines: '🧾/paper',
      user: 'shop.json',
      prepended: '\n\n',
    },
    external: {
      symbol: flat,
      file: 'more.json',
      text: '{ "flat": { "cents": 1 } }\n',
      changed: '{ "flatter": [{ "cents": 2 }] }\n',
      moved: 'moved/more.json',
    },
  },
});
