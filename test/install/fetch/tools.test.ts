import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ensureInstalled, findInstalled, type InstallRequest } from '../../../src/install/install.ts';
import type { DotnetSource, GemSource } from '../../../src/install/source/source.ts';
import { makeTempDir } from '../../support/temp.ts';
import { failureOf, leftovers } from '../demo.ts';
import { FakeTools } from '../fake-tool.ts';

const gem: GemSource = { from: 'gem', gem: 'ruby-lsp', version: '0.26.1', bin: 'ruby-lsp' };
const dotnet: DotnetSource = { from: 'dotnet', tool: 'csharp-ls', version: '0.20.0', bin: 'csharp-ls' };
const install = 'mkdir -p "$2/bin"; printf run > "$2/bin/ruby-lsp"; chmod +x "$2/bin/ruby-lsp"';

function request(source: GemSource | DotnetSource, tools: FakeTools, allowsUnverified = true): InstallRequest {
  const home = makeTempDir('home');
  return { id: 'demo', source, home, env: { HOME: home, PATH: tools.directory }, allowsUnverified };
}

describe('a gem', () => {
  test("is installed by the user's Ruby, below SERENA_HOME", async () => {
    const tools = new FakeTools().add('gem', `shift; ${install}`);
    const wanted = request(gem, tools);
    const installed = await ensureInstalled(wanted);
    expect(installed).toMatchObject({ version: '0.26.1', program: join(installed.directory, 'bin/ruby-lsp') });
    expect(tools.log).toMatch(/gem install --install-dir \S+\/tmp\/\S+ --no-document -v 0\.26\.1 ruby-lsp/);
    expect(findInstalled(wanted)).toEqual(installed);
    const asked = tools.log;
    expect(await ensureInstalled(wanted)).toEqual(installed);
    expect(tools.log).toBe(asked);
    expect(leftovers(wanted.home).staging).toEqual([]);
  });

  test('is not installed unless the user allows it unverified', async () => {
    const tools = new FakeTools().add('gem', 'exit 1');
    const error = await failureOf(request(gem, tools, false));
    expect(error.code).toBe('install.not-pinned');
    expect(error.hints).toEqual([
      'run `gem install ruby-lsp -v 0.26.1` to install it manually',
      expect.stringContaining('verify: false'),
    ]);
    expect(tools.log).toBe('');
  });

  test('that lacks its program is not installed', async () => {
    const tools = new FakeTools().add('gem', 'exit 0');
    const wanted = request(gem, tools);
    expect((await failureOf(wanted)).message).toContain('`bin/ruby-lsp`');
    expect(leftovers(wanted.home)).toEqual({ installed: [], staging: [] });
  });

  test('without `gem`, or that is unavailable, is an error', async () => {
    expect((await failureOf(request(gem, new FakeTools()))).code).toBe('install.runtime-missing');
    const tools = new FakeTools().add('gem', 'echo "ERROR: https://me:secret@gems.example.org fails" >&2; exit 2');
    const error = await failureOf(request(gem, tools));
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toEndWith('ERROR: https://gems.example.org fails');
  });
});

test("a .NET tool is installed by the user's .NET, below SERENA_HOME", async () => {
  const script = 'printf run > "$4/csharp-ls"; chmod +x "$4/csharp-ls"';
  const tools = new FakeTools().add('dotnet', script);
  const installed = await ensureInstalled(request(dotnet, tools));
  expect(tools.log).toMatch(/dotnet tool install --tool-path \S+ --version 0\.20\.0 csharp-ls/);
  expect(installed.program).toBe(join(installed.directory, 'csharp-ls'));
  expect((await failureOf(request(dotnet, tools, false))).hints[0]).toContain('dotnet tool install --global csharp-ls');
});
