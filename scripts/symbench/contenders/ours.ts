import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { startClient, type TestClient } from '../../../test/support/client.ts';
import { benchBinary, benchHome } from '../../bench/ours.ts';
import type { Answer, BenchSymbol, Contender, Position } from '../model.ts';
import { costOf, sumOfCosts } from '../running/answer-cost.ts';
import { installServer } from '../running/install-server.ts';
import { PeakMemory } from '../running/peak-memory.ts';

/** Path → kind of the referencing symbol → one entry per reference. */
const References = z.record(
  z.string(),
  z.record(z.string(), z.array(z.looseObject({ content_around_reference: z.string() }))),
);

const FoundSymbols = z.array(
  z.looseObject({ name_path: z.string(), body_location: z.object({ start_line: z.int(), end_line: z.int() }) }),
);

/** A name, or an object from a name to its members by kind. */
type OverviewEntry = string | { [name: string]: OverviewByKind };
type OverviewByKind = { [kind: string]: OverviewEntry[] };
const OverviewEntry: z.ZodType<OverviewEntry> = z.lazy(() =>
  z.union([z.string(), z.record(z.string(), OverviewByKind)]),
);
const OverviewByKind: z.ZodType<OverviewByKind> = z.lazy(() => z.record(z.string(), z.array(OverviewEntry)));

/** This product, as a compiled program over MCP. */
export const ours: Contender = {
  name: 'this product',

  async version() {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(benchBinary)) hash.update(chunk);
    return hash.digest('hex').slice(0, 12);
  },

  async start(pack, directory) {
    const args = ['--project', directory, '--log-level', 'ERROR'];
    await installServer(pack);
    const client = await startClient({ binary: benchBinary, args, env: { SERENA_HOME: benchHome } });
    const memory = new PeakMemory({ pid: client.pid });
    return {
      references: (symbol) => askReferences(client, symbol),
      overview: (file) => askOverview(client, file),
      peakMegabytes: () => memory.megabytes(),
      async stop() {
        memory.stop();
        await client.close();
      },
    };
  },
};

async function ask(
  client: TestClient,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<[Answer, string]> {
  const allArgs = { ...args, max_answer_chars: 50_000_000 };
  const startedAt = performance.now();
  const { blocks, isError } = await client.call(tool, allArgs);
  const ms = performance.now() - startedAt;
  const [text = '', incomplete] = blocks;
  const cost = costOf({ request: `${tool} ${JSON.stringify(allArgs)}`, answer: blocks.join('\n'), ms });
  const base = { positions: [], namePaths: [], ...cost };
  if (isError) return [{ ...base, outcome: 'refused', label: text }, text];
  return [{ ...base, outcome: 'answered', ...(incomplete === undefined ? {} : { label: incomplete }) }, text];
}

/** Asks for the references; where the name path has several matches, looks up that of the declaration first. */
async function askReferences(client: TestClient, { namePath, at }: BenchSymbol): Promise<Answer> {
  const first = await askAt(client, `/${namePath}`, at.file);
  if (first.outcome === 'answered' || !first.label?.includes(' symbols: [')) return first;
  const query = { name_path_pattern: `/${namePath}`, relative_path: at.file };
  const [lookup, text] = await ask(client, 'find_symbol', query);
  const covering = FoundSymbols.parse(JSON.parse(text))
    .filter(({ body_location: { start_line, end_line } }) => start_line <= at.line && at.line <= end_line)
    .sort((a, b) => b.body_location.start_line - a.body_location.start_line);
  const [found] = covering;
  if (found === undefined) return first;
  const second = await askAt(client, found.name_path, at.file);
  return { ...second, ...sumOfCosts([first, lookup, second]) };
}

async function askAt(client: TestClient, namePath: string, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'find_referencing_symbols', { name_path: namePath, relative_path: file });
  return answer.outcome === 'answered' ? { ...answer, positions: referencePositions(text) } : answer;
}

function referencePositions(text: string): Position[] {
  const files = References.parse(JSON.parse(text));
  return Object.entries(files).flatMap(([file, kinds]) =>
    Object.values(kinds).flatMap((entries) =>
      entries.map(({ content_around_reference }) => {
        const line = /^ *> *(\d+):/m.exec(content_around_reference)?.[1];
        if (line === undefined) throw new Error(`no marked line in ${content_around_reference}`);
        return { file, line: Number(line), column: 0 };
      }),
    ),
  );
}

async function askOverview(client: TestClient, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'get_symbols_overview', { relative_path: file, depth: 20 });
  if (answer.outcome !== 'answered') return answer;
  return { ...answer, namePaths: namePathsIn(OverviewByKind.parse(JSON.parse(text)), '') };
}

function namePathsIn(kinds: OverviewByKind, prefix: string): string[] {
  return Object.values(kinds)
    .flat()
    .flatMap((entry) => {
      if (typeof entry === 'string') return [prefix + entry];
      return Object.entries(entry).flatMap(([name, members]) => [
        prefix + name,
        ...namePathsIn(members, `${prefix}${name}/`),
      ]);
    });
}
