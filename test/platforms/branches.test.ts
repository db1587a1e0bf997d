// What the program decides by the platform, asked for platforms that these tests do not run on.
import { describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { listProcesses } from '../../src/base/process/descendants.ts';
import { findProgram } from '../../src/base/process/find-program.ts';
import { isGroupAlive, ownGroupOptions } from '../../src/base/process/group.ts';
import { groupUsage } from '../../src/base/process/group-usage.ts';
import { browserOpener } from '../../src/base/process/open-in-browser.ts';
import { treeMemory } from '../../src/base/process/tree-memory.ts';
import { commandLine } from '../../src/cli/stable-command.ts';
import { newFileEnding } from '../../src/edits/file-draft.ts';
import { recipeOf } from '../../src/install/fetch/tools.ts';
import { defaultPath } from '../../src/install/runtime/js-runtime.ts';
import { pythonRunner } from '../../src/install/runtime/python-runner.ts';
import { describeFile } from '../../src/install/store/receipt.ts';
import { goModuleCache } from '../../src/languages/go/libraries.ts';
import { sitePackages } from '../../src/languages/python/libraries.ts';
import { ManifestReader } from '../../src/project/dependencies/manifest-reader.ts';
import { addRules, isIgnoredBy } from '../../src/search/ignore.ts';
import { wantsService } from '../../src/service/wants-service.ts';
import { masksIgnoreCase } from '../../src/tools/file-operations/search-files.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Returns the answer for each platform. */
function on<T>(ask: (platform: NodeJS.Platform) => T): Record<'linux' | 'darwin' | 'win32', T> {
  return { linux: ask('linux'), darwin: ask('darwin'), win32: ask('win32') };
}

describe('files', () => {
  test('ignore rules ignore case where Git does', () => {
    const isIgnored = (platform: NodeJS.Platform) =>
      isIgnoredBy(addRules(undefined, { patterns: 'Build/\n' }, platform), 'build', true);
    expect(on(isIgnored)).toEqual({ linux: false, darwin: true, win32: true });
    // A directory that deeper rules include again is judged by the same case.
    const inner = (platform: NodeJS.Platform) => {
      const outer = addRules(undefined, { patterns: 'a/b/\n!a/b/\nA/B/C\n' }, platform);
      return isIgnoredBy(outer, 'a/b/c', false);
    };
    expect(on(inner)).toEqual({ linux: false, darwin: true, win32: true });
  });

  test('masks of file names ignore case on Windows', () => {
    expect(on(masksIgnoreCase)).toEqual({ linux: false, darwin: false, win32: true });
  });

  test('a new file gets the line breaks of the platform', () => {
    expect(on(newFileEnding)).toEqual({ linux: '\n', darwin: '\n', win32: '\r\n' });
  });

  test('the list of installed files has no programs on Windows', () => {
    const workspace = makeWorkspace({ run: '#!/bin/sh\n' });
    chmodSync(workspace.path('run'), 0o755);
    const kind = (platform: NodeJS.Platform) => describeFile(workspace.path('run'), platform).slice(0, 2);
    expect(on(kind)).toEqual({ linux: 'x ', darwin: 'x ', win32: '- ' });
  });
});

describe('programs', () => {
  test('are found with the extensions of Windows', () => {
    const workspace = makeWorkspace({ 'bin/tool.cmd': '', 'bin/tool.exe': '', 'bin/other': '' });
    for (const name of ['tool.cmd', 'tool.exe', 'other']) chmodSync(workspace.path(`bin/${name}`), 0o755);
    const env = { PATH: workspace.path('bin') };
    const find = (name: string, more = {}) => on((platform) => findProgram(name, { ...env, ...more }, platform));
    expect(find('tool')).toEqual({ linux: undefined, darwin: undefined, win32: workspace.path('bin/tool.exe') });
    expect(find('tool', { PATHEXT: '.CMD' }).win32).toBe(workspace.path('bin/tool.cmd'));
    expect(find('other').win32).toBeUndefined();
    expect(find('other').darwin).toBe(workspace.path('bin/other'));
  });

  test('a page is opened by the program of the platform', () => {
    expect(on((platform) => browserOpener({ DISPLAY: ':0' }, platform)[0])).toEqual({
      linux: 'xdg-open',
      darwin: 'open',
      win32: 'rundll32',
    });
    expect(on((platform) => browserOpener({}, platform).length > 0)).toEqual({
      linux: false,
      darwin: true,
      win32: true,
    });
  });

  test('a command line is quoted for the shell of the platform', () => {
    const words = ['C:\\Program Files\\serena.exe', 'a\\b', 'say "x"', "it's"];
    const posix = `'C:\\Program Files\\serena.exe' 'a\\b' 'say "x"' 'it'\\''s'`;
    expect(on((platform) => commandLine(words, platform))).toEqual({
      linux: posix,
      darwin: posix,
      win32: '"C:\\Program Files\\serena.exe" a\\b "say \\"x\\"" "it\'s"',
    });
  });

  test('run with the names that the platform gives them', () => {
    const entry = { atLeast: '3.9', python: 'main()' };
    expect(on((platform) => pythonRunner(entry, '/home', platform).by)).toEqual({
      linux: 'python3',
      darwin: 'python3',
      win32: 'python',
    });
    const source = { from: 'dotnet', tool: 'tool', package: 'tool', version: '1.0.0', bin: 'tool' } as const;
    const program = (platform: NodeJS.Platform) => recipeOf(source, platform).program.endsWith('.exe');
    expect(on(program)).toEqual({ linux: false, darwin: false, win32: true });
    expect(on((platform) => Object.keys(defaultPath(platform)))).toEqual({
      linux: ['PATH'],
      darwin: ['PATH'],
      win32: [],
    });
  });
});

describe('packages', () => {
  test('of Python are in `Lib` on Windows', () => {
    const workspace = makeWorkspace({ 'lib/python3.12/x': '', 'Lib/site-packages/y': '' });
    const posix = [workspace.path('lib/python3.12/site-packages')];
    expect(on((platform) => sitePackages(workspace.root, platform))).toEqual({
      linux: posix,
      darwin: posix,
      win32: [workspace.path('Lib/site-packages')],
    });
  });

  test('of Go are where its settings say, which macOS keeps in `Library`', () => {
    const workspace = makeWorkspace({
      'Library/Application Support/go/env': `GOMODCACHE=/mac\n`,
      '.config/go/env': 'GOMODCACHE=/posix\n',
      'a/pkg/mod/x': '',
      'b/pkg/mod/x': '',
    });
    const [mac, posix] = [workspace.path('a/pkg/mod'), workspace.path('b/pkg/mod')];
    workspace.write('Library/Application Support/go/env', `GOMODCACHE=${mac}\n`);
    workspace.write('.config/go/env', `GOMODCACHE=${posix}\n`);
    const cache = (platform: NodeJS.Platform) =>
      goModuleCache({ HOME: workspace.root }, new ManifestReader(), platform);
    expect(on(cache)).toEqual({ linux: posix, darwin: mac, win32: posix });
  });
});

describe('processes', () => {
  test('lead their own group where there are groups', () => {
    const hasGroup = (platform: NodeJS.Platform) => ownGroupOptions(platform).detached;
    expect(on(hasGroup)).toEqual({ linux: true, darwin: true, win32: false });
    expect(isGroupAlive(process.pid, 'win32')).toBe(false);
  });

  test('are not measured on Windows', async () => {
    expect(await treeMemory([process.pid], 'win32')).toBeUndefined();
    expect(await groupUsage(process.pid, 'win32')).toBeUndefined();
    expect(await listProcesses('win32')).toEqual([]);
  });

  testUnless(whyNoProgram('ps'))('are measured by `ps` on macOS', async () => {
    const listed = await listProcesses('darwin');
    expect(listed.find(({ pid }) => pid === process.pid)?.parent).toBe(process.ppid);
    const bytes = (await treeMemory([process.pid], 'darwin'))?.get(process.pid) ?? 0;
    expect(bytes).toBeGreaterThan(1_000_000);
  });

  test('the background service is for Linux alone', () => {
    const wants = (platform: NodeJS.Platform) =>
      wantsService(['start-mcp-server'], { SERENA_SERVICE: 'auto' }, platform);
    expect(on(wants)).toEqual({ linux: true, darwin: false, win32: false });
  });
});
