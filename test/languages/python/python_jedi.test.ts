import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { utimesSync } from 'node:fs';
import { pythonJedi, pythonPylsp } from '../../../src/languages/python/servers.ts';
import type { Reference } from '../../../src/symbols/queries/references.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { askRename } from '../../servers/raw-questions.ts';
import { placesOf, renderTree } from '../../servers/render.ts';
import { rejection } from '../../support/rejection.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { pythonQuestions } from './questions.ts';

describeServer(pythonJedi, { fixture: 'python', questions: pythonQuestions });

/** Six columns more in UTF-16 code units than in code points. */
const icons = '"🧾🧾🧾🧾🧾🧾"';

const definitions = `import os
try:
    from b import (
        c,
        d as e,
    )
except ImportError:
    c = None


def plain(): pass
@one
@two(
    3,
)

# Why.
async def fetch(): pass


class Box:
    @property
    # Why.
    def size(self):
        return 1

    async def load(self):
        return 2

    def last(self):
        return '''
    @quoted
        '''

    def after(self): pass


for each in ():
    pass
`;

/** More than the 30 that it would search. */
const users = Array.from({ length: 35 }, (_, index) => `user${index}.py`);

const files: Readonly<Record<string, string>> = {
  'price.py': `icons = ${icons}; price = 1\n`,
  'label.py': `from price import price\n\nlabel = ${icons} + str(price)\n`,
  'rate.py': 'rate = 1\n',
  'windows.py': 'from rate import rate\r\n\r\nlabel = str(rate)\r\n',
  'feed.py': 'from rate import rate\n\f\nlabel = str(rate)\n',
  'broken.py': 'from rate import rate\n\nlabel = str(rate\n',
  'definitions.py': definitions,
  'many.py': 'much = 1\nx = 2\n',
  ...Object.fromEntries(users.map((file) => [file, 'from many import much, x\n'])),
};

describe.each([pythonJedi, pythonPylsp])('jedi in $name', (spec) => {
  let shared: Opened | undefined;
  beforeAll(async () => {
    if (whyNoServer(spec) !== undefined) return;
    await install(spec);
    shared = await Opened.open(makeWorkspace(files), spec);
  }, installTimeoutMs);
  afterAll(async () => await shared?.[Symbol.asyncDispose]());

  const ask = (title: string, check: (opened: Opened) => Promise<void>) =>
    testUnless(whyNoServer(spec))(
      title,
      async () => {
        if (shared === undefined) throw new Error('The project was not opened');
        await check(shared);
      },
      questionTimeoutMs,
    );

  // A request six columns too far would hit nothing.
  ask('is asked, and answers, about what stands behind characters outside the first plane', async (opened) => {
    const uses = await opened.references('price', 'price.py');
    const textAt = ({ text, range: { start, end } }: Reference) =>
      text.text.split('\n')[start.line]?.slice(start.character, end.character);
    expect(placesOf(uses)).toEqual(['label.py:0', 'label.py:2']);
    expect(uses.map(textAt)).toEqual(['price', 'price']);
  });

  ask('renames in files with line ends of Windows, form feeds or errors', async (opened) => {
    const uses = '  0:17-0:21 -> tax\n  2:12-2:16 -> tax';
    expect(await askRename(opened, spec, { file: 'rate.py', at: /(rate)/, to: 'tax' })).toBe(
      `broken.py\n${uses}\nfeed.py\n${uses}\nrate.py\n  0:0-0:4 -> tax\nwindows.py\n${uses}`,
    );
  });

  ask('renames nothing to what is no name', async (opened) => {
    for (const to of ['1st', 'a b', 'class']) {
      const message = await rejection(askRename(opened, spec, { file: 'rate.py', at: /(rate)/, to }));
      expect(message).toBe(`\`${to}\` is not a valid Python identifier`);
    }
  });

  // jedi does not search other files for short names: the search of the text finds them.
  ask('finds the uses in all files, those of short names as well', async (opened) => {
    const everywhere = users.map((file) => `${file}:0`).sort();
    expect(placesOf(await opened.references('much', 'many.py'))).toEqual(everywhere);
    expect(placesOf(await opened.references('x', 'many.py'))).toEqual(everywhere);
  });

  ask('tells what stands before a definition as a part of it, and no imports', async (opened) => {
    const tree = await opened.ask((symbols) => symbols.overview('definitions.py'));
    expect(renderTree(opened.workspace, tree).split('\n')).toEqual([
      'Variable c 7:4-7:12 name 7:4 | c = None',
      'Function plain 10:0-10:17 name 10:4 | def plain(): pass',
      'Function fetch 11:0-17:23 name 17:10 | @one',
      'Class Box 20:0-34:25 name 20:6 | class Box:',
      'Method Box/size 21:4-24:16 name 23:8 | @property',
      'Method Box/load 26:4-27:16 name 26:14 | async def load(self):',
      'Method Box/last 29:4-32:11 name 29:8 | def last(self):',
      'Method Box/after 34:4-34:25 name 34:8 | def after(self): pass',
      'Variable each 37:0-38:8 name 37:4 | for each in ():',
    ]);
  });

  // A cache of parsed files that outlives the process could be used for a file of the same path with an earlier time.
  testUnless(whyNoServer(spec))(
    'reads files that were replaced by older ones while it did not run',
    async () => {
      const workspace = makeWorkspace({ 'price.py': 'price = 1\n', 'user.py': 'from price import price\n' });
      const places = async () => {
        await using opened = await Opened.open(workspace, spec);
        return placesOf(await opened.references('price', 'price.py'));
      };
      expect(await places()).toEqual(['user.py:0']);
      workspace.write('user.py', '\n\nfrom price import price\n');
      utimesSync(workspace.path('user.py'), new Date('2001-02-03'), new Date('2001-02-03'));
      expect(await places()).toEqual(['user.py:2']);
    },
    questionTimeoutMs,
  );
});
