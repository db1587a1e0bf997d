import { beforeAll, expect, test } from 'bun:test';
import { angular } from '../../src/servers/specs/angular.ts';
import { startClient } from '../support/client.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs } from './opened.ts';

beforeAll(() => install(angular), installTimeoutMs);

test(
  'classes have symbols, uses and diagnostics, and the answer names the templates that it leaves out',
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
