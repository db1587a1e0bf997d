import { beforeAll, expect, test } from 'bun:test';
import { angular } from '../../src/servers/catalog/specs/angular.ts';
import { startClient } from '../support/client.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs } from './opened.ts';

beforeAll(() => install(angular), installTimeoutMs);

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
