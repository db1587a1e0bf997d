import { qml } from '../../src/languages/qml.ts';
import { describeInstalled } from '../servers/installed.ts';

const total = { namePath: 'QtObject/total', file: 'Basket.qml' };

describeInstalled(qml, {
  fixture: 'qml',
  program: 'qmlls',
  // The one of Qt 6.4 reports no symbols; versions in between were not tested.
  probe: { args: ['--version'], prints: /qmlls (?:6\.1[2-9]|6\.[2-9]\d|[7-9])/ },
  questions: {
    overview: ['Basket.qml', 'Checkout.qml'],
    find: ['total', 'QtObject/checkout', '/sum', { part: 'ask' }, 'nowhere'],
    body: [
      total,
      { namePath: 'QtObject/checkout', file: 'Checkout.qml' },
      { namePath: 'QtObject/sum', file: 'Basket.qml' },
    ],
    containing: [
      { file: 'Checkout.qml', at: /mine\.(total)/ },
      { file: 'Basket.qml', at: /return (sum)/ },
    ],
    references: [total, { namePath: 'QtObject/sum', file: 'Basket.qml' }],
    implementation: total,
    diagnostics: { clean: 'Clean.qml', broken: 'Broken.qml' },
    rename: { file: 'Basket.qml', at: /function (total)/, to: 'amount' },
    edit: {
      symbol: total,
      appended: '\n// The end.\n',
      defines: 'QtObject/sold',
      user: 'Checkout.qml',
      prepended: '// A checkout.\n\n',
    },
    external: {
      symbol: total,
      file: 'Label.qml',
      text: 'import QtQml\n\nQtObject {\n    property Basket gift: Basket { id: given }\n\n    function label(): int {\n        return given.total();\n    }\n}\n',
      changed:
        'import QtQml\n\nQtObject {\n    property Basket gift: Basket { id: given }\n    function twice(): int { return given.total() * 2; }\n}\n',
      moved: 'Tag.qml',
    },
  },
});
