import { beforeAll, expect } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const whyNot = whyNoClangd();

beforeAll(() => install(cpp), installTimeoutMs);

testUnless(whyNot)(
  'clangd reports no symbols for macros: they come from the syntax tree, their references from clangd',
  async () => {
    const project = makeWorkspace({
      'limits.hpp':
        '#ifndef LIMITS_HPP\n#define LIMITS_HPP\n#define SIZE 10\nnamespace shop {\n' +
        '#define TWICE(x) \\\n  ((x) * 2)\n#define UNUSED\nint room();\n}\n#endif\n',
      'room.cpp': '#include "limits.hpp"\n#ifdef SIZE\nint shop::room() {\n  return TWICE(SIZE);\n}\n#endif\n// SIZE\n',
    });
    const command = { directory: project.root, file: 'room.cpp', arguments: ['c++', '-c', 'room.cpp'] };
    project.write('compile_commands.json', JSON.stringify([command]));
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    const overview = await client.ask('get_symbols_overview', { relative_path: 'limits.hpp', depth: 1 });
    expect(JSON.parse(overview)).toEqual({
      Constant: ['SIZE'],
      Namespace: [{ shop: { Function: ['TWICE', 'room'], Constant: ['UNUSED'] } }],
    });
    const body = await client.ask('find_symbol', { name_path_pattern: 'TWICE', include_body: true });
    expect(JSON.parse(body)[0].body).toBe('#define TWICE(x) \\\n  ((x) * 2)');
    const linesOf = async (name: string) => {
      const uses = await client.ask('find_referencing_symbols', { name_path: name, relative_path: 'limits.hpp' });
      return [...uses.matchAll(/> +(\d+):/g)].map(([, line]) => Number(line));
    };
    expect(await linesOf('SIZE')).toEqual([1, 3]);
    expect(await linesOf('TWICE')).toEqual([3]);
    const remove = (name: string) =>
      client.ask('safe_delete_symbol', { name_path_pattern: name, relative_path: 'limits.hpp' });
    expect(await remove('SIZE')).toMatch(
      /^Cannot delete `SIZE`; incomplete: 2 open\n(?:.*\n){2} {4}room\.cpp:1: .*\n {4}room\.cpp:3: /,
    );
    await remove('UNUSED');
    expect(project.read('limits.hpp')).not.toContain('UNUSED');
    const rename = { name_path: 'SIZE', relative_path: 'limits.hpp', new_name: 'LENGTH' };
    expect((await client.call('rename_symbol', rename)).isError).toBe(true);
    expect(project.read('room.cpp')).toContain('TWICE(SIZE)');
  },
  questionTimeoutMs,
);
