import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { LspClient } from '../support/lsp-client.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { languageProjects } from './language-projects.ts';

setDefaultTimeout(240_000);

for (const [language, project] of Object.entries(languageProjects)) {
  const lspTest = testUnless(project.whyNot);
  describe(`serena lsp in ${language}`, () => {
    let workspace: Workspace;
    let client: LspClient;
    const { declares, uses, call, type, method } = project;
    const wordOf = (pattern: RegExp, file: string) => pattern.exec(workspace.read(file))?.[1] ?? '';

    beforeAll(async () => {
      if (project.whyNot !== undefined) return;
      workspace = makeWorkspace(project.files);
      client = await LspClient.start(workspace, { env: project.env ?? {} });
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
        ...(project.namesakes ?? []),
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
      // JDT LS appends parameters and type.
      expect(items.map(({ name }) => /\w+/.exec(name)?.[0].toLowerCase())).toEqual(['area']);
      const callers = await client.ask<{ from: { name: string } }[]>('callHierarchy/incomingCalls', { item: items[0] });
      expect(callers.map(({ from }) => /\w+/.exec(from.name)?.[0].toLowerCase())).toContain('measure');
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
