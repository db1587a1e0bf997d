import { beforeAll, describe, expect, test } from 'bun:test';
import { bash } from '../../../src/languages/bash/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { unread } from '../../support/language-tests/diagnostics.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const formatAmount = { namePath: 'format_amount', file: 'helper.sh' };

describeServer(bash, {
  fixture: 'bash',
  questions: {
    overview: ['helper.sh', 'checkout.sh', 'receipt.sh', 'broken.sh'],
    find: ['total', '/format_amount', 'format_amount/cents', { part: 'receipt' }, 'nowhere'],
    body: [formatAmount, { namePath: 'total', file: 'helper.sh' }, { namePath: 'CURRENCY', file: 'helper.sh' }],
    containing: [
      { file: 'checkout.sh', at: /(format_amount)/ },
      { file: 'receipt.sh', at: /(format_amount)/ },
      { file: 'helper.sh', at: /\$\(\((cents) \/ 100/ },
      { file: 'helper.sh', at: /(CURRENCY)=/ },
    ],
    references: [formatAmount, { namePath: 'total', file: 'helper.sh' }, { namePath: 'CURRENCY', file: 'helper.sh' }],
    implementation: formatAmount,
    diagnostics: { clean: 'clean.sh', broken: 'broken.sh' },
    rename: { file: 'helper.sh', at: /(format_amount)\(\)/, to: 'render_amount' },
    edit: {
      symbol: formatAmount,
      appended: '\nrender_all() {\n  for each in "$@"; do\n    format_amount "$each"\n  done\n}\n',
      defines: 'render_all',
      user: 'receipt.sh',
      prepended: '# A receipt.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'label.sh',
      text: 'source ./helper.sh\n\nlabel() {\n  format_amount "$1"\n}\n',
      changed: 'source ./helper.sh\n\nfree="$(format_amount 0)"\n',
      moved: 'tag.sh',
    },
  },
});

// The server reports no selection ranges: at the start of this range is a keyword, for which it finds no references.
test(
  'references to a function that is declared with the keyword',
  async () => {
    await install(bash);
    await using opened = await Opened.open(
      makeWorkspace({ 'a.sh': 'function two {\n  echo 2\n}\n', 'b.sh': 'source ./a.sh\ntwo\n' }),
    );
    const uses = await opened.references('two', 'a.sh');
    expect(uses.map(({ symbol, range }) => [symbol.file, range.start.line])).toEqual([['b.sh', 1]]);
  },
  questionTimeoutMs,
);

describe('diagnostics of bash-language-server', () => {
  beforeAll(() => install(bash), installTimeoutMs);

  test('reports no errors, which does not make a file look clean', async () => {
    await using opened = await Opened.open(makeWorkspace({ 'clean.sh': 'x=1\n', 'broken.sh': 'if [ 1; then\n' }));
    for (const file of ['clean.sh', 'broken.sh']) {
      const { answer, missing } = await opened.askPartly((symbols) => symbols.diagnosticsOfFile(file));
      expect(answer).toEqual([]);
      expect(missing).toEqual([
        expect.stringMatching(new RegExp(`^The diagnostics of \`${file}\` are unknown: .*ShellCheck`)),
      ]);
      const { editProblems } = await opened.ask(async (symbols) => symbols);
      editProblems.watch(file);
      await editProblems.around([unread(file)], async () => undefined);
      expect(editProblems.changes).toEqual([]);
    }
  }, 120_000);
});
