import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { alternateWarm } from './alternate-warm.ts';
import { forgetTrees, indexWords } from './index-state.ts';
import { askCold, askNew } from './ours.ts';
import { listSources, type RealProject } from './projects.ts';
import { type RawServer, rawFind, rawReferences, rawSymbols, startRaw } from './raw.ts';
import { alternate, measure, type Row } from './table.ts';

const coldRuns = 5;
const firstRuns = 9;
const anchorName = 'raw LSP';

const FoundSymbols = z.array(z.unknown());
/** Path → kind of the referencing symbol → one entry per reference. */
const References = z.record(z.string(), z.record(z.string(), z.array(z.unknown())));

function countReferences(text: string): number {
  const files = Object.values(References.parse(JSON.parse(text)));
  return files.flatMap((kinds) => Object.values(kinds)).reduce((sum, entries) => sum + entries.length, 0);
}

/** Runs `work` with a new server and returns the milliseconds from spawn to the end of `work`. */
async function rawCold(
  project: RealProject,
  directory: string,
  work: (raw: RawServer) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  const raw = await startRaw(project, directory);
  try {
    await work(raw);
    return performance.now() - startedAt;
  } finally {
    await raw.lsp.stop();
  }
}

/** Returns the files that contain the symbol's name: the anchor gets this list at no cost, the product has to find it. */
function candidates(project: RealProject, directory: string): string[] {
  const word = new RegExp(`\\b${project.symbol}\\b`);
  return listSources(directory, project.extension).filter((path) =>
    word.test(readFileSync(join(directory, path), 'utf8')),
  );
}

async function overviewRow(project: RealProject, directory: string): Promise<Row[]> {
  const question = { tool: 'get_symbols_overview', args: { relative_path: project.largeFile } };
  return measure({
    what: `cold get_symbols_overview, ${project.name}`,
    anchorName,
    run: () =>
      alternate(
        coldRuns,
        async () => (await askCold(directory, question)).ms,
        () => rawCold(project, directory, async (raw) => void (await rawSymbols(raw, project.largeFile, new Set()))),
      ),
  });
}

/** Returns the row about the first answer, which the product gives before a server is ready. */
async function firstAnswerRow(project: RealProject, directory: string): Promise<Row[]> {
  const { file } = project.popular;
  const question = { tool: 'get_symbols_overview', args: { relative_path: file }, isFromSyntax: true };
  return measure({
    what: `spawn → get_symbols_overview of one file, no server running, ${project.name}`,
    anchorName,
    run: () =>
      alternate(
        firstRuns,
        async () => (await askCold(directory, question)).ms,
        () => rawCold(project, directory, async (raw) => void (await rawSymbols(raw, file, new Set()))),
      ),
  });
}

/**
 * Returns the rows about `find_symbol` with bodies in a new process, before a server is ready: with the trees that an
 * earlier process stored, and with the words of files alone.
 */
async function firstFindRows(project: RealProject, directory: string): Promise<Row[]> {
  const args = { name_path_pattern: project.symbol, include_body: true };
  const question = { tool: 'find_symbol', args, isFromSyntax: true, mayBeIncomplete: true };
  const files = candidates(project, directory);
  let hits = 0;
  const row = (what: string, prepare: () => Promise<void>) =>
    measure({
      what: `${what}, ${project.name}`,
      anchorName,
      run: async () => {
        const ours = async () => {
          await prepare();
          const { ms, text } = await askNew(directory, question);
          hits = FoundSymbols.parse(JSON.parse(text)).length;
          return ms;
        };
        const anchor = () => rawCold(project, directory, async (raw) => void (await rawFind(raw, files, new Set())));
        await indexWords(directory);
        await askNew(directory, question);
        const samples = await alternate(firstRuns, ours, anchor);
        return { ...samples, note: `${hits} groups of hits, ${files.length} files contain it` };
      },
    });
  return [
    ...(await row('spawn → find_symbol with bodies, index present', async () => undefined)),
    ...(await row('spawn → find_symbol with bodies, name not asked before', async () => forgetTrees(directory))),
  ];
}

async function findRows(project: RealProject, directory: string): Promise<Row[]> {
  const question = { tool: 'find_symbol', args: { name_path_pattern: project.symbol } };
  const files = candidates(project, directory);
  let hits = { ours: 0, anchor: 0 };
  const note = () => {
    const same = hits.ours === hits.anchor ? '' : ` (raw LSP: ${hits.anchor})`;
    return `${hits.ours} hits${same}, ${files.length} files contain it`;
  };
  const cold = await measure({
    what: `cold find_symbol, whole project, ${project.name}`,
    anchorName,
    run: async () => {
      const ours = async () => {
        const { ms, text } = await askCold(directory, question);
        hits = { ...hits, ours: FoundSymbols.parse(JSON.parse(text)).length };
        return ms;
      };
      const anchor = () =>
        rawCold(project, directory, async (raw) => {
          hits = { ...hits, anchor: await rawFind(raw, files, new Set()) };
        });
      return { ...(await alternate(coldRuns, ours, anchor)), note: note() };
    },
  });
  const warm = await measure({
    what: `warm find_symbol, whole project, ${project.name}`,
    anchorName,
    run: async () => {
      const opened = new Set<string>();
      return alternateWarm(project, directory, { question, anchor: (raw) => rawFind(raw, files, opened) });
    },
  });
  return [...cold, ...warm];
}

async function referencesRows(project: RealProject, directory: string): Promise<Row[]> {
  const { name, file } = project.popular;
  const args = { name_path: name, relative_path: file };
  const question = { tool: 'find_referencing_symbols', args, mayBeIncomplete: true };
  let hits = { ours: 0, anchor: 0 };
  let label = '';
  const cold = await measure({
    what: `cold references to ${name}, ${project.name}`,
    anchorName,
    run: async () => {
      const ours = async () => {
        const { ms, text, incomplete } = await askCold(directory, question);
        hits = { ...hits, ours: countReferences(text) };
        label = incomplete === undefined ? '' : ', marked incomplete';
        return ms;
      };
      const anchor = () =>
        rawCold(project, directory, async (raw) => {
          hits = { ...hits, anchor: (await rawReferences(raw, new Set())).length };
        });
      const samples = await alternate(coldRuns, ours, anchor);
      return { ...samples, note: `${hits.ours} references${label} (raw LSP: ${hits.anchor})` };
    },
  });
  const warm = await measure({
    what: `warm references to ${name}, ${project.name}`,
    anchorName,
    run: () => {
      const opened = new Set<string>();
      return alternateWarm(project, directory, { question, anchor: (raw) => rawReferences(raw, opened) });
    },
  });
  return [...cold, ...warm];
}

/** Returns the rows about one language's real project. */
export async function languageRows(project: RealProject, directory: string): Promise<Row[]> {
  return [
    ...(await firstAnswerRow(project, directory)),
    ...(await firstFindRows(project, directory)),
    ...(await overviewRow(project, directory)),
    ...(await findRows(project, directory)),
    ...(await referencesRows(project, directory)),
  ];
}
