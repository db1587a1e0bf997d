// usage: bun scripts/bench.ts [--write] [--only <language id, or "program">]…
// Prints one table: each row is a ratio against an anchor that is measured in the same run, on real projects of a
// pinned version. --write puts the table into docs/benchmarks.md.
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTextAtomically } from '../src/base/files.ts';
import { languageRows } from './bench/language-rows.ts';
import { ask, benchBinary, benchHome, startOurs } from './bench/ours.ts';
import { memoryRow, searchRow, startRow } from './bench/program-rows.ts';
import {
  cacheDirectory,
  ensureProject,
  listSources,
  projectDirectory,
  type RealProject,
  realProjects,
} from './bench/projects.ts';
import { type Row, renderTable } from './bench/table.ts';
import { build } from './build.ts';
import { root } from './support/paths.ts';
import { run } from './support/run.ts';

const explanation = `
Times are medians of the runs given in the remark; both sides alternate in one run, so that a busy moment hits both.

- **cold**: a fresh process without a symbol cache, from spawn to the answer, the language server's start included.
- **warm**: the same question again in the same process.
- **raw LSP**: a minimal script that speaks to the same language server, with the same options, on the same runtime, and
  sends the same requests. For \`find_symbol\` it is given the list of files that mention the name, for nothing; for
  references it asks for the symbols of every file with a hit, which is what naming the containers takes.
- **bare SDK server**: the MCP SDK and zod with ten tools that do nothing, compiled with the same flags.
`;

/** Installs the server and lets it, and us, do once what is done once: byte code caches, Go's build cache, project files. */
async function prepare(project: RealProject, directory: string): Promise<void> {
  process.stderr.write(`Preparing ${project.name} …\n`);
  const installed = await run(benchBinary, ['servers', 'install', project.serverId], {
    env: { SERENA_HOME: benchHome },
  });
  if (installed.exitCode !== 0) throw new Error(installed.stderr.trim());
  await using client = await startOurs(directory);
  await ask(client, { tool: 'get_symbols_overview', args: { relative_path: project.largeFile } });
}

async function rowsOf(project: RealProject, isProgramWanted: boolean): Promise<Row[]> {
  try {
    const directory = await ensureProject(project);
    await prepare(project, directory);
    const rows = await languageRows(project, directory);
    if (project.serverId !== 'python' || !isProgramWanted) return rows;
    return [...rows, await searchRow(project, directory), await memoryRow(project, directory)];
  } catch (error) {
    const [remark = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    process.stderr.write(`${project.name}: not measured: ${remark}\n`);
    return [{ what: project.name, ours: '', anchor: '', ratio: 'not measured', aim: '', remark }];
  }
}

function describeRun(projects: readonly RealProject[]): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const sizes = projects.map((project) => {
    const files = listSources(projectDirectory(project), project.suffix).length;
    return `${project.name}: ${files === 0 ? 'not here' : `${files} \`${project.suffix}\` files`}`;
  });
  return `${cpus().length} × ${processor?.model ?? 'unknown processor'}, ${memory} GB, ${process.platform}. ${sizes.join('; ')}.`;
}

function write(table: string, machine: string): void {
  const text = [
    '# Benchmarks\n',
    'Written by `npm run bench -- --write`. To repeat it: `npm run bench`. The projects are fetched by pinned version, with',
    'pip, npm and Go, into a cache outside the checkout (`BENCH_CACHE` names another place); without one of these, or',
    'without ripgrep, its rows say so. The ratios travel between machines, the times do not.\n',
    `${machine}\n`,
    table,
    explanation,
  ].join('\n');
  writeTextAtomically(join(root, 'docs/benchmarks.md'), text);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { write: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
  });
  const isWanted = (part: string) => values.only.length === 0 || values.only.includes(part);
  await build({ outfile: benchBinary });
  process.stderr.write(`Projects and language servers stay in ${cacheDirectory}\n`);
  const rows: Row[] = isWanted('program') ? [await startRow()] : [];
  const projects = realProjects.filter(({ serverId }) => isWanted(serverId));
  for (const project of projects) rows.push(...(await rowsOf(project, isWanted('program'))));
  const [table, machine] = [renderTable(rows), describeRun(projects)];
  console.log(`\n${machine}\n\n${table}\n${explanation}`);
  if (values.write) write(table, machine);
}

if (import.meta.main) await main();
