// pyright leads uses to a stub of the project rather than to the code behind it: the answer must not pass them by.
import { expect, test } from 'bun:test';
import { python } from '../../src/servers/catalog/specs/python.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from './opened.ts';

test(
  'uses that lead to a stub of the project are reported as unresolved',
  async () => {
    await install(python);
    await using workspace = makeWorkspace({
      'shop/__init__.py': 'from ._impl import total\n',
      // Each package gets it from the other: pyright finds no code behind the stub.
      'shop/__init__.pyi': 'from market import total as total\n',
      'market/__init__.py': 'from shop import total\n',
      'market/__init__.pyi': 'def total() -> int: ...\n',
      'shop/_impl.py': 'def total():\n    return 1\n',
      'app.py': 'from shop import total\n\nprint(total())\n',
    });
    await using opened = await Opened.open(workspace, python);
    const asked = await opened.askPartly((symbols) => referencesTo(symbols, 'total', 'shop/_impl.py'));
    expect(asked.answer.map(({ symbol, range }) => `${symbol.file}:${range.start.line}`)).toEqual([
      'shop/__init__.py:0',
    ]);
    expect(asked.missing.join('\n')).toContain('`app.py:0`, `app.py:2`');
  },
  questionTimeoutMs + installTimeoutMs,
);
