import { latexBadness } from '../../../src/languages/latex/servers.ts';
import { describeServer } from '../../servers/conformance.ts';

const total = { namePath: 'Total/sec:total', file: 'chapter.tex' };

describeServer(latexBadness, {
  fixture: 'latex',
  questions: {
    overview: ['main.tex', 'chapter.tex', 'refs.bib'],
    find: ['Total', 'Basket/Items', 'sec:total', { part: 'knu' }, 'nowhere'],
    body: [total, { namePath: 'Basket', file: 'main.tex' }, { namePath: 'knuth', file: 'refs.bib' }],
    containing: [
      { file: 'main.tex', at: /see~.ref\{(sec:total)/ },
      { file: 'chapter.tex', at: /(amount)\{50\}/ },
    ],
    references: [total, { namePath: 'Basket/sec:basket', file: 'main.tex' }, { namePath: 'knuth', file: 'refs.bib' }],
    implementation: total,
    diagnostics: { clean: 'clean.tex', broken: 'broken.tex' },
    rename: { file: 'chapter.tex', at: /label\{(sec:total)/, to: 'sec:sum' },
    edit: {
      symbol: total,
      appended: '\n\\section{Sum}\nSee~\\ref{sec:total}.\n',
      defines: 'Sum',
      user: 'main.tex',
      prepended: '% A shop.\n\n',
    },
    external: {
      symbol: total,
      file: 'label.tex',
      text: '\\input{chapter}\n\n\\section{Label}\nAs in~\\ref{sec:total}.\n',
      changed: '\\section{Free}\nSee~\\ref{sec:total} and \\input{chapter}.\n',
      moved: 'tag.tex',
    },
  },
});
