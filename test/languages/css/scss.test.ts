import { scss } from '../../../src/languages/css/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const accent = { namePath: '$accent', file: 'styles/_helper.scss' };

describeServer(scss, {
  fixture: 'scss',
  questions: {
    overview: ['styles/_helper.scss', 'styles/shop.scss', 'styles/plain.css'],
    find: ['padded', '.basket', '$accent', { part: 'pric' }, 'nowhere'],
    body: [
      accent,
      { namePath: 'padded', file: 'styles/_helper.scss' },
      { namePath: '.basket', file: 'styles/shop.scss' },
    ],
    containing: [
      { file: 'styles/shop.scss', at: /include (helper)/ },
      { file: 'styles/shop.scss', at: /content: ('🧾')/ },
      { file: 'styles/plain.css', at: /(color)/ },
    ],
    references: [
      accent,
      { namePath: 'padded', file: 'styles/_helper.scss' },
      { namePath: 'step', file: 'styles/_helper.scss' },
    ],
    implementation: accent,
    diagnostics: { clean: 'styles/clean.css', broken: 'styles/broken.css' },
    rename: { file: 'styles/_helper.scss', at: /(\$accent)/, to: 'mark' },
    edit: {
      symbol: accent,
      appended: '\n@mixin marked {\n  color: $accent;\n}\n',
      defines: 'marked',
      user: 'styles/shop.scss',
      prepended: '// A shop.\n\n',
    },
    external: {
      symbol: accent,
      file: 'styles/label.scss',
      text: "@use 'helper';\n\n.label {\n  color: helper.$accent;\n}\n",
      changed: "@use 'helper';\n\n.free {\n  border: 1px solid helper.$accent;\n}\n",
      moved: 'styles/tag.scss',
    },
  },
});
