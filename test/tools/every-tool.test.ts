import { expect } from 'bun:test';
import { tools } from '../../src/tools/tools.ts';
import { callEveryTool, type ToolOutcome } from '../support/call-every-tool.ts';
import { testUnless } from '../support/skip.ts';
import { whyNoIde } from '../support/test-ide.ts';

testUnless(await whyNoIde(1))(
  'every tool answers a call as it should, one after the other in one session',
  async () => {
    const outcomes: ToolOutcome[] = [];
    await callEveryTool((outcome) => outcomes.push(outcome));
    expect(outcomes.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect(new Set(outcomes.map(({ tool }) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
  },
  180_000,
);
