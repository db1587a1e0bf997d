import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { LspClient } from '../support/lsp-client.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

setDefaultTimeout(240_000);

/** A project of two files in one language, with the questions that every language gets. */
interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly languageId: string;
  /** The file that declares a type with a method, and a type that implements it. */
  readonly declares: string;
  /** The file that uses the type. */
  readonly uses: string;
  readonly type: RegExp;
  readonly method: RegExp;
  /** A call of the method in `uses`, and all places of the method. */
  readonly call: RegExp;
  readonly places: readonly string[];
  readonly hover: string;
  /** The same method, where a type implements it. */
  readonly implementation: string;
  /** A local variable in `uses`, and all its places. */
  readonly local: RegExp;
  readonly localPlaces: readonly string[];
  /** What replaces the name of the method in its declaration to break the file that uses it, and the new problem. */
  readonly broken: readonly [from: RegExp, to: string];
  readonly problem: RegExp;
  readonly whyNot?: string | undefined;
}

const projects: Readonly<Record<string, Project>> = {
  Python: {
    languageId: 'python',
    files: {
      'shapes.py':
        'class Shape:\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return 4\n',
      'use.py':
        'from shapes import Shape\n\n\ndef measure(shape: Shape) -> int:\n    result = shape.area()\n    return result\n',
    },
    ...{ declares: 'shapes.py', uses: 'use.py', type: /class (Shape):/, method: /def (area)[^\n]*\n {8}return 0/ },
    call: /shape\.(area)/,
    places: ['shapes.py:1:8', 'use.py:4:19'],
    hover: 'area() -> int',
    implementation: 'shapes.py:6:8',
    ...{ local: /(result) =/, localPlaces: ['use.py:4:4', 'use.py:5:11'] },
    broken: [/area/g, 'size'],
    problem: /Cannot access attribute "area"/,
  },
  TypeScript: {
    languageId: 'typescript',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" } }\n',
      'shapes.ts':
        'export interface Shape {\n  area(): number;\n}\n\nexport class Square implements Shape {\n  area(): number {\n    return 4;\n  }\n}\n',
      'use.ts':
        "import type { Shape } from './shapes.ts';\n\nexport function measure(shape: Shape): number {\n  const result = shape.area();\n  return result;\n}\n",
    },
    ...{ declares: 'shapes.ts', uses: 'use.ts', type: /interface (Shape)/, method: /(area)\(\): number;/ },
    call: /shape\.(area)/,
    places: ['shapes.ts:1:2', 'shapes.ts:5:2', 'use.ts:3:23'],
    hover: 'Shape.area(): number',
    implementation: 'shapes.ts:5:2',
    ...{ local: /const (result)/, localPlaces: ['use.ts:3:8', 'use.ts:4:9'] },
    broken: [/area/g, 'size'],
    problem: /Property 'area' does not exist/,
  },
  Go: {
    languageId: 'go',
    whyNot: whyNoGo(),
    files: {
      'go.mod': 'module shapes\n\ngo 1.24\n',
      'shapes.go':
        'package shapes\n\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{}\n\nfunc (s Square) Area() int {\n\treturn 4\n}\n',
      'use.go': 'package shapes\n\nfunc Measure(shape Shape) int {\n\tresult := shape.Area()\n\treturn result\n}\n',
    },
    ...{ declares: 'shapes.go', uses: 'use.go', type: /type (Shape)/, method: /\t(Area)\(\) int/ },
    call: /shape\.(Area)/,
    places: ['shapes.go:3:1', 'shapes.go:8:16', 'use.go:3:17'],
    hover: 'Area() int',
    implementation: 'shapes.go:8:16',
    ...{ local: /(result) :=/, localPlaces: ['use.go:3:1', 'use.go:4:8'] },
    broken: [/Area/g, 'Size'],
    problem: /shape\.Area undefined/,
  },
};

for (const [language, project] of Object.entries(projects)) {
  const lspTest = testUnless(project.whyNot);
  describe(`serena lsp in ${language}`, () => {
    let workspace: Workspace;
    let client: LspClient;
    const { declares, uses, call, type, method } = project;
    const wordOf = (pattern: RegExp, file: string) => pattern.exec(workspace.read(file))?.[1] ?? '';

    beforeAll(async () => {
      if (project.whyNot !== undefined) return;
      workspace = makeWorkspace(project.files);
      client = await LspClient.start(workspace);
      await client.open(uses, project.languageId);
    });
    afterAll(async () => {
      await client?.[Symbol.asyncDispose]();
    });

    lspTest('lists the symbols of documents and of the workspace', async () => {
      const tree = await client.ask<{ name: string }[]>('textDocument/documentSymbol', client.document(declares));
      expect(tree.map(({ name }) => name)).toContain('Shape');
      const found = await client.ask<{ name: string; location: { uri: string } }[]>('workspace/symbol', {
        query: 'Shap',
      });
      expect(found.map(({ name, location }) => `${client.fileOf(location.uri)} ${name}`)).toEqual([
        `${declares} Shape`,
      ]);
    });

    lspTest('finds definitions, references and implementations', async () => {
      const [declaration = ''] = project.places;
      expect(await client.places('textDocument/definition', client.at(uses, call))).toEqual([declaration]);
      expect(await client.references(uses, call)).toEqual([...project.places]);
      expect(await client.references(declares, method)).toEqual([...project.places]);
      const implementing = await client.places('textDocument/implementation', client.at(declares, type));
      expect(implementing.map((place) => place.replace(/:.*/, ''))).toEqual([declares]);
      expect(await client.places('textDocument/implementation', client.at(uses, call))).toContain(
        project.implementation,
      );
      expect(client.shown).toEqual([]);
    });

    lspTest('passes on what the language server says', async () => {
      const hover = await client.ask('textDocument/hover', client.at(uses, call));
      expect(JSON.stringify(hover)).toContain(project.hover);
      expect(await client.references(uses, project.local)).toEqual([...project.localPlaces]);
      const marked = await client.ask<unknown[]>('textDocument/documentHighlight', client.at(uses, project.local));
      expect(marked).toHaveLength(2);
      const items = await client.ask<{ name: string }[]>('textDocument/prepareCallHierarchy', client.at(uses, call));
      expect(items.map(({ name }) => name.toLowerCase())).toEqual(['area']);
      const callers = await client.ask<{ from: { name: string } }[]>('callHierarchy/incomingCalls', { item: items[0] });
      expect(callers.map(({ from }) => from.name.toLowerCase())).toContain('measure');
    });

    lspTest('renames everywhere, and writes nothing itself', async () => {
      const before = Object.keys(project.files).map((file) => workspace.read(file));
      const word = wordOf(call, uses);
      const { placeholder } = await client.ask<{ placeholder: string }>(
        'textDocument/prepareRename',
        client.at(uses, call),
      );
      expect(placeholder).toBe(word);
      const texts = await client.renamed(uses, call, 'Extent');
      expect(texts[uses]).toBe(workspace.read(uses).replaceAll(word, 'Extent'));
      expect(texts[declares]).toBe(workspace.read(declares).replaceAll(word, 'Extent'));
      const locals = await client.renamed(uses, project.local, 'outcome');
      expect(locals).toEqual({ [uses]: workspace.read(uses).replaceAll('result', 'outcome') });
      expect(await rejection(client.renamed(uses, call, 'not a name'))).toContain('not a name');
      expect(Object.keys(project.files).map((file) => workspace.read(file))).toEqual(before);
    });

    lspTest('reports the problems that somebody else causes in another file, and that they are gone', async () => {
      expect(await client.problems(uses)).toEqual([]);
      const asked: string[] = [];
      client.raw.listen('workspace/diagnostic/refresh', () => asked.push('refresh'));
      const text = workspace.read(declares);
      workspace.write(declares, text.replaceAll(...project.broken));
      await eventually('a request to ask again', () => asked.length > 0);
      expect((await client.problems(uses)).join('\n')).toMatch(project.problem);
      workspace.write(declares, text);
      expect(await client.problems(uses)).toEqual([]);
    });
  });
}
