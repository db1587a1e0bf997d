import { latex } from '../../../src/languages/latex/servers.ts';
import { describeInstalled } from '../../servers/installed.ts';

const basket = { namePath: 'The basket', file: 'chapters/basket.tex' };

describeInstalled(latex, {
  fixture: 'texlab',
  program: 'texlab',
  questions: {
    overview: ['main.tex', 'chapters/basket.tex', 'books.bib'],
    find: ['The basket', 'The basket/Limits', 'adams1979', { part: 'Pric' }, 'nowhere'],
    body: [basket, { namePath: 'adams1979', file: 'books.bib' }],
    containing: [
      { file: 'main.tex', at: /(🧾)/ },
      { file: 'chapters/basket.tex', at: /Of (Section)/ },
      { file: 'books.bib', at: /(Douglas)/ },
    ],
    references: [
      basket,
      { namePath: 'adams1979', file: 'books.bib' },
      { namePath: 'Prices/Equation', file: 'main.tex' },
      { namePath: '\\currency', file: 'main.tex' },
    ],
    implementation: basket,
    diagnostics: { clean: 'clean.tex', broken: 'broken.tex' },
    rename: { file: 'main.tex', at: /ref\{(sec:basket)/, to: 'sec:cart' },
    edit: {
      symbol: basket,
      appended: '\n\\subsection{Gifts}\nAs in Section~\\ref{sec:basket}.\n',
      defines: 'The basket/Gifts',
      user: 'main.tex',
      prepended: '% A shop.\n\n',
    },
    external: {
      symbol: basket,
      file: 'wish.tex',
      text: '\\input{chapters/basket}\n\\section{Wishes}\nSee \\ref{sec:basket}.\n',
      changed: '\\input{chapters/basket}\n\\section{Dreams}\nAlso see \\ref{sec:basket}.\n',
      moved: 'dream.tex',
    },
  },
});
