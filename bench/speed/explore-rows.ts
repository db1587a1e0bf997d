import { basename } from 'node:path';
import { z } from 'zod';
import { alternateWarm } from './alternate-warm.ts';
import { ask, startOurs } from './ours.ts';
import type { RealProject } from './projects.ts';
import { rawReferences } from './raw.ts';
import { alternate, measure, type Row } from './table.ts';

const newSymbols = 21;

/** Kind → names, or objects with the name as the key. */
const Overview = z.record(z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())])));

/** Returns the rows about the neighborhood of a symbol with many references, and of symbols not asked about before. */
export async function exploreRows(project: RealProject, directory: string): Promise<Row[]> {
  return [...(await popularRow(project, directory)), ...(await newSymbolsRow(project, directory))];
}

function popularRow(project: RealProject, directory: string): Promise<Row[]> {
  const question = exploring(project, project.popular.name);
  return measure({
    what: `warm explore_symbol of ${project.popular.name}, ${project.name}`,
    anchorName: 'raw LSP, references',
    run: () => {
      const opened = new Set<string>();
      return alternateWarm(project, directory, { question, anchor: (raw) => rawReferences(raw, opened) });
    },
  });
}

/** The anchor is the same question again, because a server remembers different parts of an answer. */
function newSymbolsRow(project: RealProject, directory: string): Promise<Row[]> {
  const { name, file } = project.popular;
  return measure({
    what: `explore_symbol of symbols not asked about before, ${project.name}`,
    anchorName: 'the same again',
    run: async () => {
      await using client = await startOurs(directory);
      await ask(client, exploring(project, name));
      const overview = await ask(client, { tool: 'get_symbols_overview', args: { relative_path: file } });
      const names = Object.values(Overview.parse(JSON.parse(overview.text)))
        .flat()
        .flatMap((symbol) => (typeof symbol === 'string' ? [symbol] : Object.keys(symbol)))
        .filter((symbol, _, all) => symbol !== name && all.indexOf(symbol) === all.lastIndexOf(symbol));
      const step = Math.max(1, Math.floor(names.length / newSymbols));
      const spread = names.filter((_, index) => index % step === 0);
      const questions = spread.map((symbol) => exploring(project, symbol));
      const times = (round: readonly (typeof questions)[number][]) => {
        const left = [...round];
        return async () => {
          const next = left.shift();
          if (next === undefined) throw new Error('there are too few symbols');
          return (await ask(client, next)).ms;
        };
      };
      const runs = Math.min(newSymbols, questions.length);
      return { ...(await alternate(runs, times(questions), times(questions))), note: `of ${basename(file)}` };
    },
  });
}

function exploring({ popular }: RealProject, name: string) {
  return {
    tool: 'explore_symbol',
    args: { name_path: `/${name}`, relative_path: popular.file },
    mayBeIncomplete: true,
  };
}
