import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/support/run.ts';
import { startClient, type TestClient } from '../../test/support/client.ts';
import { BenchService } from './bench-service.ts';
import { ask, askNew, benchBinary, benchHome, memoryOf, type Question, startOurs } from './ours.ts';
import { buildBare, listTools } from './program-rows.ts';
import { cacheDirectory, type RealProject } from './projects.ts';
import { alternate, measure, type Row } from './table.ts';

const startRuns = 21;
const firstRuns = 9;
const commandRuns = 15;
const memoryRuns = 3;
const memoryClients = 4;

/** Returns the row about the start of a client while the background service runs. */
export function serviceStartRow(): Promise<Row[]> {
  return measure({
    what: 'spawn → tools/list, background service',
    anchorName: 'bare SDK server',
    run: async () => {
      const bare = await buildBare();
      await using service = new BenchService();
      const ours = () => listTools(benchBinary, ['start-mcp-server'], service.env);
      await ours();
      return await alternate(
        startRuns,
        async () => (await ours()).ms,
        async () => (await listTools(bare, [])).ms,
      );
    },
  });
}

/** Returns the rows about clients that share a project in the background service. */
export async function serviceRows(project: RealProject, directory: string): Promise<Row[]> {
  const body = { name_path_pattern: project.symbol, include_body: true };
  const find: Question = { tool: 'find_symbol', args: body, mayBeIncomplete: true };
  const { name, file } = project.popular;
  const references: Question = {
    tool: 'find_referencing_symbols',
    args: { name_path: name, relative_path: file },
    mayBeIncomplete: true,
  };
  return [
    ...(await secondClientRow(`find_symbol with body, ${project.name}`, { directory, question: find })),
    ...(await secondClientRow(`references to ${name}, ${project.name}`, { directory, question: references })),
    ...(await commandRow(project, directory)),
    ...(await memoryRows(project, { directory, questions: [find, references] })),
    ...(await manyClientsRow()),
  ];
}

function secondClientRow(
  what: string,
  { directory, question }: { directory: string; question: Question },
): Promise<Row[]> {
  return measure({
    what: `second client: ${what}`,
    anchorName: 'without the service, index present',
    run: async () => {
      await using service = new BenchService();
      await using first = await startOurs(directory, 'server', service.env);
      const { text } = await ask(first, question);
      const askSame = async (env?: Readonly<Record<string, string>>) => {
        const answer = await askNew(directory, question, env);
        if (answer.text !== text) throw new Error('two clients got different answers');
        return answer.ms;
      };
      return await alternate(firstRuns, () => askSame(service.env), askSame);
    },
  });
}

function commandRow(project: RealProject, directory: string): Promise<Row[]> {
  return measure({
    what: `warm \`serena find\` with body, ${project.name}`,
    anchorName: 'without the service',
    run: async () => {
      await using service = new BenchService();
      await using _client = await startOurs(directory, 'server', service.env);
      const find = async (given: Readonly<Record<string, string>>) => {
        const startedAt = performance.now();
        const env = { SERENA_HOME: benchHome, ...given };
        const { exitCode, stderr } = await run(benchBinary, ['find', '--body', project.symbol], {
          env,
          cwd: directory,
        });
        // 3: an imported package may not be installed.
        if (exitCode !== 0 && exitCode !== 3) throw new Error(stderr);
        return performance.now() - startedAt;
      };
      await find(service.env);
      return await alternate(
        commandRuns,
        () => find(service.env),
        () => find({ SERENA_SERVICE: 'off' }),
      );
    },
  });
}

async function memoryRows(
  project: RealProject,
  { directory, questions }: { directory: string; questions: readonly Question[] },
): Promise<Row[]> {
  const relays: number[] = [];
  const ofAll = await measure({
    what: `memory of all processes, ${memoryClients} clients, ${project.name}`,
    anchorName: '1 client',
    unit: 'MB',
    run: async () => {
      const memoryWith = async (count: number) => {
        await using service = new BenchService();
        const clients: TestClient[] = [];
        for (let index = 0; index < count; index++) {
          const client = await startOurs(directory, 'server', service.env);
          clients.push(client);
          for (const question of questions) await ask(client, question);
        }
        const { megabytes } = service;
        relays.push(...(count > 1 ? clients.map(({ pid }) => memoryOf(pid).proportional) : []));
        for (const client of clients) await client.close();
        return megabytes;
      };
      return await alternate(
        memoryRuns,
        () => memoryWith(memoryClients),
        () => memoryWith(1),
      );
    },
  });
  const ofRelay = await measure({
    what: `memory of each of ${memoryClients} clients`,
    anchorName: 'bare SDK server, resident',
    unit: 'MB',
    run: async () => {
      const bare = await buildBare();
      const { megabytes } = await listTools(bare, []);
      if (relays.length === 0) throw new Error('the row before was not measured');
      return { ours: relays, anchor: [megabytes], note: `at most ${Math.max(...relays).toFixed(0)} MB` };
    },
  });
  return [...ofAll, ...ofRelay];
}

const [manyClients, manyCalls, manyProjects] = [50, 200, 10];

/** The time of each call, while `manyClients` ask at once. */
function manyClientsRow(): Promise<Row[]> {
  return measure({
    what: `${manyClients} clients × ${manyCalls} calls, ${manyProjects} projects: each call`,
    anchorName: '1 client',
    run: async () => {
      const parent = mkdtempSync(join(cacheDirectory, 'many-'));
      const directories = Array.from({ length: manyProjects }, (_, project) => writeProject(parent, project));
      await using service = new BenchService();
      const askAll = async (clients: number) => {
        const startedAt = performance.now();
        const asking = Array.from({ length: clients }, async (_, index) => {
          const project = index % manyProjects;
          await using client = await startClient({
            binary: benchBinary,
            args: ['--project', directories[project] ?? ''],
            env: { SERENA_HOME: benchHome, ...service.env },
          });
          await checkAnswers(client, project);
        });
        await Promise.all(asking);
        return (performance.now() - startedAt) / (clients * manyCalls);
      };
      try {
        const anchor = [await askAll(1)];
        const ours = [await askAll(manyClients)];
        const before = memoryOf(service.pid).resident;
        ours.push(await askAll(manyClients));
        const after = memoryOf(service.pid).resident;
        const memory = `service ${before.toFixed(0)} MB, after the second run ${after.toFixed(0)} MB`;
        return { ours, anchor, note: `no answer lost or foreign, ${memory}` };
      } finally {
        rmSync(parent, { recursive: true, force: true });
      }
    },
  });
}

function writeProject(parent: string, project: number): string {
  const directory = join(parent, `project${project}`);
  mkdirSync(directory);
  for (let call = 0; call < manyCalls; call++) writeFileSync(join(directory, `f${call}.txt`), contentOf(project, call));
  return directory;
}

/** @throws {Error} if an answer is not the content of the file in the client's own project. */
async function checkAnswers(client: TestClient, project: number): Promise<void> {
  for (let call = 0; call < manyCalls; call++) {
    const text = await client.ask('read_file', { relative_path: `f${call}.txt` });
    if (text !== contentOf(project, call)) throw new Error(`project ${project}, file ${call}: ${text}`);
  }
}

function contentOf(project: number, call: number): string {
  return `project ${project}, file ${call}\n`;
}
