// usage: bun bench/speed/script-tokens.ts [--write]
// Prints the tokens of six tasks, done with calls of tools and with one script each. --write writes the table into its
// section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startClient, type TestClient } from '../../test/support/client.ts';
import { makeHome } from '../../test/support/homes.ts';
import type { ToolCall } from './answer-questions.ts';
import { benchBinary } from './ours.ts';
import { ensureProject, realProjects } from './projects.ts';
import { type ScriptTask, scriptTasks } from './script-tasks.ts';
import { writeSection } from './write-section.ts';

interface Cost {
  readonly calls: number;
  readonly tokens: number;
}

interface TaskCost {
  readonly what: string;
  readonly withCalls: Cost;
  readonly withScript: Cost;
}

const heading = '## Tokens of scripts';

/**
 * Requests and answers count, in the format for models.
 *
 * @throws {Error} if a call fails, or the expected text is in no answer.
 */
async function costOf(
  client: TestClient,
  calls: readonly ToolCall[],
  { expected, isEdit }: Pick<ScriptTask, 'expected' | 'isEdit'>,
): Promise<Cost> {
  let tokens = 0;
  let isAnswered = false;
  for (const { tool, args } of calls) {
    const { blocks, isError } = await client.call(tool, { ...args, format: 'short' });
    const text = blocks.join('\n');
    if (isError) throw new Error(`\`${tool}\` failed: ${text}`);
    isAnswered ||= text.includes(expected);
    tokens += countTokens(JSON.stringify(args)) + countTokens(text);
  }
  if (!isAnswered) throw new Error(`no answer contains \`${expected}\``);
  if (isEdit) await client.ask('edit_history', { action: 'undo' });
  return { calls: calls.length, tokens };
}

function scriptCall(code: string): ToolCall {
  return { tool: 'run_code', args: { code } };
}

function rowOf({ what, withCalls, withScript }: TaskCost): string {
  const ratio = `${(withScript.tokens / withCalls.tokens).toFixed(2)}×`;
  return `| ${what} | ${withCalls.calls} | ${withCalls.tokens} | ${withScript.calls} | ${withScript.tokens} | ${ratio} |`;
}

function tableOf(costs: readonly TaskCost[], help: Cost): string {
  const sum = (some: readonly Cost[]) => ({
    calls: some.reduce((all, { calls }) => all + calls, 0),
    tokens: some.reduce((all, { tokens }) => all + tokens, 0),
  });
  const withCalls = sum(costs.map((cost) => cost.withCalls));
  const withScript = sum(costs.map((cost) => cost.withScript));
  return [
    '| task | calls of tools | tokens | scripts | tokens | script / tools |',
    '| --- | --- | --- | --- | --- | --- |',
    ...costs.map(rowOf),
    rowOf({ what: 'all tasks', withCalls, withScript }),
    rowOf({ what: 'all tasks, with `serena.help()` once', withCalls, withScript: sum([withScript, help]) }),
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const django = realProjects.find(({ serverId }) => serverId === 'python');
  if (django === undefined) throw new Error('there is no Python project');
  const args = ['--project', await ensureProject(django), '--context', 'code-mode', '--log-level', 'ERROR'];
  const env = { SERENA_HOME: makeHome({ symbol_source: 'syntax' }), SERENA_SERVICE: 'off' };
  await using client = await startClient({ binary: benchBinary, args, symbolSource: 'configured', env });
  const costs: TaskCost[] = [];
  for (const task of scriptTasks) {
    process.stderr.write(`${task.what}\n`);
    const withCalls = await costOf(client, task.calls, task);
    costs.push({ what: task.what, withCalls, withScript: await costOf(client, [scriptCall(task.script)], task) });
  }
  const help = await costOf(client, [scriptCall('return serena.help()')], { expected: 'find_symbol' });
  const table = tableOf(costs, help);
  console.log(table);
  if (!values.write) return;
  const text = `Written by \`bun bench/speed/script-tokens.ts --write\`. Tokens (o200k) of requests and answers on ${django.name}, answered from
syntax trees; \`bench/speed/script-tasks.ts\` has the tasks. The calls of tools are the fewest that do the task, with lists as
arguments. A model that does not know the methods calls \`serena.help()\` once in a session: ${help.tokens} tokens, in a call of its own.`;
  writeSection(heading, `${text}\n\n${table}`);
}

if (import.meta.main) await main();
