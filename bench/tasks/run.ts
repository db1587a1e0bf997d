import { join } from 'node:path';
import { z } from 'zod';
import { Link } from '../symbols/edits/links.ts';
import { Scratch } from '../symbols/edits/scratch.ts';
import { languages } from '../symbols/languages.ts';
import { type BenchLanguage, type BenchPackage, BenchSymbol, Judged } from '../symbols/model.ts';
import { ensurePackage, packageKey, symbenchCache } from '../symbols/packages.ts';
import { oracleKey } from '../symbols/references-task.ts';
import { remembered } from '../symbols/store.ts';
import { judgeTree } from './judge.ts';
import { type Agent, type RenameTask, TaskResult } from './model.ts';
import { type Facts, factsOf, placeKey, truthOf } from './truth.ts';

/** Lets each agent do a task in a copy of its package, and judges what it leaves. Stored results are not repeated. */
export async function runTask(task: RenameTask, agents: readonly Agent[]): Promise<TaskResult[]> {
  const { language, pack } = packageOf(task);
  const directory = await ensurePackage(pack);
  const truth = await truthOf(task, rememberedFacts(language, pack, directory), directory);
  const results: TaskResult[] = [];
  for (const agent of agents) {
    const version = `${agent.name}@${await agent.version()}`;
    const key = [packageKey(pack), 'task', version, JSON.stringify([task, truth])];
    results.push(
      await remembered(key, TaskResult, async () => {
        const scratch = new Scratch(directory, join(symbenchCache, 'edited', 'tasks', packageKey(pack)));
        const baseline = await remembered([...oracleKey(pack), 'edit problems'], z.array(z.string()), () =>
          language.edits.problems(pack, scratch.directory),
        );
        const work = await agent.work(task, pack, scratch.directory);
        const judged = await judgeTree({ task, pack, oracle: language.edits, scratch, baseline, truth, work });
        const { claim: _, ...figures } = work;
        const subject = { task: task.name, language: task.language, package: task.package, agent: agent.name };
        return { ...subject, ...judged, places: truth.must.length, ...figures };
      }),
    );
  }
  return results;
}

/** Asks the oracles once for all tasks and runs. */
function rememberedFacts(language: BenchLanguage, pack: BenchPackage, directory: string): Facts {
  const facts = factsOf(language, pack, directory);
  const key = [...oracleKey(pack), `edits-${language.edits.version}`];
  const about = (symbol: BenchSymbol) => (language.edits.linksOneSymbol ? placeKey(symbol.at) : '');
  return {
    list: () => remembered([...key, 'all'], z.array(BenchSymbol), async () => [...(await facts.list())]),
    links: (symbol) =>
      remembered([...key, `links ${about(symbol)}`], z.array(Link), async () => [...(await facts.links(symbol))]),
    judge: (symbols) =>
      remembered([...key, `judged ${JSON.stringify(symbols)}`], z.array(Judged), async () => [
        ...(await facts.judge(symbols)),
      ]),
  };
}

function packageOf({ name, package: wanted }: RenameTask): { language: BenchLanguage; pack: BenchPackage } {
  for (const language of languages) {
    const pack = language.packages.find((one) => one.name === wanted);
    if (pack !== undefined) return { language, pack };
  }
  throw new Error(`task \`${name}\`: there is no package \`${wanted}\``);
}
