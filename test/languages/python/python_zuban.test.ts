import { expect } from 'bun:test';
import { pythonZuban } from '../../../src/languages/python/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { pythonQuestions } from './questions.ts';

const whyNot = whyNoServer(pythonZuban);

describeServer(pythonZuban, { fixture: 'python', questions: pythonQuestions });

const classes = `class Stamp:
    def price(self) -> int:
        return 1


class Card:
    def price(self) -> int:
        return 2
`;

const user = `from classes import Card, Stamp


def total(stamp: Stamp, cards: list[Card]) -> int:
    first = stamp.price()
    return first + sum(card.price() for card in cards)
`;

testUnless(whyNot)(
  'Zuban distinguishes methods of the same name',
  async () => {
    await install(pythonZuban);
    await using opened = await Opened.open(makeWorkspace({ 'classes.py': classes, 'user.py': user }), pythonZuban);
    expect(placesOf(await opened.references('Stamp/price', 'classes.py'))).toEqual(['user.py:4']);
    expect(placesOf(await opened.references('Card/price', 'classes.py'))).toEqual(['user.py:5']);
  },
  installTimeoutMs + questionTimeoutMs,
);
