// A server that is ready does not read closed files that its configuration excludes: their symbols must not be missing.
import { expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { makeWorkspace } from '../../support/workspace.ts';

test(
  'pyright lists the symbols of a file outside its `include` also when it is ready',
  async () => {
    await install(python);
    await using workspace = makeWorkspace({
      'pyproject.toml': '[tool.pyright]\ninclude = ["src"]\n',
      'src/shop.py': 'def total():\n    return 1\n',
      'tests/test_shop.py': 'def test_total():\n    assert True\n',
    });
    await using opened = await Opened.open(workspace, python);
    // Waits until the server is ready.
    await opened.references('total', 'src/shop.py');
    const roots = await opened.ask((symbols) => symbols.overview('tests/test_shop.py'));
    expect(roots.map(namePathOf)).toEqual(['test_total']);
  },
  questionTimeoutMs + installTimeoutMs,
);
