// pyright reports no symbols in code that it takes for unreachable on this platform: they are read from the text.
import { expect, test } from 'bun:test';
import { withUnreachable } from '../../src/servers/catalog/quirks/unreachable-definitions.ts';
import { python } from '../../src/servers/catalog/specs/python.ts';
import { namePathOf } from '../../src/symbols/model/name-path.ts';
import { preOrder } from '../../src/symbols/model/symbol.ts';
import { buildTree } from '../../src/symbols/model/tree.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { symbol } from '../symbols/symbol.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs, Opened } from './opened.ts';

const code = `import sys

assert sys.platform == "nowhere"

class Console(
    object,
):
    """class Quoted: def quoted(): """

    # def commented(): pass
    @property
    def name(self):
        def inner():
            pass
        return """
def quoted():
"""

    async def read(self): return 1

if True:
    def open_console(
        mode="r",
    ):
        return mode
`;

test(
  'an overview contains what pyright takes for unreachable, with whole bodies',
  async () => {
    await install(python);
    await using workspace = makeWorkspace({ 'console.py': code });
    await using opened = await Opened.open(workspace, python);
    const roots = await opened.ask((symbols) => symbols.overview('console.py'));
    const lines = code.split('\n');
    const bodies = preOrder(roots).map((node) => [
      namePathOf(node),
      lines[node.range.start.line]?.trim(),
      lines[node.range.end.line]?.slice(0, node.range.end.character).trim(),
    ]);
    expect(bodies).toEqual([
      ['Console', 'class Console(', 'async def read(self): return 1'],
      ['Console/name', '@property', '"""'],
      ['Console/read', 'async def read(self): return 1', 'async def read(self): return 1'],
      ['open_console', 'def open_console(', 'return mode'],
    ]);
  },
  questionTimeoutMs + installTimeoutMs,
);

test('what the server reports stays, and missing methods join their class', () => {
  const reported = [symbol('Console', 5, [symbol('name', 6, [], [10, 16])], [4, 18])];
  const paths = preOrder(buildTree('console.py', withUnreachable(reported, code))).map(namePathOf);
  expect(paths).toEqual(['Console', 'Console/name', 'Console/read', 'open_console']);
  expect(withUnreachable([symbol('only', 12)], 'def only(): pass\n')).toEqual([symbol('only', 12)]);
});
