// usage: bun bench/speed/answer-tokens.ts [--write]
// Prints the tokens of the answers to twelve typical questions: in the legacy format, in the short format, and as the output
// of the shell commands that answer them. --write writes the table into its section of docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { run } from '../../scripts/support/run.ts';
import type { TestClient } from '../../test/support/client.ts';
import { type AnswerQuestion, answerQuestions } from './answer-questions.ts';
import { benchBinary, benchHome, startOurs } from './ours.ts';
import { ensureProject, type RealProject, realProjects } from './projects.ts';
import { writeSection } from './write-section.ts';

interface Cost {
  readonly question: AnswerQuestion;
  readonly project: string;
  readonly legacy: number;
  readonly short: number;
  /** `undefined` where a search of the text does not answer the question. */
  readonly grep: number | undefined;
}

const heading = '## Tokens of answers';
const maxOutputBytes = 2 ** 27;

/** Requests and answers count: each text block that the client receives. */
async function tokensOf(client: TestClient, calls: AnswerQuestion['legacy'], format: string): Promise<number> {
  let tokens = 0;
  for (const { tool, args } of calls) {
    const { blocks, isError } = await client.call(tool, { ...args, format });
    const text = blocks.join('\n');
    if (isError) throw new Error(`\`${tool}\` failed: ${text}`);
    tokens += countTokens(JSON.stringify(args)) + countTokens(text);
  }
  return tokens;
}

function tokensOfCommand(command: string, cwd: string): number {
  const { stdout, status } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', maxBuffer: maxOutputBytes });
  if (status !== 0 || stdout === '') throw new Error(`\`${command}\` found nothing`);
  return countTokens(command) + countTokens(stdout);
}

async function costsIn(project: RealProject): Promise<Cost[]> {
  const directory = await ensureProject(project);
  const installed = await run(benchBinary, ['servers', 'install', project.serverId], {
    env: { SERENA_HOME: benchHome },
  });
  if (installed.exitCode !== 0) throw new Error(installed.stderr.trim());
  await using client = await startOurs(directory);
  const costs: Cost[] = [];
  for (const question of answerQuestions.filter((one) => one.project === project.serverId)) {
    process.stderr.write(`${question.what}\n`);
    const legacy = await tokensOf(client, question.legacy, 'legacy');
    const short = await tokensOf(client, [question.short], 'short');
    const grep = question.grep === undefined ? undefined : tokensOfCommand(question.grep, directory);
    costs.push({ question, project: project.name, legacy, short, grep });
  }
  return costs;
}

function rowOf(what: string, { legacy, short, grep }: Pick<Cost, 'legacy' | 'short' | 'grep'>): string {
  const toLegacy = `${(short / legacy).toFixed(2)}×`;
  const toGrep = grep === undefined ? '' : `${(short / grep).toFixed(2)}×`;
  return `| ${what} | ${legacy} | ${short} | ${grep ?? 'no answer'} | ${toLegacy} | ${toGrep} |`;
}

function tableOf(costs: readonly Cost[]): string {
  const sum = (some: readonly Cost[], of: (cost: Cost) => number) => some.reduce((all, cost) => all + of(cost), 0);
  const comparable = costs.filter(({ grep }) => grep !== undefined);
  const all = { legacy: sum(costs, ({ legacy }) => legacy), short: sum(costs, ({ short }) => short), grep: undefined };
  const compared = {
    legacy: sum(comparable, ({ legacy }) => legacy),
    short: sum(comparable, ({ short }) => short),
    grep: sum(comparable, ({ grep }) => grep ?? 0),
  };
  return [
    '| question | legacy format | short format | grep and read | short / legacy | short / grep |',
    '| --- | --- | --- | --- | --- | --- |',
    ...costs.map((cost) => rowOf(`${cost.question.what} (${cost.project})`, cost)),
    rowOf('all questions', all).replace('no answer', ''),
    rowOf('those that grep answers', compared),
  ].join('\n');
}

function sectionOf(table: string): string {
  return `Written by \`bun bench/speed/answer-tokens.ts --write\`. Tokens (o200k) of requests and answers; \`bench/speed/answer-questions.ts\`
has the calls and the commands, which read only the lines that the question is about. The output of grep also contains
comments, strings and other symbols of the same name, and no containing symbols. The answer about \`ValidationError\` exceeds the
limit of characters in the legacy format and is its summary there: symbols and lines without text.

${table}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const costs: Cost[] = [];
  for (const project of realProjects) costs.push(...(await costsIn(project)));
  const table = tableOf(costs);
  console.log(table);
  if (values.write) writeSection(heading, sectionOf(table));
}

if (import.meta.main) await main();
