// usage: bun bench/tasks.ts [language…] [--task <beginning>]… [--agent <name>]… [--stored] [--write]
// Gives whole tasks in real packages to agents, and judges the trees that they leave by compilers and by the exact set of
// places. Prints a table of verdicts, calls and characters. Results are stored: only changed agents work again; with
// --stored, none works. Agents that ask a model work only if they are named. --write makes the page in `docs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/support/paths.ts';
import { benchBinary } from './speed/ours.ts';
import { agentLsp } from './symbols/contenders/agent-lsp.ts';
import { codegraph } from './symbols/contenders/codegraph.ts';
import { serenaAgent } from './symbols/contenders/serena-agent.ts';
import { agentLspEdits } from './symbols/edits/agent-lsp-edits.ts';
import { serenaEdits } from './symbols/edits/serena-edits.ts';
import { commandLineAgent } from './tasks/agents/command-line.ts';
import { modelAgents } from './tasks/agents/models.ts';
import { textAgent } from './tasks/agents/text.ts';
import { toolsAgent } from './tasks/agents/tools.ts';
import type { Agent, TaskResult } from './tasks/model.ts';
import { renderTasks } from './tasks/page.ts';
import { runTask } from './tasks/run.ts';
import { tasks } from './tasks/tasks.ts';

const agents: readonly Agent[] = [
  commandLineAgent(),
  textAgent,
  toolsAgent({ asks: serenaAgent('1.7.0'), edits: serenaEdits('1.7.0') }),
  toolsAgent({ asks: serenaAgent('2.1.0'), edits: serenaEdits('2.1.0') }),
  toolsAgent({ asks: agentLsp, edits: agentLspEdits }),
  toolsAgent({ asks: codegraph }),
  ...modelAgents,
];

function row({ task, agent, verdict, isFalseDone, places, calls, charsIn, charsOut, ms, detail }: TaskResult): string {
  const said = isFalseDone ? 'false done' : '';
  return [task, agent, verdict, said, places, calls, charsIn, charsOut, `${(ms / 1000).toFixed(1)} s`, detail].join(
    ' | ',
  );
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      task: { type: 'string', multiple: true, default: [] },
      agent: { type: 'string', multiple: true, default: [] },
      stored: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const isChosen = (name: string, chosen: readonly string[]) =>
    chosen.length === 0 || chosen.some((beginning) => name.startsWith(beginning));
  if (process.env.BENCH_BINARY === undefined) await build({ outfile: benchBinary });
  const chosen = agents.filter(({ name, isPaid }) =>
    isPaid === true ? values.agent.includes(name) : isChosen(name, values.agent),
  );
  const results: TaskResult[] = [];
  for (const task of tasks.filter((one) => isChosen(one.language, positionals) && isChosen(one.name, values.task))) {
    const own = await runTask(task, chosen, { onlyStored: values.stored });
    for (const result of own) console.log(row(result));
    results.push(...own);
  }
  if (values.write) writeFileSync(join(root, 'docs/tasks.md'), renderTasks({ tasks, agents, results }));
}

if (import.meta.main) await main();
