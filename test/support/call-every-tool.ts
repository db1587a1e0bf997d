import { join } from 'node:path';
import { tools } from '../../src/tools/tools.ts';
import { startClient } from './client.ts';
import { otherProject, sampleCalls } from './every-tool.ts';
import { makeHome } from './homes.ts';
import { sharedHome } from './temp.ts';
import { emptyIdeAnswers, TestIde } from './test-ide.ts';
import { copyFixture, makeWorkspace } from './workspace.ts';

/** What came of one call. */
export interface ToolOutcome {
  readonly tool: string;
  /** `refused` for a tool that cannot do its work on the fixture, and says so. */
  readonly verdict: 'ok' | 'refused' | 'wrong';
  readonly tookMs: number;
  readonly text: string;
}

/** Calls every tool once, in one session on the fixture `tools`, and tells `onOutcome` of each. */
export async function callEveryTool(onOutcome: (outcome: ToolOutcome) => void): Promise<void> {
  const everything = { base_modes: [], included_optional_tools: tools.map((tool) => tool.name) };
  const other = makeWorkspace({ 'there.py': 'def only_there():\n    pass\n' }, { as: otherProject });
  await using project = copyFixture('tools', { as: 'proj' });
  await using _ide = await TestIde.start({ root: project.root, answers: emptyIdeAnswers });
  await using client = await startClient({
    args: ['--project', project.root],
    cwd: project.root,
    env: {
      SERENA_HOME: makeHome({ ...everything, projects: [other.root] }),
      SERENA_STORE: join(sharedHome(), 'language_servers'),
    },
  });
  for (const { tool, args, expected, refusal } of sampleCalls) {
    const startedAt = performance.now();
    const { text, isError } = await client.call(tool, args);
    const isRight = isError === (refusal !== undefined) && text.includes(expected);
    const verdict = isRight ? (isError ? 'refused' : 'ok') : 'wrong';
    onOutcome({ tool, verdict, tookMs: performance.now() - startedAt, text });
  }
}
