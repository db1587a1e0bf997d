// Roslyn itself needs .NET: a stub in its place records the messages that it receives.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;
const basket = 'class Basket\n  def Total\n\nBasket\n';

interface Recorded extends AsyncDisposable {
  readonly client: TestClient;
  readonly write: (file: string, text: string) => void;
  /** Returns the messages that the server received, each as `<method> <parameters>`, with project-relative paths. */
  heard(): string[];
}

async function start(files: Readonly<Record<string, string>>, config: object = {}): Promise<Recorded> {
  const project = makeWorkspace({
    '.serena/project.yml': `${JSON.stringify({ language_servers: ['csharp'], ...config })}\n`,
    ...files,
  });
  const report = join(makeTempDir(), 'heard');
  const home = makeHome({
    ...stubServers({ csharp: ['records-messages', { report }] }),
    trusted_project_path_patterns: ['**'],
  });
  const client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const heard = () =>
    readFileSync(report, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { method, params } = JSON.parse(line);
        return `${method} ${JSON.stringify(params).replaceAll(`${pathToFileURL(project.root).href}/`, '')}`;
      });
  return {
    client,
    heard,
    write: (file, text) => project.write(file, text),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const usesOf = ({ client }: Recorded) =>
  client.call('find_referencing_symbols', { name_path: 'Basket', relative_path: 'src/Basket.cs' });

describe('the C# server is made to load', () => {
  const files = { 'src/Basket.cs': basket, 'src/Shop.csproj': '<Project />' };
  const opened = ({ heard }: Recorded) => heard().filter((line) => / ?(solution|project)\/open /.test(line));

  test(
    'the outermost solution and the projects that are not ignored, and nothing else',
    async () => {
      await using csharp = await start(
        {
          ...files,
          '.gitignore': 'generated/\n',
          'All.slnx': '<Solution />',
          'tools/Tools.sln': '',
          'tools/Tools.csproj': '<Project />',
          'generated/Generated.csproj': '<Project />',
          'generated/A.sln': '',
          'samples/Sample.csproj': '<Project />',
          'src/obj/Restored.csproj': '<Project />',
        },
        { ignored_paths: ['samples'] },
      );
      const { blocks } = await usesOf(csharp);
      expect(blocks.join('\n')).not.toContain('has not said');
      expect(opened(csharp)).toEqual([
        'solution/open {"solution":"All.slnx"}',
        'project/open {"projects":["src/Shop.csproj","tools/Tools.csproj"]}',
      ]);
    },
    timeoutMs,
  );

  test(
    'the projects of a project without a solution',
    async () => {
      await using csharp = await start(files);
      await usesOf(csharp);
      expect(opened(csharp)).toEqual(['project/open {"projects":["src/Shop.csproj"]}']);
    },
    timeoutMs,
  );

  test(
    'nothing if there is nothing to load, and then no call waits for it',
    async () => {
      await using csharp = await start({ 'src/Basket.cs': basket });
      const { blocks } = await usesOf(csharp);
      expect(blocks.join('\n')).not.toContain('has not said');
      expect(opened(csharp)).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'the projects of a workspace folder outside the project',
    async () => {
      const other = makeWorkspace({ 'Other.csproj': '<Project />', 'bin/Copy.csproj': '<Project />' });
      await using csharp = await start(files, { ls_additional_workspace_folders: [other.root] });
      await usesOf(csharp);
      const uri = pathToFileURL(join(other.root, 'Other.csproj')).href;
      expect(opened(csharp)).toEqual([`project/open {"projects":["src/Shop.csproj","${uri}"]}`]);
    },
    timeoutMs,
  );
});

test(
  'a C# file created after the start is reported as created before it is opened',
  async () => {
    await using csharp = await start({ 'src/Basket.cs': basket, 'src/Shop.csproj': '<Project />' });
    await csharp.client.ask('get_symbols_overview', { relative_path: 'src/Basket.cs' });
    csharp.write('src/Till.cs', 'class Till\n');
    await csharp.client.ask('get_symbols_overview', { relative_path: 'src/Till.cs' });
    const about = csharp.heard().filter((line) => line.includes('Till.cs'));
    expect(about).toEqual([
      'workspace/didChangeWatchedFiles {"changes":[{"uri":"src/Till.cs","type":1}]}',
      expect.stringMatching(/^textDocument\/didOpen /),
    ]);
    // A file that existed before the server started is not reported.
    expect(csharp.heard().filter((line) => line.includes('Basket.cs'))).toEqual([
      expect.stringMatching(/^textDocument\/didOpen /),
    ]);
  },
  timeoutMs,
);
