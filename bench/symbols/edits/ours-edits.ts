import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startClient, type TestClient } from '../../../test/support/client.ts';
import { benchBinary, benchHome } from '../../speed/ours.ts';
import { namePathAround } from '../contenders/serena-answers.ts';
import type { BenchSymbol } from '../model.ts';
import { costOf, sumOfCosts } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import type { EditAnswer, EditContender, UnusedClaim } from './model.ts';
import { namedLines } from './named-lines.ts';

/** This product, as a compiled program over MCP. */
export const oursEdits: EditContender = {
  name: 'this product',
  note: '`rename_symbol` and `safe_delete_symbol`.',
  seesForeignChanges: true,
  changesSignatures: true,
  findsUnused: true,

  version: () => hashOfFile(benchBinary),

  async start(_pack, directory) {
    mkdirSync(join(directory, '.serena'), { recursive: true });
    writeFileSync(join(directory, '.serena/project.yml'), 'included_optional_tools: [change_signature, find_unused]\n');
    const args = ['--project', directory, '--log-level', 'ERROR'];
    const client = await startClient({ binary: benchBinary, args, env: { SERENA_HOME: benchHome } });
    return {
      canContinue: true,
      rename: (symbol, newName) =>
        askAbout(client, symbol, (namePath) => ({
          tool: 'rename_symbol',
          args: { name_path: namePath, relative_path: symbol.at.file, new_name: newName },
        })),
      safeDelete: (symbol) =>
        askAbout(client, symbol, (namePath) => ({
          tool: 'safe_delete_symbol',
          args: { name_path_pattern: namePath, relative_path: symbol.at.file },
        })),
      changeSignature: (symbol, changes) =>
        askAbout(client, symbol, (namePath) => ({
          tool: 'change_signature',
          args: { name_path: namePath, relative_path: symbol.at.file, changes },
        })),
      findUnused: () => askForUnused(client),
      stop: () => client.close(),
    };
  },
};

const Unused = z.array(
  z.object({
    name_path: z.string(),
    kind: z.string(),
    relative_path: z.string(),
    line: z.int(),
    use: z.enum(['unused', 'tests', 'undecided']),
    why: z.string().optional(),
  }),
);

async function askForUnused(client: TestClient): Promise<{ claims: UnusedClaim[]; answer: EditAnswer }> {
  const args = { max_answer_chars: 50_000_000 };
  const startedAt = performance.now();
  const { blocks, isError } = await client.call('find_unused', args, { timeoutMs: 400_000 });
  const ms = performance.now() - startedAt;
  const cost = costOf({ request: `find_unused ${JSON.stringify(args)}`, answer: blocks.join('\n'), ms });
  const [text = ''] = blocks;
  if (isError) return { claims: [], answer: { outcome: 'refused', label: text, cost } };
  const claims = Unused.parse(JSON.parse(text.split('\n')[0] ?? '')).map(
    ({ name_path, kind, relative_path, line, use, why }) => ({
      file: relative_path,
      line,
      namePath: name_path,
      kind: kind.toLowerCase(),
      use,
      why,
    }),
  );
  return { claims, answer: { outcome: 'done', cost } };
}

interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Where the name path has several matches, looks up that of the declaration, as the references task does. */
async function askAbout(
  client: TestClient,
  { namePath, at }: BenchSymbol,
  callFor: (namePath: string) => ToolCall,
): Promise<EditAnswer> {
  const first = await ask(client, callFor(`/${namePath}`));
  const isAmbiguous = first.outcome === 'refused' && first.label?.includes(' symbols: [') === true;
  if (!isAmbiguous) return first;
  const query = { name_path_pattern: `/${namePath}`, relative_path: at.file, max_answer_chars: 50_000_000 };
  const startedAt = performance.now();
  const { blocks } = await client.call('find_symbol', query);
  const ms = performance.now() - startedAt;
  const lookup = costOf({ request: `find_symbol ${JSON.stringify(query)}`, answer: blocks.join('\n'), ms });
  const found = namePathAround(blocks[0] ?? '[]', at);
  if (found === undefined) return first;
  const second = await ask(client, callFor(found));
  const costs = [first.cost, lookup, second.cost].flatMap((cost) => cost ?? []);
  return { ...second, cost: sumOfCosts(costs) };
}

async function ask(client: TestClient, { tool, args }: ToolCall): Promise<EditAnswer> {
  const startedAt = performance.now();
  const { blocks, isError } = await client.call(tool, args);
  const ms = performance.now() - startedAt;
  const base = { cost: costOf({ request: `${tool} ${JSON.stringify(args)}`, answer: blocks.join('\n'), ms }) };
  const [text = '', ...notes] = blocks;
  if (isError || text.startsWith('Cannot delete')) return { ...base, outcome: 'refused', label: text };
  const [first = ''] = text.split('\n');
  if (notes.length === 0 && first.endsWith('; complete')) return { ...base, outcome: 'done' };
  const label = blocks.join('\n');
  return { ...base, outcome: 'done', label, named: namedLines(label) };
}
