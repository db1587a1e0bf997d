import { swift } from '../../../src/languages/swift/servers.ts';
import { describeInstalled } from '../../servers/installed.ts';

const basket = { namePath: 'Basket', file: 'Sources/Shop/Basket.swift' };

describeInstalled(swift, {
  fixture: 'swift',
  program: 'sourcekit-lsp',
  questions: {
    overview: ['Sources/Shop/Basket.swift', 'Sources/Shop/Checkout.swift'],
    find: ['total', 'Basket/add', 'Checkout', { part: 'heck' }, 'nowhere'],
    body: [
      { namePath: 'Basket/total', file: 'Sources/Shop/Basket.swift' },
      { namePath: 'currency', file: 'Sources/Shop/Basket.swift' },
      { namePath: 'freeCheckout', file: 'Sources/Shop/Checkout.swift' },
    ],
    containing: [
      { file: 'Sources/Shop/Basket.swift', at: /(reduce)/ },
      { file: 'Sources/Shop/Checkout.swift', at: /(🧾)/ },
      { file: 'Sources/Shop/Checkout.swift', at: /Checkout\((basket)/ },
    ],
    references: [
      basket,
      { namePath: 'currency', file: 'Sources/Shop/Basket.swift' },
      { namePath: 'Basket/total', file: 'Sources/Shop/Basket.swift' },
    ],
    implementation: { namePath: 'Priced', file: 'Sources/Shop/Basket.swift' },
    diagnostics: { clean: 'Sources/Shop/Clean.swift', broken: 'Sources/Shop/Broken.swift' },
    rename: { file: 'Sources/Shop/Basket.swift', at: /let (currency)/, to: 'money' },
    edit: {
      symbol: basket,
      appended: '\nfunc gift() -> Basket {\n  Basket(items: [1])\n}\n',
      defines: 'gift',
      user: 'Sources/Shop/Checkout.swift',
      prepended: '// A checkout.\n\n',
    },
    external: {
      symbol: basket,
      file: 'Sources/Shop/Wish.swift',
      text: 'let wish = Basket(items: [])\n',
      changed: 'let wishes = [Basket(items: [])]\n',
      moved: 'Sources/Shop/List.swift',
    },
  },
});
