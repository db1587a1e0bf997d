import { expect } from 'bun:test';
import { pythonPylsp } from '../../../src/languages/python/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placesOf, renderTree } from '../../servers/render.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { pythonQuestions } from './questions.ts';

const whyNot = whyNoServer(pythonPylsp);

// pyflakes does not check types, so that the broken file of the fixture has no errors; see the last test.
describeServer(pythonPylsp, { fixture: 'python', questions: pythonQuestions });

const classes = `class Stamp:
    def price(self) -> int:
        return 1


class Card:
    def price(self) -> int:
        return 2


def total(stamp: Stamp, cards: list[Card]) -> int:
    label = "🧾"; first = stamp.price()
    return first + sum(card.price() for card in cards)


with open(total.__doc__, total) as total, open(label) as other:
    async def late(): pass

for each, price in ():
    inner = each
`;

testUnless(whyNot)(
  'python-lsp-server distinguishes methods of the same name, and names what a statement defines',
  async () => {
    await install(pythonPylsp);
    await using opened = await Opened.open(makeWorkspace({ 'classes.py': classes }), pythonPylsp);
    expect(placesOf(await opened.references('Stamp/price', 'classes.py'))).toEqual(['classes.py:11']);
    expect(placesOf(await opened.references('Card/price', 'classes.py'))).toEqual(['classes.py:12']);
    const tree = await opened.ask((symbols) => symbols.overview('classes.py'));
    expect(renderTree(opened.workspace, tree).split('\n')).toEqual([
      'Class Stamp 0:0-2:16 name 0:6 | class Stamp:',
      'Method Stamp/price 1:4-2:16 name 1:8 | def price(self) -> int:',
      'Class Card 5:0-7:16 name 5:6 | class Card:',
      'Method Card/price 6:4-7:16 name 6:8 | def price(self) -> int:',
      'Function total[0] 10:0-12:54 name 10:4 | def total(stamp: Stamp, cards: list[Card]) -> int:',
      'Variable total[0]/label 11:4-11:16 name 11:4 | label = "🧾"; first = stamp.price()',
      'Variable total[0]/first 11:18-11:39 name 11:18 | first = stamp.price()',
      'Variable total[0]/card 12:36-12:53 name 12:40 | for card in cards)',
      'Variable total[1] 15:0-16:26 name 15:35 | with open(total.__doc__, total) as total, open(label) as other:',
      'Variable other 15:0-16:26 name 15:57 | with open(total.__doc__, total) as total, open(label) as other:',
      'Function late 16:4-16:26 name 16:14 | async def late(): pass',
      'Variable each 18:0-19:16 name 18:4 | for each, price in ():',
      'Variable price 18:0-19:16 name 18:10 | for each, price in ():',
      'Variable inner 19:4-19:16 name 19:4 | inner = each',
    ]);
  },
  installTimeoutMs + questionTimeoutMs,
);

testUnless(whyNot)(
  'python-lsp-server reports errors of syntax and undefined names of the present text',
  async () => {
    await install(pythonPylsp);
    const project = makeWorkspace({ 'label.py': 'label = "🧾" + price\n' });
    await using opened = await Opened.open(project, pythonPylsp);
    const reported = () =>
      opened.ask(async (symbols) =>
        (await symbols.diagnosticsOfFile('label.py')).map(({ diagnostic: { message, range } }) => [
          message,
          range.start.line,
          range.start.character,
        ]),
      );
    // pyflakes counts bytes: the range is the line.
    const undefinedName = [["undefined name 'price'", 0, 0]];
    expect(await reported()).toEqual(undefinedName);
    expect(await reported()).toEqual(undefinedName);
    project.write('label.py', 'price = 1\nlabel = price\n');
    expect(await reported()).toEqual([]);
    project.write('label.py', 'price = 1\nlabel = prise\n');
    expect(await reported()).toEqual([["undefined name 'prise'", 1, 8]]);
    project.write('label.py', 'label = (\n');
    expect((await reported()).map(([message, line]) => [message, line])).toEqual([["'(' was never closed", 0]]);
    project.write('label.py', 'label = "🧾" + price\n');
    expect(await reported()).toEqual(undefinedName);
  },
  installTimeoutMs + questionTimeoutMs,
);
