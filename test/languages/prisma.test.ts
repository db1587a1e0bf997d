import { prisma } from '../../src/languages/prisma.ts';
import { describeServer } from '../servers/conformance.ts';

const basket = { namePath: 'Basket', file: 'schema.prisma' };

describeServer(prisma, {
  fixture: 'prisma',
  questions: {
    overview: ['schema.prisma', 'discount.prisma'],
    find: ['Basket', '/Currency', { part: 'Disc' }, 'nowhere'],
    body: [basket, { namePath: 'Currency', file: 'schema.prisma' }, { namePath: 'client', file: 'schema.prisma' }],
    containing: [
      { file: 'schema.prisma', at: /Basket (@relation)/ },
      { file: 'discount.prisma', at: /(percent)/ },
    ],
    references: [
      basket,
      { namePath: 'Discount', file: 'discount.prisma' },
      { namePath: 'Currency', file: 'schema.prisma' },
    ],
    implementation: basket,
    diagnostics: { clean: 'schema.prisma', broken: 'broken.prisma' },
    rename: { file: 'schema.prisma', at: /enum (Currency)/, to: 'Money' },
    edit: {
      symbol: basket,
      appended: '\nmodel Wish {\n  id       Int    @id\n  basket   Int\n}\n',
      defines: 'Wish',
      user: 'discount.prisma',
      prepended: '// A shop.\n\n',
    },
    external: {
      symbol: basket,
      file: 'label.prisma',
      text: 'model Label {\n  id       Int    @id\n  basketId Int\n  basket   Basket @relation(fields: [basketId], references: [id])\n}\n',
      changed: 'type Free {\n  basket Basket\n}\n',
      moved: 'tag.prisma',
    },
  },
});
