import { beforeAll, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { elm } from '../../../src/languages/elm/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const files = {
  'elm.json': JSON.stringify({
    type: 'application',
    'source-directories': ['src'],
    'elm-version': '0.19.1',
    dependencies: { direct: {}, indirect: {} },
    'test-dependencies': { direct: {}, indirect: {} },
  }),
  'src/Amounts.elm': 'module Amounts exposing (double)\n\n\ndouble value =\n    value\n',
  'src/Main.elm': 'module Main exposing (main)\n\nimport Amounts\n\n\nmain =\n    Amounts.double 2\n',
};

/** A fake compiler that knows its version and no packages: the server uses it for diagnostics only. */
function compilerOnly(): Record<string, string> {
  const bin = makeTempDir('bin');
  writeFileSync(join(bin, 'elm'), '#!/bin/sh\n[ "$1" = --version ] && echo 0.19.1\n');
  chmodSync(join(bin, 'elm'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

beforeAll(() => install(elm, compilerOnly()), installTimeoutMs);

test(
  'starts on the embedded runtime, and finds symbols and their references in other files',
  async () => {
    await using project = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', project.root], env: compilerOnly() });
    const overview = await client.ask('get_symbols_overview', { relative_path: 'src/Amounts.elm' });
    expect(JSON.parse(overview)).toMatchObject({ Function: ['double'] });
    const uses = await client.ask('find_referencing_symbols', {
      name_path: 'double',
      relative_path: 'src/Amounts.elm',
    });
    expect(JSON.parse(uses)).toHaveProperty(['src/Main.elm']);
  },
  questionTimeoutMs,
);
