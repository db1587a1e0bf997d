// pyright reports no symbols in code that it takes for unreachable on this platform: they are read from the text.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { withUnreachable } from '../../../src/languages/python/pyright.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { preOrder } from '../../../src/symbols/model/symbol.ts';
import { buildTree } from '../../../src/symbols/model/tree.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { openShared } from '../../support/shared-session.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { symbol } from '../../symbols/symbol.ts';

const code = `import sys

assert sys.platform == "nowhere"

HANDLE = low = 1
LIMIT: int = 2
first, (second, *rest) = pair()

class Console(
    object,
):
    """class Quoted: def quoted(): """

    # def commented(): pass
    fields = [("name", str)]

    def __init__(self, stream):
        self.stream = stream

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
else:
    for attempt in range(3):
        with open(attempt) as opened:
            pass
`;

const conditional = `import sys
import typing as t
from typing import TYPE_CHECKING

if sys.platform == "nowhere":
    NOWHERE = 1
elif sys.version_info < (3, 0):
    OLD = 1
else:
    HERE = 1

if TYPE_CHECKING:
    Shape = int
else:
    def shape(): pass
    SIZE = 1

class Reachable:
    if not t.TYPE_CHECKING:
        color = 1

def reachable():
    if sys.platform == "nowhere":
        local = 1
    return 1
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
      ['HANDLE', 'HANDLE = low = 1', 'HANDLE'],
      ['low', 'HANDLE = low = 1', 'HANDLE = low'],
      ['LIMIT', 'LIMIT: int = 2', 'LIMIT'],
      ['first', 'first, (second, *rest) = pair()', 'first'],
      ['second', 'first, (second, *rest) = pair()', 'first, (second'],
      ['rest', 'first, (second, *rest) = pair()', 'first, (second, *rest'],
      ['Console', 'class Console(', 'async def read(self): return 1'],
      ['Console/fields', 'fields = [("name", str)]', 'fields'],
      ['Console/__init__', 'def __init__(self, stream):', 'self.stream = stream'],
      ['Console/__init__/stream', 'def __init__(self, stream):', 'def __init__(self, stream'],
      ['Console/stream', 'self.stream = stream', 'self.stream'],
      ['Console/name', '@property', '"""'],
      ['Console/name/inner', 'def inner():', 'pass'],
      ['Console/read', 'async def read(self): return 1', 'async def read(self): return 1'],
      ['open_console', 'def open_console(', 'return mode'],
      ['open_console/mode', 'mode="r",', 'mode="r"'],
      ['attempt', 'for attempt in range(3):', 'for attempt'],
      ['opened', 'with open(attempt) as opened:', 'with open(attempt) as opened'],
    ]);
  },
  questionTimeoutMs + installTimeoutMs,
);

test(
  'an overview contains every branch of a condition on the platform, the version and the type checker',
  async () => {
    await install(python);
    await using workspace = makeWorkspace({ 'conditional.py': conditional });
    await using opened = await Opened.open(workspace, python);
    const roots = await opened.ask((symbols) => symbols.overview('conditional.py'));
    expect(preOrder(roots).map(namePathOf)).toEqual([
      ...['NOWHERE', 'OLD', 'HERE', 'Shape', 'shape', 'SIZE', 'Reachable', 'Reachable/color', 'reachable'],
    ]);
  },
  questionTimeoutMs + installTimeoutMs,
);

test('what the server reports stays, and missing methods join their class', async () => {
  const reported = [symbol('Console', 5, [symbol('name', 6, [], [19, 24])], [8, 26]), symbol('low', 13)];
  const paths = preOrder(buildTree('console.py', await withUnreachable(reported, code, []))).map(namePathOf);
  expect(paths.filter((path) => !/[a-z]+\/\w+\//.test(path))).toEqual([
    ...['low', 'HANDLE', 'LIMIT', 'first', 'second', 'rest'],
    ...['Console', 'Console/fields', 'Console/__init__', 'Console/stream', 'Console/name', 'Console/read'],
    ...['open_console', 'open_console/mode', 'attempt', 'opened'],
  ]);
  expect(paths.filter((path) => path.startsWith('Console/name'))).toEqual(['Console/name']);
  expect(await withUnreachable([symbol('only', 12)], 'def only(): pass\n', [])).toEqual([symbol('only', 12)]);
});

const unchecked = `import sys

def checked() -> int:
    return 1
    print("dead")

if sys.platform == "nowhere":
    wrong: int = "a"
else:
    right = 1

assert sys.platform == "nowhere"

bad: int = "b"

def late() -> int:
    return "c"
`;

test(
  'diagnostics name the lines that pyright does not check on this platform',
  async () => {
    await install(python);
    const dead = 'def f() -> int:\n    return 1\n    print("dead")\n';
    const { client } = await openShared({ 'unchecked.py': unchecked, 'dead.py': dead });
    const ask = (file: string) => client.call('get_diagnostics_for_file', { relative_path: file });
    const { blocks } = await ask('unchecked.py');
    expect(blocks).toEqual([
      '{}',
      'Incomplete:\n- The diagnostics of `unchecked.py` in 0-based lines 7 to 7, 13 to 16 are unknown: pyright does not check code behind a condition that is false for this platform or version. Check it on a platform or version where the condition is true.',
    ]);
    expect((await ask('dead.py')).blocks).toEqual(['{}']);
  },
  questionTimeoutMs + installTimeoutMs,
);

// `Console` also is a parameter and a variable, whose names stay; `stream` also is an attribute, of another meaning.
const console = {
  'win.py': `import sys

assert sys.platform == "nowhere"


class Console:
    stream = 1


def stream(Console=None):
    return Console


def opened():
    return [Console, stream(1), Console.stream]


def local():
    Console = 1
    return Console


Consoles = {1: Console}
`,
  'use.py': `import sys

if sys.platform == "nowhere":
    from win import Console
else:
    from other import Console

value = Console()
`,
  'other.py': 'class Console:\n    pass\n',
};

test(
  'what pyright takes for unreachable is renamed where the code shows what every occurrence means',
  async () => {
    await install(python);
    const { workspace, client } = await openShared(console);
    const rename = (name: string, newName: string, file: string) =>
      client.call('rename_symbol', { name_path: name, relative_path: file, new_name: newName });
    const changes = () =>
      Object.entries(console).flatMap(([file, before]) => {
        const after = readFileSync(workspace.path(file), 'utf8').split('\n');
        return before
          .split('\n')
          .flatMap((line, index) => (line === after[index] ? [] : `${file}: ${after[index]?.trim()}`));
      });
    const { blocks } = await rename('Console', 'Terminal', 'win.py');
    expect(blocks).toEqual([
      'Renamed `Console` to `Terminal`: 3 files changed, 8 places; complete\nAlso changed (0-based lines):\n  must have the same name:\n    other.py:0: Console\nFiles:\n  other.py: 1\n  use.py: 3\n  win.py: 4',
    ]);
    expect(changes()).toEqual([
      'win.py: class Terminal:',
      'win.py: return [Terminal, stream(1), Terminal.stream]',
      'win.py: Consoles = {1: Terminal}',
      'use.py: from win import Terminal',
      'use.py: from other import Terminal',
      'use.py: value = Terminal()',
      'other.py: class Terminal:',
    ]);
    expect((await rename('Terminal', 'Console', 'win.py')).isError).toBe(false);
    expect(changes()).toEqual([]);
    const refused = await rename('stream', 'flow', 'win.py');
    expect(refused.blocks[0]).toContain('finds nothing to rename');
    expect(changes()).toEqual([]);
  },
  questionTimeoutMs + installTimeoutMs,
);
