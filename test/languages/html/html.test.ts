import { html } from '../../../src/languages/html/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const basket = { namePath: 'html/body/main#basket.wide', file: 'index.html' };

describeServer(html, {
  fixture: 'html',
  questions: {
    overview: ['index.html', 'receipt.html'],
    find: ['main#basket.wide', 'form/button.buy', 'p.total', { part: 'bask' }, 'nowhere'],
    body: [basket, { namePath: 'article#receipt', file: 'receipt.html' }],
    containing: [
      { file: 'index.html', at: />(Basket)</ },
      { file: 'index.html', at: /= (formatAmount)/ },
      { file: 'receipt.html', at: /(4\.50)/ },
    ],
    references: [basket, { namePath: 'html/head/script/formatAmount', file: 'index.html' }],
    implementation: basket,
    diagnostics: { clean: 'receipt.html', broken: 'broken.html' },
    rename: { file: 'receipt.html', at: /<(article)/, to: 'section' },
    edit: {
      symbol: { namePath: 'article#receipt', file: 'receipt.html' },
      appended: '<footer id="end"></footer>\n',
      defines: 'footer#end',
      user: 'index.html',
      prepended: '<!-- A shop. -->\n',
    },
    external: {
      symbol: { namePath: 'article#receipt', file: 'receipt.html' },
      file: 'more.html',
      text: '<article id="receipt"></article>\n',
      changed: '<section id="more"></section>\n',
      moved: 'moved/more.htm',
    },
  },
});
