import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import { IdeSession } from '../../support/ide-client.ts';
import { testUnless } from '../../support/skip.ts';
import { whyNoIde } from '../../support/test-ide.ts';

const basket = 'class Basket:\n    def total(self):\n        return 1\n\n\nprint(Basket().total())\n';
const library = '<ext:list.py|1a2b>';

const reason = await whyNoIde(1);
const testWithIde = testUnless(reason);

let session: IdeSession;

beforeAll(async () => {
  if (reason !== undefined) return;
  session = await IdeSession.start({ 'shop/basket.py': basket, 'shop/Basket.java': 'class Basket {}\n' });
});

afterAll(async () => {
  if (reason === undefined) await session.close();
});

// Each test sees only its own requests.
afterEach(() => {
  if (reason === undefined) session.ide.forget();
});

const total = { namePath: 'Basket/total', relativePath: 'shop/basket.py', type: 'method' };
const symbolOf = (namePath: string, type: string, more: object = {}) => ({ namePath, type, ...more });

describe('jet_brains_find_symbol', () => {
  const find = (args: object, symbols: readonly object[]) =>
    session.answered('find_symbol', args, { symbols }, '/findSymbol');
  const body = {
    namePath: 'total',
    relativePath: null,
    includeBody: false,
    depth: 0,
    includeLocation: false,
    searchDeps: false,
    includeQuickInfo: true,
    includeDocumentation: false,
    includeNumUsages: false,
  };

  testWithIde('groups matches by file and type, with signatures as text', async () => {
    const symbols = [
      { ...total, quickInfo: '<b>def</b> total(self) -&gt; int' },
      { ...total, namePath: 'Order/total', relativePath: 'shop/order.py', quickInfo: '' },
      { ...total, namePath: 'total', type: 'function', children: null },
    ];
    expect(await find({ name_path_pattern: 'total' }, symbols)).toBe(
      '{"shop/basket.py": {"method": [{"name_path": "Basket/total", "quick_info": "def total(self) -> int"}], "function": ["total"]}, "shop/order.py": {"method": ["Order/total"]}}',
    );
    expect(session.ide.requests).toEqual([{ endpoint: '/findSymbol', body }]);
  });

  testWithIde('groups members by type, by their own names', async () => {
    const member = { relativePath: 'shop/basket.py', quickInfo: 'x' };
    const children = [
      symbolOf('Basket/total', 'method', { relativePath: 'shop/basket.py' }),
      symbolOf('Basket/Line', 'class', {
        relativePath: 'shop/basket.py',
        children: [symbolOf('Basket/Line/price', 'field')],
      }),
      symbolOf('Basket/lines[1]', 'method', member),
    ];
    const hit = symbolOf('Basket', 'class', { relativePath: 'shop/basket.py', children });
    expect(await find({ name_path_pattern: 'Basket', depth: 2 }, [hit])).toBe(
      '{"shop/basket.py": {"class": [{"Basket": {"method": ["total", {"quick_info": "x", "name": "lines[1]"}], "class": [{"Line": {"field": ["price"]}}]}}]}}',
    );
    expect(session.ide.last?.body).toMatchObject({ depth: 2 });
  });

  testWithIde('requests bodies, documentation or signatures', async () => {
    for (const [args, asked] of [
      [
        { include_body: true, include_info: true },
        { includeBody: true, includeQuickInfo: false },
      ],
      [{ include_info: true }, { includeDocumentation: true, includeQuickInfo: false }],
      [{ search_deps: true }, { searchDeps: true }],
      [{ relative_path: '.' }, { relativePath: null }],
      [{ relative_path: '' }, { relativePath: null }],
      [{ relative_path: './shop/../shop' }, { relativePath: 'shop' }],
      [{ relative_path: library }, { relativePath: library, searchDeps: true }],
      [{ relative_path: '&lt;ext:list.py|1a2b&gt;' }, { relativePath: library, searchDeps: true }],
      [{ name_path_pattern: 'operator&lt;' }, { namePath: 'operator<' }],
    ]) {
      await find({ name_path_pattern: 'total', ...args }, []);
      expect(session.ide.last?.body).toEqual({ ...body, ...asked });
    }
    const shown = { ...total, body: 'def total(self):\n    return 1', documentation: '<p>Adds <i>up</i>.' };
    expect(await find({ name_path: 'total', include_body: true }, [shown])).toBe(
      '{"shop/basket.py": {"method": [{"name_path": "Basket/total", "body": "def total(self):\\n    return 1", "documentation": "Adds up."}]}}',
    );
  });

  testWithIde('returns only name paths if there are too many matches or the answer is over the limit', async () => {
    const symbols = Array.from({ length: 40 }, (_, index) => ({
      ...total,
      namePath: `Basket/total[${index}]`,
      quickInfo: 'a long signature '.repeat(5),
      children: [symbolOf(`Basket/total[${index}]/inner`, 'function')],
    }));
    const paths = JSON.stringify(symbols.map(({ namePath }) => namePath)).replaceAll(',', ', ');
    const brief = `Name paths by file and type:\n{"shop/basket.py": {"method": ${paths}}}`;
    const many = await find({ name_path_pattern: 'total', max_matches: 39 }, symbols);
    expect(many).toBe(`Matched 40>max_matches=39 symbols.\n${brief}`);
    const short = await find({ name_path_pattern: 'total', max_answer_chars: 1_200 }, symbols);
    expect(short).toStartWith('The answer has ');
    expect(short).toEndWith(`\n${brief}`);
    expect(await find({ name_path_pattern: 'total', max_answer_chars: 200 }, symbols)).not.toContain('\n');
    expect(await session.failure('find_symbol', { name_path_pattern: 'total', max_matches: 0 })).toStartWith(
      'AssertionError: ',
    );
  });

  testWithIde(
    'refuses a pattern that matches everything, except in a file, of which it shows the overview',
    async () => {
      for (const name_path_pattern of ['', '*', '**', '/', '/*/*']) {
        for (const relative_path of [null, '', 'shop', 'shop/none.py', library]) {
          expect(await session.failure('find_symbol', { name_path_pattern, relative_path })).toStartWith(
            'ValueError: ',
          );
        }
      }
      expect(session.ide.requests).toEqual([]);
      session.ide.answer('/getSymbolsOverview', { json: { symbols: [symbolOf('Basket', 'class')] } });
      const text = await session.client.ask('jet_brains_find_symbol', {
        name_path_pattern: '*',
        relative_path: 'shop/basket.py',
      });
      expect(JSON.parse(text)).toEqual({ message: expect.any(String), response: { symbols: { class: ['Basket'] } } });
      expect(Object.keys(JSON.parse(text))).toEqual(['message', 'response']);
      expect(session.ide.last?.body).toEqual({
        relativePath: 'shop/basket.py',
        depth: 0,
        includeFileDocumentation: false,
      });
    },
  );

  testWithIde('returns an empty object if nothing is found', async () => {
    expect(await find({ name_path_pattern: 'nothing' }, [])).toBe('{}');
  });
});

describe('jet_brains_find_referencing_symbols', () => {
  const place = { name_path: 'Basket/total', relative_path: 'shop/basket.py' };
  const find = (symbols: readonly object[], more: object = {}) =>
    session.answered('find_referencing_symbols', { ...place, ...more }, { symbols }, '/findReferences');
  const reference = (relativePath: string, referenceLineNo: number) =>
    symbolOf('main', 'function', { relativePath, referenceLineNo });

  testWithIde('shows the lines around each reference if the file can be read', async () => {
    const symbols = [
      reference('shop/basket.py', 5),
      reference('shop/basket.py', 0),
      reference('shop/basket.py', 99),
      reference('shop/gone.py', 3),
      reference('../outside.py', 3),
      reference(library, 7),
    ];
    expect(JSON.parse(await find(symbols))).toEqual({
      'shop/basket.py': {
        function: [
          { name_path: 'main', context: '...   4:\n  >   5:print(Basket().total())\n...   6:' },
          { name_path: 'main', context: '  >   0:class Basket:\n...   1:    def total(self):' },
          { name_path: 'main', reference_line_no: 99 },
        ],
      },
      'shop/gone.py': { function: [{ name_path: 'main', reference_line_no: 3 }] },
      '../outside.py': { function: [{ name_path: 'main', reference_line_no: 3 }] },
      [library]: { function: [{ name_path: 'main', reference_line_no: 7 }] },
    });
    expect(session.ide.last?.body).toEqual({
      namePath: 'Basket/total',
      relativePath: 'shop/basket.py',
      includeQuickInfo: false,
    });
  });

  testWithIde('counts by file, then in total, for an answer over the limit', async () => {
    const symbols = Array.from({ length: 30 }, (_, index) => reference(index < 20 ? 'shop/basket.py' : 'b.py', 5));
    expect((await find(symbols, { max_answer_chars: 250 })).split('\n').slice(1)).toEqual([
      'Number of references by file:',
      '{"shop/basket.py": 20, "b.py": 10}',
    ]);
    expect((await find(symbols, { max_answer_chars: 140 })).split('\n').slice(1)).toEqual([
      '30 references in 2 files.',
    ]);
  });

  testWithIde('returns an empty object if nothing references the symbol', async () => {
    expect(await find([], { name_path: undefined, name_path_pattern: 'Basket' })).toBe('{}');
    expect(session.ide.last?.body).toMatchObject({ namePath: 'Basket' });
  });
});

describe('jet_brains_get_symbols_overview', () => {
  const symbols = [
    symbolOf('Basket', 'class', {
      relativePath: 'shop/basket.py',
      children: [symbolOf('Basket/total', 'method'), symbolOf('Basket/lines', 'field')],
    }),
    symbolOf('main', 'function', { relativePath: 'shop/basket.py' }),
  ];
  const overview = (args: object, more: object = {}) =>
    session.answered(
      'get_symbols_overview',
      { relative_path: 'shop/basket.py', ...args },
      { symbols, ...more },
      '/getSymbolsOverview',
    );

  testWithIde('groups symbols by type, members by their own names', async () => {
    expect(await overview({ depth: 1 })).toBe(
      '{"symbols": {"class": [{"Basket": {"method": ["total"], "field": ["lines"]}}], "function": ["main"]}}',
    );
  });

  testWithIde('shows the file documentation only if requested', async () => {
    const documentation = '<p>About <b>baskets</b>.</p>';
    const asked = await overview({ depth: 1, include_file_documentation: true }, { documentation });
    expect(JSON.parse(asked)).toMatchObject({ docstring: 'About baskets.' });
    expect(session.ide.last?.body).toMatchObject({ includeFileDocumentation: true });
    expect(await overview({ include_file_documentation: true }, { documentation: null })).not.toContain('docstring');
    expect(await overview({}, { documentation })).not.toContain('docstring');
  });

  testWithIde('has a depth that suits the language', async () => {
    for (const [relative_path, depth, asked] of [
      ['shop/basket.py', undefined, 0],
      ['shop/Basket.java', undefined, 1],
      ['shop/Basket.java', 0, 0],
      ['shop/Basket.kt', -1, 1],
      [library, 3, 3],
    ]) {
      await overview({ relative_path, depth });
      expect(session.ide.last?.body).toMatchObject({ relativePath: relative_path, depth: asked });
    }
  });

  testWithIde('omits the documentation, then members, then names in an answer over the limit', async () => {
    const more = { documentation: 'x'.repeat(300) };
    const shortened = async (max_answer_chars: number) =>
      (await overview({ depth: 1, include_file_documentation: true, max_answer_chars }, more)).split('\n').slice(1);
    expect(await shortened(260)).toEqual([
      'Symbols only:',
      '{"symbols": {"class": [{"Basket": {"method": ["total"], "field": ["lines"]}}], "function": ["main"]}}',
    ]);
    expect(await shortened(190)).toEqual([
      'Top-level symbols:',
      '{"symbols": {"class": ["Basket"], "function": ["main"]}}',
    ]);
    expect(await shortened(165)).toEqual(['Number of top-level symbols by type:', '{"class": 1, "function": 1}']);
    expect(await shortened(100)).toEqual([]);
  });
});

describe('jet_brains_type_hierarchy', () => {
  const place = { name_path: 'Basket', relative_path: 'shop/basket.py' };
  const node = (namePath: string, relativePath: string, children?: readonly object[]) => ({
    symbol: symbolOf(namePath, 'class', { relativePath }),
    ...(children ? { children } : {}),
  });
  const above = [node('Root', 'b.py'), node('Other', 'b.py', [])];
  const supertypes = { hierarchy: [node('Base', 'a.py', above), node('Mixin', 'a.py')], numLevelsNotIncluded: 2 };
  const subtypes = { hierarchy: [node('Gift', 'c.py')] };
  const show = (args: object) => {
    session.ide.answer('/getSubtypes', { json: subtypes });
    return session.answered('type_hierarchy', { ...place, ...args }, supertypes, '/getSupertypes');
  };

  testWithIde('shows both directions by file, and the number of omitted levels', async () => {
    expect(await show({})).toBe(
      '{"supertypes": {"a.py": [{"Base": {"b.py": ["Root", "Other"]}}, "Mixin"]}, "subtypes": {"c.py": ["Gift"]}, "levels_not_included": {"supertypes": 2}}',
    );
    const body = { namePath: 'Basket', relativePath: 'shop/basket.py', depth: 1, limitChildren: null };
    const byEndpoint = session.ide.requests.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint));
    expect(byEndpoint).toEqual([
      { endpoint: '/getSubtypes', body },
      { endpoint: '/getSupertypes', body },
    ]);
  });

  testWithIde('shows one direction, to any depth', async () => {
    expect(await show({ hierarchy_type: 'sub', depth: null })).toBe('{"subtypes": {"c.py": ["Gift"]}}');
    expect(session.ide.requests).toEqual([
      { endpoint: '/getSubtypes', body: expect.objectContaining({ depth: null, limitChildren: null }) },
    ]);
    await show({ hierarchy_type: 'super', depth: 0 });
    expect(session.ide.last).toEqual({ endpoint: '/getSupertypes', body: expect.objectContaining({ depth: 0 }) });
  });

  testWithIde('omits further levels, then names in an answer over the limit', async () => {
    const shortened = async (max_answer_chars: number) => (await show({ max_answer_chars })).split('\n').slice(1);
    above.push(node('y'.repeat(300), 'b.py'));
    expect(await shortened(230)).toEqual([
      'Nearest types only:',
      '{"supertypes": {"a.py": ["Base", "Mixin"]}, "subtypes": {"c.py": ["Gift"]}}',
    ]);
    expect(await shortened(150)).toEqual(['Number of types:', '{"supertypes": 5, "subtypes": 1}']);
  });

  testWithIde('returns empty objects if there are no types', async () => {
    session.ide.answer('/getSubtypes', { json: {} });
    expect(await session.answered('type_hierarchy', place, { hierarchy: [] }, '/getSupertypes')).toBe(
      '{"supertypes": {}, "subtypes": {}}',
    );
  });
});

testWithIde('older names of the tools and of their parameters work', async () => {
  const json = { symbols: [total] };
  session.ide.answer('/findSymbol', { json });
  session.ide.answer('/inlineSymbol', { json: {} });
  for (const name of ['jb_find_symbol', 'jetbrains_find_symbol', 'mcp__serena__jet_brains_find_symbol']) {
    expect(await session.client.ask(name, { name_path: 'total' })).toBe(
      '{"shop/basket.py": {"method": ["Basket/total"]}}',
    );
  }
  const args = { name_path_pattern: 'Basket/total', relative_path: 'shop/basket.py' };
  expect(await session.client.ask('jet_brains_inline', args)).toBe('{}');
  expect(session.ide.last?.body).toMatchObject({ namePath: 'Basket/total' });
});

testWithIde('every path of these tools must be in the project', async () => {
  for (const name of [
    'find_symbol',
    'find_referencing_symbols',
    'get_symbols_overview',
    'type_hierarchy',
    'find_declaration',
    'find_implementations',
    'run_inspections',
  ]) {
    const args = { name_path_pattern: 'x', name_path: 'x', regex: '(x)', relative_path: '../x' };
    expect(await session.failure(name, args)).toStartWith('ValueError: the path `../x` is outside the project');
  }
  expect(session.ide.requests).toEqual([]);
});
