// usage: bun scripts/demo.ts
// Builds the program, then calls its tools on a small Python, TypeScript and Go project as a coding agent would: over MCP,
// on stdin and stdout. Prints every call, its answer and its time, and fails if an answer is wrong.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startClient, type TestClient } from '../test/support/client.ts';
import { copyFixture } from '../test/support/workspace.ts';
import { build } from './build.ts';
import { renderMs, run } from './support/run.ts';

interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Strings that the right answer contains. */
  readonly expected: readonly string[];
}

interface Demo {
  readonly language: string;
  readonly fixture: string;
  readonly questions: readonly Question[];
}

const maxAnswerLines = 40;

function overview(file: string, ...expected: string[]): Question {
  return { tool: 'get_symbols_overview', args: { relative_path: file, depth: 1 }, expected };
}

function body(namePath: string, ...expected: string[]): Question {
  return { tool: 'find_symbol', args: { name_path_pattern: namePath, include_body: true }, expected };
}

function references(namePath: string, file: string, ...expected: string[]): Question {
  return { tool: 'find_referencing_symbols', args: { name_path: namePath, relative_path: file }, expected };
}

const demos: readonly Demo[] = [
  {
    language: 'Python',
    fixture: 'python',
    questions: [
      overview('shop/helper.py', 'CURRENCY', 'format_amount', 'Basket', 'total'),
      body('Basket/total', 'return sum(self.items)'),
      references(
        'format_amount',
        'shop/helper.py',
        'shop/checkout.py',
        'checkout',
        'shop/receipt.py',
        'Receipt/render',
      ),
    ],
  },
  {
    language: 'TypeScript',
    fixture: 'typescript',
    questions: [
      overview('src/helper.ts', 'CURRENCY', 'formatAmount', 'Basket', 'total'),
      body('Basket/total', 'return this.items.reduce('),
      references('formatAmount', 'src/helper.ts', 'src/checkout.ts', 'checkout', 'src/receipt.ts', 'Receipt/render'),
    ],
  },
  {
    language: 'Go',
    fixture: 'go',
    questions: [
      overview('shop/helper.go', 'Currency', 'FormatAmount', 'Basket', 'Total'),
      body('Total', 'for _, cents := range b.items'),
      references('FormatAmount', 'shop/helper.go', 'shop/checkout.go', 'Checkout', 'shop/receipt.go', 'Render'),
    ],
  },
];

function print(text: string, indent = 4): void {
  console.log(text.replace(/^/gm, ' '.repeat(indent)));
}

/** Prints an answer, one line of JSON, as YAML, which is easier to read and shows code as code. */
function printAnswer(text: string): void {
  const lines = readable(text).split('\n');
  print(lines.slice(0, maxAnswerLines).join('\n'));
  if (lines.length > maxAnswerLines) print(`… and ${lines.length - maxAnswerLines} more lines`);
}

function readable(text: string): string {
  try {
    return stringify(JSON.parse(text.replaceAll('\\t', '  ')), { lineWidth: 0 }).trimEnd();
  } catch {
    return text;
  }
}

async function ask(client: TestClient, question: Question): Promise<string[]> {
  console.log(`\n  ? ${question.tool} ${JSON.stringify(question.args)}`);
  const startedAt = performance.now();
  let shown = '';
  const onProgress = ({ message = '' }: { message?: string | undefined }) => {
    if (message !== shown && message !== '') print(`… ${message}`);
    shown = message;
  };
  const { blocks, isError } = await client.call(question.tool, question.args, { onProgress });
  const took = renderMs(performance.now() - startedAt);
  for (const block of blocks) printAnswer(block);
  const answer = blocks.join('\n').replaceAll('\\"', '"');
  const missing = question.expected.filter((text) => !answer.includes(text));
  const verdict = isError ? 'FAILED' : missing.length > 0 ? `WRONG: lacks ${missing.join(', ')}` : 'right';
  console.log(`  = ${took}, ${verdict}`);
  return verdict === 'right' ? [] : [`${question.tool}: ${verdict}`];
}

async function show(demo: Demo, home: string): Promise<string[]> {
  console.log(`\n── ${demo.language} ${'─'.repeat(90 - demo.language.length)}`);
  await using project = copyFixture(demo.fixture);
  const startedAt = performance.now();
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const server = client.client.getServerVersion();
  console.log(`\n  ? initialize`);
  print(`${server?.name} ${server?.version}`);
  console.log(`  = ${renderMs(performance.now() - startedAt)} from the start of the process`);
  const listedAt = performance.now();
  const tools = await client.tools();
  console.log('\n  ? tools/list');
  print(tools.map(({ name }) => name).join(', '));
  console.log(`  = ${renderMs(performance.now() - listedAt)}, ${tools.length} tools`);
  const problems: string[] = [];
  for (const question of demo.questions) problems.push(...(await ask(client, question)));
  if (problems.length > 0) print(`\nthe server's log:\n${client.stderr}`);
  return problems.map((problem) => `${demo.language}: ${problem}`);
}

async function showAll(home: string): Promise<string[]> {
  const problems: string[] = [];
  for (const demo of demos) {
    if (demo.fixture === 'go' && (await run('go', ['version'])).exitCode !== 0) {
      console.log('\nSkipping Go: `go` is not on `PATH` (gopls is built with it).');
      continue;
    }
    if (demo.fixture === 'go')
      console.log('\nThe first use of Go builds gopls from source, which takes a minute or two.');
    try {
      problems.push(...(await show(demo, home)));
    } catch (error) {
      problems.push(`${demo.language}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  console.log('Building the program …');
  const binary = await build();
  console.log(
    `Built ${binary} in ${renderMs(performance.now() - startedAt)}. Agents start it as \`serena start-mcp-server\`.`,
  );
  const given = process.env.DEMO_HOME ?? process.env.SERENA_HOME;
  const home = given ?? mkdtempSync(join(tmpdir(), 'serena-demo-'));
  console.log(
    given === undefined
      ? 'Language servers are downloaded at first use, into a temporary directory (set DEMO_HOME to keep them).'
      : `Language servers are downloaded at first use, into ${home}.`,
  );
  const problems = await showAll(home);
  if (given === undefined) rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  console.log(problems.length === 0 ? '\nEvery answer was right.' : `\n${problems.join('\n')}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
