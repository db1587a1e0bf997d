import { beforeAll, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages } from '../../../scripts/support/fetch-packages.ts';
import { angular } from '../../../src/languages/web/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { startClient } from '../../support/client.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

beforeAll(() => install(angular), installTimeoutMs);

const formatAmount = { namePath: 'formatAmount', file: 'src/helper.ts' };

/** Links the packages of Angular into a project, as `npm install` would put them there. */
async function addPackages(workspace: Workspace): Promise<void> {
  const packages = await fetchPackages('@angular/core', '22.1.0');
  symlinkSync(join(packages, 'node_modules'), workspace.path('node_modules'), 'junction');
}

describeServer(angular, {
  fixture: 'angular',
  prepare: addPackages,
  questions: {
    overview: ['src/price.html', 'src/shop.html', 'src/shop.ts', 'src/helper.ts'],
    find: ['label', '/Basket', 'Basket/add', 'total', { part: 'tota' }, 'nowhere'],
    body: [
      { namePath: 'Price/label', file: 'src/price.ts' },
      { namePath: 'Basket/add', file: 'src/helper.ts' },
      formatAmount,
    ],
    containing: [
      { file: 'src/price.ts', at: /return '🧾 ' \+ (formatAmount)/ },
      { file: 'src/price.html', at: /🧾 \{\{ (label)/ },
      { file: 'src/shop.html', at: /\{\{ (points)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket/total', file: 'src/helper.ts' },
      { namePath: 'Points/total', file: 'src/helper.ts' },
      { namePath: 'Price/label', file: 'src/price.ts' },
      { namePath: 'Shop/label', file: 'src/shop.ts' },
      { namePath: 'Price/cents', file: 'src/price.ts' },
      { namePath: '<b>/amount', file: 'src/price.html' },
      { namePath: '@for (item of basket.items)/item', file: 'src/shop.html' },
    ],
    implementation: { namePath: 'Basket', file: 'src/helper.ts' },
    diagnostics: { clean: 'src/clean.html', broken: 'src/broken.html' },
    rename: { file: 'src/price.ts', at: /(label)\(\): string/, to: 'text' },
    edit: {
      symbol: { namePath: 'Basket/total', file: 'src/helper.ts' },
      appended: '\nexport function sumOf(basket: Basket): number {\n  return basket.total();\n}\n',
      defines: 'sumOf',
      user: 'src/shop.html',
      prepended: '\n',
    },
    external: {
      symbol: { namePath: 'Basket/total', file: 'src/helper.ts' },
      file: 'src/late.html',
      text: '<p>{{ basket.total() }}</p>\n',
      changed: '<p>\n{{ basket.total() > 0 }}</p>\n',
      // A file that is no template refers to nothing.
      moved: 'src/other.html',
    },
  },
});

// Asked for several at once, ngserver checked one of them; without a version, it could mean an earlier text.
test(
  'templates that are checked at the same time have the errors of the present files',
  async () => {
    await using workspace = copyFixture('angular');
    await addPackages(workspace);
    await using opened = await Opened.open(workspace, angular);
    const files = ['src/clean.html', 'src/broken.html', 'src/shop.html', 'src/price.html'];
    const check = () =>
      Promise.all(files.map((file) => opened.ask(async (symbols) => (await symbols.diagnosticsOfFile(file)).length)));
    expect(await check()).toEqual([0, 2, 0, 0]);
    workspace.write('src/helper.ts', workspace.read('src/helper.ts').replaceAll('total(', 'sum('));
    expect(await check()).toEqual([0, 1, 4, 0]);
  },
  questionTimeoutMs,
);

test(
  'a rename changes scripts and templates',
  async () => {
    await using workspace = copyFixture('angular');
    await addPackages(workspace);
    workspace.write('.serena/project.yml', 'language_servers: [angular]\n');
    await using client = await startClient({ args: ['--project', workspace.root] });
    const rename = (name_path: string, relative_path: string, new_name: string) =>
      client.call('rename_symbol', { name_path, relative_path, new_name });
    const inputs = await rename('Price/cents', 'src/price.ts', 'amountOf');
    expect(inputs.text).toContain('3 files changed');
    expect(workspace.read('src/price.ts')).toContain('formatAmount(this.amountOf())');
    expect(workspace.read('src/price.html')).toContain('{{ amountOf() }}');
    expect(workspace.read('src/shop.html')).toContain('<app-price [amountOf]="basket.total()" />');
    expect(workspace.read('src/shop.html')).toContain('<app-price [amountOf]="item" />');
    await rename('Basket/total', 'src/helper.ts', 'sum');
    expect(workspace.read('src/shop.html')).toContain('🧾 {{ label() }}: {{ basket.sum() }}, {{ points.total() }}');
    await rename('<b>/amount', 'src/price.html', 'sum');
    expect(workspace.read('src/price.html')).toBe(
      '<b class="price" #sum>🧾 {{ label() }}</b>\n<p [title]="label()">{{ sum.textContent }}, {{ amountOf() }}</p>\n',
    );
  },
  questionTimeoutMs,
);

test(
  'names the bindings of a read-only input that the server does not resolve',
  async () => {
    await using workspace = copyFixture('angular');
    await addPackages(workspace);
    workspace.write(
      'tsconfig.json',
      workspace.read('tsconfig.json').replace('InputAccessModifiers": true', 'InputAccessModifiers": false'),
    );
    await using opened = await Opened.open(workspace, angular);
    const { answer, missing } = await opened.askPartly((symbols) =>
      referencesTo(symbols, 'Price/cents', 'src/price.ts'),
    );
    expect(placesOf(answer)).toEqual(['src/price.html:1', 'src/price.ts:11']);
    expect(missing).toEqual([
      [
        'References may be missing: the language server cannot resolve 2 occurrences of `cents`',
        'it has no known definition:',
        '  src/shop.html:0: <app-price [cents]="basket.total()" />',
        '  src/shop.html:5: <app-price [cents]="item" />',
      ].join('\n'),
    ]);
    const others = await opened.askPartly((symbols) => referencesTo(symbols, 'Shop/points', 'src/shop.ts'));
    expect(placesOf(others.answer)).toEqual(['src/shop.html:2']);
    expect(others.missing).toEqual([]);
  },
  questionTimeoutMs,
);

test(
  'classes have symbols, references and diagnostics, and the answer names the templates that it does not cover',
  async () => {
    await using project = makeWorkspace({
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }\n',
      'src/app.component.ts':
        "export class AppComponent {\n  greeting = 'Hello';\n  greet(): string {\n    return this.greeting;\n  }\n}\n",
      'src/app.component.html': '<h1>{{ greeting }}</h1>\n',
      'src/broken.ts': 'export const price: number = "ten";\n',
      '.serena/project.yml': 'language_servers: [angular]\n',
    });
    await using client = await startClient({ args: ['--project', project.root] });
    const file = 'src/app.component.ts';
    const overview = await client.ask('get_symbols_overview', { relative_path: file });
    expect(JSON.parse(overview)).toEqual({ Class: ['AppComponent'] });
    const uses = await client.call('find_referencing_symbols', {
      name_path: 'AppComponent/greeting',
      relative_path: file,
    });
    expect(uses.text).toContain('this.greeting');
    expect(uses.blocks[1]).toContain('src/app.component.html');
    expect(await client.ask('get_diagnostics_for_file', { relative_path: 'src/broken.ts' })).toContain(
      'not assignable',
    );
  },
  questionTimeoutMs,
);

test(
  'references in templates are found if the project has the packages of Angular',
  async () => {
    await using project = makeWorkspace({
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "target": "es2022", "module": "es2022", "moduleResolution": "bundler", "experimentalDecorators": true }, "include": ["src"] }\n',
      'node_modules/@angular/core/package.json':
        '{ "name": "@angular/core", "version": "22.1.0", "types": "index.d.ts" }\n',
      'node_modules/@angular/core/index.d.ts':
        'export declare function Component(options: object): (type: unknown) => void;\n',
      'src/app.component.ts':
        "import { Component } from '@angular/core';\n\n@Component({ selector: 'app-root', templateUrl: './app.component.html' })\nexport class AppComponent {\n  greeting = 'Hello';\n  welcome(): string {\n    return this.greeting;\n  }\n}\n",
      'src/app.component.html': '<h1>{{ greeting }}</h1>\n<p>{{ welcome() }}</p>\n',
      'src/other.html': '<p>greeting</p>\n',
      'apart/tsconfig.json': '{ "include": ["."] }\n',
      'apart/far.html': '<p>{{ greeting }}</p>\n',
      '.serena/project.yml': 'language_servers: [angular]\n',
    });
    await using client = await startClient({ args: ['--project', project.root] });
    const file = 'src/app.component.ts';
    const usesOf = (name_path: string) => client.call('find_referencing_symbols', { name_path, relative_path: file });
    const greeting = await usesOf('AppComponent/greeting');
    expect(Object.keys(JSON.parse(greeting.text))).toEqual(['src/app.component.html', file]);
    expect(greeting.text).toContain('{{ greeting }}');
    expect(greeting.text.match(/this\.greeting/g)).toHaveLength(1);
    // Another project was not searched for templates.
    expect(greeting.blocks[1]).toContain('`apart/far.html`');
    expect(greeting.blocks[1]).not.toContain('src/');
    const welcome = await usesOf('AppComponent/welcome');
    expect(Object.keys(JSON.parse(welcome.text))).toEqual(['src/app.component.html']);
    expect(welcome.blocks).toHaveLength(1);
    const refused = await client.call('safe_delete_symbol', {
      name_path_pattern: 'AppComponent/welcome',
      relative_path: file,
    });
    expect(refused.text).toContain('src/app.component.html');
    expect(project.read(file)).toContain('welcome()');
  },
  questionTimeoutMs,
);
