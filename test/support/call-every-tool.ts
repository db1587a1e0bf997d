import { tools } from '../../src/tools/tools.ts';
import { startClient } from './client.ts';
import { otherProject, sampleCalls } from './every-tool.ts';
import { ownHome } from './homes.ts';
import { emptyIdeAnswers, TestIde } from './test-ide.ts';
import { copyFixture, makeWorkspace, type Workspace } from './workspace.ts';

/** Outcome of one call. */
export interface ToolOutcome {
  readonly tool: string;
  /** `refused` if the tool correctly reports that it cannot work on the fixture. */
  readonly verdict: 'ok' | 'refused' | 'wrong';
  readonly tookMs: number;
  readonly text: string;
}

/** Project and server settings that replace a fresh copy of the fixture `tools`. */
export interface ToolPlace {
  readonly project: Workspace;
  /** Working directory of the server. */
  readonly cwd: string;
  /** Arguments by which the server finds the project. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Calls every tool once, in one session on a copy of the fixture `tools`, and passes each outcome to `onOutcome`. */
export async function callEveryTool(onOutcome: (outcome: ToolOutcome) => void, given?: ToolPlace): Promise<void> {
  const everything = { base_modes: [], included_optional_tools: tools.map((tool) => tool.name) };
  const other = makeWorkspace({ 'there.py': 'def only_there():\n    pass\n' }, { as: otherProject });
  await using copy = given === undefined ? copyFixture('tools', { as: 'proj' }) : undefined;
  const { root } = copy ?? given?.project ?? other;
  await using _ide = await TestIde.start({ root, answers: emptyIdeAnswers });
  await using client = await startClient({
    args: given?.args ?? ['--project', root],
    cwd: given?.cwd ?? root,
    env: {
      ...ownHome({ ...everything, projects: [other.root] }),
      ...given?.env,
    },
  });
  for (const { tool, args, expected, refusal } of sampleCalls) {
    const startedAt = performance.now();
    // Independent of the directory in which the server was started.
    const own = tool === 'activate_project' ? { project: root } : args;
    const { text, isError } = await client.call(tool, own);
    const isRight = isError === (refusal !== undefined) && text.includes(expected);
    const verdict = isRight ? (isError ? 'refused' : 'ok') : 'wrong';
    onOutcome({ tool, verdict, tookMs: performance.now() - startedAt, text });
  }
}
