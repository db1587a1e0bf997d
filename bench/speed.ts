// usage: bun bench/speed.ts [--write] [--only <language id, "program", "large" or "session">]… [--rows <regex>] [--runs <maximum>]
// `--rows` selects rows by their names, `--runs` limits the runs of each side.
// Prints one table: each row is a ratio to an anchor that is measured in the same run, on real projects of pinned
// versions. --write writes the table to docs/benchmarks.md; rows that were not selected stay there as they are.
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/support/paths.ts';
import { run } from '../scripts/support/run.ts';
import { writeTextAtomically } from '../src/base/files.ts';
import { changedRows } from './speed/changed-rows.ts';
import { exploreRows } from './speed/explore-rows.ts';
import { indexRows } from './speed/index-rows.ts';
import { languageRows } from './speed/language-rows.ts';
import { largeTreeRows } from './speed/large-tree-rows.ts';
import { ask, benchBinary, benchHome, startOurs } from './speed/ours.ts';
import { memoryRows, searchRow, startRow } from './speed/program-rows.ts';
import {
  cacheDirectory,
  ensureProject,
  listSources,
  natsServer,
  projectDirectory,
  type RealProject,
  realProjects,
} from './speed/projects.ts';
import { serviceRows, serviceStartRow } from './speed/service-rows.ts';
import { sessionRows } from './speed/session-rows.ts';
import { parseTable, type Row, renderTable, selection } from './speed/table.ts';

const introduction = `# Benchmarks

How long questions take, and how much memory, beside the same work done by something else in the same run: by a raw language
server, ripgrep, or an MCP server that does nothing. The ratio is ours divided by the anchor's. Ratios are comparable between
machines, times are not. \`npm run bench\` repeats the measurements, \`npm run bench -- --write\` also writes this page. The
projects are downloaded in pinned versions.`;

const explanation = `Times are medians; the two sides of a row take turns, so that a busy moment affects both.

- **cold**: a new process without a symbol cache, from its start to the answer, including the start of the language server.
- **no server running**: the same, but a syntax tree answers, and the server starts meanwhile.
- **index present**: a new process, after an earlier one has stored the words of all files and the syntax trees of the files with
  the name. **name not asked before**: with the words only.
- **warm**: the same call repeated in the same process.
- **raw LSP**: a small script that sends the same requests to the same language server. For \`find_symbol\` it is given the list of
  files that contain the name; for references it also requests the symbols of every file with a reference, to name the containers.
- **second client**: a new process, from its start to the answer, while another client is connected to the background service that
  has answered the same question.
- **memory of all processes**: the sum of their proportional set sizes (PSS), with the service and the language servers.
- **bare SDK server**: the MCP SDK and zod with ten tools that do nothing, compiled in the same way.`;

/** Installs the server and calls a tool once, to fill one-time caches: byte code, Go's build cache, project files. */
async function prepare(project: RealProject, directory: string): Promise<void> {
  process.stderr.write(`Preparing ${project.name} …\n`);
  const installed = await run(benchBinary, ['servers', 'install', project.serverId], {
    env: { SERENA_HOME: benchHome },
  });
  if (installed.exitCode !== 0) throw new Error(installed.stderr.trim());
  await using client = await startOurs(directory);
  await ask(client, { tool: 'get_symbols_overview', args: { relative_path: project.largeFile } });
}

async function rowsOf(project: RealProject, includesProgram: boolean): Promise<Row[]> {
  try {
    const directory = await ensureProject(project);
    await prepare(project, directory);
    const rows = [
      ...(await languageRows(project, directory)),
      ...(await exploreRows(project, directory)),
      ...(await changedRows(project, directory)),
    ];
    if (project.serverId !== 'python' || !includesProgram) return rows;
    return [
      ...rows,
      ...(await searchRow(project, directory)),
      ...(await indexRows(project, () => directory)),
      ...(await memoryRows(project, directory)),
      ...(await serviceRows(project, directory)),
    ];
  } catch (error) {
    const [note = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    process.stderr.write(`${project.name}: not measured: ${note}\n`);
    return [{ what: project.name, ours: '', anchor: '', ratio: 'not measured', note }];
  }
}

async function sessionRowsOf(project: RealProject): Promise<Row[]> {
  const directory = await ensureProject(project);
  await prepare(project, directory);
  return await sessionRows(project, directory);
}

function describeRun(projects: readonly RealProject[]): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const sizes = projects.map((project) => {
    const files = listSources(projectDirectory(project), project.extension).length;
    return `${project.name}: ${files === 0 ? 'not available' : `${files} \`${project.extension}\` files`}`;
  });
  return `${cpus().length} × ${processor?.model ?? 'unknown processor'}, ${memory} GB, ${process.platform}. ${sizes.join('; ')}.`;
}

const page = join(root, 'docs/benchmarks.md');

/** Returns the sections of the page that other scripts write. */
function ownSections(text: string): string {
  const start = text.indexOf('\n## ');
  return start === -1 ? '' : text.slice(start);
}

/** Returns the earlier rows of the page, with those of this run in their place. */
function withEarlier(rows: readonly Row[], earlier: readonly Row[]): Row[] {
  const fresh = new Map(rows.map((row) => [row.what, row]));
  const kept = earlier.map((row) => fresh.get(row.what) ?? row);
  return [...kept, ...rows.filter(({ what }) => !earlier.some((row) => row.what === what))];
}

/** Returns the page with these rows and this machine, and with the other sections of `earlier`. */
export function renderPage(rows: readonly Row[], machine: string, earlier: string): string {
  return `${[introduction, machine, renderTable(rows), explanation].join('\n\n')}\n${ownSections(earlier)}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rows: { type: 'string' },
      runs: { type: 'string' },
    },
  });
  selection.rows = values.rows === undefined ? undefined : new RegExp(values.rows);
  selection.maxRuns = values.runs === undefined ? Infinity : Number(values.runs);
  const isSelected = (part: string) => values.only.length === 0 || values.only.includes(part);
  if (process.env.BENCH_BINARY === undefined) await build({ outfile: benchBinary });
  process.stderr.write(`Projects and language servers are cached in ${cacheDirectory}\n`);
  const rows: Row[] = isSelected('program') ? [...(await startRow()), ...(await serviceStartRow())] : [];
  const projects = realProjects.filter(({ serverId }) => isSelected(serverId));
  for (const project of projects) rows.push(...(await rowsOf(project, isSelected('program'))));
  if (isSelected('large')) rows.push(...(await largeTreeRows()));
  if (isSelected('session')) rows.push(...(await sessionRowsOf(natsServer)));
  console.log(`\n${describeRun(projects)}\n\n${renderTable(rows)}\n\n${explanation}`);
  if (!values.write) return;
  const earlier = readFileSync(page, 'utf8');
  const isWhole = values.only.length === 0 && values.rows === undefined;
  const written = isWhole ? rows : withEarlier(rows, parseTable(earlier));
  writeTextAtomically(page, renderPage(written, describeRun(realProjects), earlier));
}

if (import.meta.main) await main();
