import { expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 180_000;

test(
  'a definition is deleted completely from a file that ends with `?>`',
  async () => {
    const text =
      '<?php\n\nfunction unused() {\n    return 1;\n}\n\nfunction used() {\n    return 2;\n}\necho used();\n?>\n';
    await using project = makeWorkspace({ 'a.php': text, '.serena/project.yml': 'language_servers: [php]\n' });
    await using client = await startClient({ args: ['--project', project.root] });
    const found = await client.ask('find_symbol', { name_path_pattern: 'unused', include_body: true });
    expect(JSON.parse(found)).toMatchObject([{ body: 'function unused() {\n    return 1;\n}' }]);
    const unused = { name_path_pattern: 'unused', relative_path: 'a.php' };
    expect(await client.ask('safe_delete_symbol', unused)).toStartWith('Deleted `unused`: 1 file changed');
    expect(project.read('a.php')).toBe('<?php\n\nfunction used() {\n    return 2;\n}\necho used();\n?>\n');
  },
  timeoutMs,
);

test(
  'closures are found in the whole project, although their name is not in the text',
  async () => {
    const files = {
      'a.php': '<?php\n$add = function (int $a) {\n    return $a;\n};\n',
      'b.php': '<?php\n$two = fn ($b) => $b * 2;\n',
    };
    await using project = makeWorkspace({ ...files, '.serena/project.yml': 'language_servers: [php]\n' });
    await using client = await startClient({ args: ['--project', project.root] });
    const found: unknown = JSON.parse(await client.ask('find_symbol', { name_path_pattern: 'Closure' }));
    expect(found).toMatchObject([
      { name_path: 'Closure', relative_path: 'a.php' },
      { name_path: 'Closure', relative_path: 'b.php' },
    ]);
  },
  timeoutMs,
);

test(
  'files above `maxFileSize` are not indexed',
  async () => {
    const padding = `// ${'x'.repeat(2_000)}\n`;
    const files = {
      'a.php': '<?php\nfunction total() {\n    return 1;\n}\n',
      'b.php': `<?php\n${padding}echo total();\n`,
    };
    const uses = async (settings: object) => {
      await using project = makeWorkspace({ ...files, '.serena/project.yml': 'language_servers: [php]\n' });
      const home = makeHome({ ls_specific_settings: { php: settings } });
      symlinkSync(join(sharedHome(), 'language_servers'), join(home, 'language_servers'));
      await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
      return await client.ask('find_referencing_symbols', { name_path: 'total', relative_path: 'a.php' });
    };
    expect(await uses({})).toContain('b.php');
    expect(await uses({ maxFileSize: 1_000 })).not.toContain('b.php');
  },
  timeoutMs,
);
