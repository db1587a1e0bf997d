import { typespec } from '../../src/languages/typespec.ts';
import { describeServer } from '../servers/conformance.ts';

const price = { namePath: 'Price', file: 'price.tsp' };

describeServer(typespec, {
  fixture: 'typespec',
  questions: {
    overview: ['price.tsp', 'main.tsp', 'clean.tsp'],
    find: ['/Shop/Price', 'Till/checkout', 'cents', { part: 'curr' }, 'nowhere'],
    body: [price, { namePath: 'Till/checkout', file: 'main.tsp' }, { namePath: 'Currency', file: 'price.tsp' }],
    containing: [
      { file: 'main.tsp', at: /total: (Price)/ },
      { file: 'main.tsp', at: /basket: (Basket)/ },
      { file: 'price.tsp', at: /cents: (int32)/ },
    ],
    references: [price, { namePath: 'Currency', file: 'price.tsp' }, { namePath: 'Item', file: 'main.tsp' }],
    implementation: price,
    diagnostics: { clean: 'clean.tsp', broken: 'broken.tsp' },
    rename: { file: 'price.tsp', at: /model (Price)/, to: 'Amount' },
    edit: {
      symbol: price,
      appended: '\nmodel Offer {\n  price: Price;\n}\n',
      defines: 'Offer',
      user: 'main.tsp',
      prepended: '// A shop.\n\n',
    },
    external: {
      symbol: price,
      file: 'label.tsp',
      text: 'import "./price.tsp";\n\nmodel Label {\n  price: Shop.Price;\n}\n',
      changed: 'import "./price.tsp";\n\nalias Free = Shop.Price;\n',
      moved: 'tag.tsp',
    },
  },
});
