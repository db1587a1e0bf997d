// pyright leads uses to a stub of the project rather than to the code behind it, and resolves nothing in code that it
// takes for unreachable: the answer follows the code.
import { expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from '../../servers/opened.ts';
import { makeWorkspace } from '../../support/workspace.ts';

type Files = Readonly<Record<string, string>>;

const timeoutMs = questionTimeoutMs + installTimeoutMs;

async function referencesIn(files: Files, name: string, file: string): Promise<{ lines: string[]; missing: string }> {
  await install(python);
  await using workspace = makeWorkspace(files);
  await using opened = await Opened.open(workspace, python);
  const { answer, missing } = await opened.askPartly((symbols) => referencesTo(symbols, name, file));
  const lines = answer.map(({ symbol, range }) => `${symbol.file}:${range.start.line}`);
  return { lines: [...new Set(lines)], missing: missing.join('\n') };
}

/** Each package gets it from the other: pyright finds no code behind the stub. */
const crossed: Files = {
  'shop/__init__.py': 'from ._impl import total\n',
  'shop/__init__.pyi': 'from market import total as total\n',
  'market/__init__.py': 'from shop import total\n',
  'market/__init__.pyi': 'def total() -> int: ...\n',
  'shop/_impl.py': 'def total():\n    return 1\n',
  'app.py': 'from shop import total\n\nprint(total())\n',
};

test(
  'uses that lead to a stub without code behind it are followed in the code',
  async () => {
    const { lines, missing } = await referencesIn(crossed, 'total', 'shop/_impl.py');
    expect(missing).toBe('');
    expect(lines).toEqual([
      'app.py:0',
      'app.py:2',
      'market/__init__.py:0',
      'shop/__init__.py:0',
      'shop/__init__.pyi:0',
    ]);
  },
  timeoutMs,
);

test(
  'uses that lead to a stub are reported as unresolved if the code does not show where its names come from',
  async () => {
    const files = { ...crossed, 'shop/__init__.py': 'from . import _impl\n\nglobals().update(vars(_impl))\n' };
    const { lines, missing } = await referencesIn(files, 'total', 'shop/_impl.py');
    expect(lines).toEqual([]);
    expect(missing).toContain(
      'its definition does not show what it is:\n  app.py:0: from shop import total\n  app.py:2: print(total())\n',
    );
  },
  timeoutMs,
);

test(
  'uses of a function are those of the code where a stub names another function',
  async () => {
    const files = {
      'shop/__init__.py': 'from ._old import total\n',
      'shop/__init__.pyi': 'def total() -> int: ...\n',
      'shop/_old.py': 'def total():\n    return 1\n',
      'shop/_new.py': 'def total():\n    return 2\n',
      'market/__init__.py': 'from shop._new import total\n',
      'market/__init__.pyi': 'from shop import total as total\n',
      'app.py': 'import market\nimport shop as own\n\nprint(own.total())\nprint(market.total())\n',
    };
    expect(await referencesIn(files, 'total', 'shop/_new.py')).toEqual({
      lines: ['app.py:4', 'market/__init__.py:0'],
      missing: '',
    });
    const { lines } = await referencesIn(files, 'total', 'shop/_old.py');
    expect(lines).toContain('app.py:3');
    expect(lines).not.toContain('app.py:4');
  },
  timeoutMs,
);

test(
  'an import in unreachable code counts, and a parameter there does not',
  async () => {
    const files = {
      'shout.py': 'def echo():\n    return 1\n',
      'ask.py': `import sys

from shout import echo

if sys.platform == "nowhere":
    def ask(echo):
        if echo:
            return 1

    def answer():
        return echo()
`,
      'both.py': `import sys

if sys.platform == "nowhere":
    from shout import echo
else:
    def echo():
        return 2
`,
    };
    expect(await referencesIn(files, 'echo', 'shout.py')).toEqual({
      lines: ['ask.py:2', 'ask.py:10', 'both.py:3'],
      missing: '',
    });
  },
  timeoutMs,
);
