import { expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { openShared } from '../../support/shared-session.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 180_000;

async function overviewOf(file: string, text: string, id: string): Promise<unknown> {
  const { client } = await openShared({
    [file]: text,
    '.serena/project.yml': `language_servers: [${id}]\n`,
  });
  return JSON.parse(await client.ask('get_symbols_overview', { relative_path: file }));
}

test(
  'an overview of HTML shows elements with an id or a class, and definitions in scripts',
  async () => {
    const text = [
      '<html><head><script>\nfunction total() {\n}\n</script></head>',
      '<body><nav id="menu"><ul class="wide"><li>One</li></ul></nav>',
      '<main><p>Text</p><form id="buy"><button class="go">Buy</button></form></main></body></html>\n',
    ].join('\n');
    const found = await overviewOf('index.html', text, 'html');
    expect(found).toEqual({ Function: ['total'], Field: ['nav#menu', 'ul.wide', 'form#buy', 'button.go'] });
  },
  timeoutMs,
);

test(
  'an overview of HTML without ids and classes shows its top-level elements',
  async () => {
    expect(await overviewOf('a.html', '<p>Text</p>\n', 'html')).toEqual({ Field: ['p'] });
  },
  timeoutMs,
);

test.each(['typescript', 'typescript_vts'])(
  'an overview of a script inside a function shows the contents of the function: %s',
  async (id) => {
    const text =
      ';(function () {\n  var limit = 1;\n  function add(a, b) {\n    return a + b;\n  }\n  root.add = add;\n}.call(this));\n';
    expect(await overviewOf('lib.js', text, id)).toEqual({ Variable: ['limit'], Function: ['add'] });
  },
  timeoutMs,
);

test('an overview that is too long shows fewer levels of members, then only counts', async () => {
  const nested = (name: string) => `class ${name}:\n  class ${name}Inner:\n    class ${name}Innermost:\n      pass\n`;
  const text = Array.from({ length: 40 }, (_, index) => nested(`Name${index}`)).join('\n');
  const project = makeWorkspace({ 'a.py': text });
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const overview = (depth: number, max_answer_chars = -1) =>
    client.ask('get_symbols_overview', { relative_path: 'a.py', depth, max_answer_chars });
  const [top, inner, all] = await Promise.all([overview(0), overview(1), overview(2)]);
  // Space for the line that describes the shorter form.
  const room = 200;
  expect(await overview(2, all.length)).toBe(all);
  expect(await overview(2, inner.length + room)).toEndWith(`Symbols with 1 level of members:\n${inner}`);
  expect(await overview(9, inner.length + room)).toEndWith(`Symbols with 1 level of members:\n${inner}`);
  expect(await overview(2, top.length + room)).toEndWith(`Top-level symbols:\n${top}`);
  expect(await overview(1, top.length + room)).toEndWith(`Top-level symbols:\n${top}`);
  expect(await overview(2, room)).toEndWith('Number of top-level symbols by kind:\n{"Class": 40}');
});
