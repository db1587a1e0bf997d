import { expect } from 'bun:test';
import { phpPhpantom } from '../../../src/languages/php/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { describeInstalled } from '../../servers/installed.ts';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { phpQuestions } from './questions.ts';

const program = 'phpantom_lsp';

describeInstalled(phpPhpantom, {
  fixture: 'php',
  program,
  // 0.8 reports functions that are no longer in a file.
  probe: { args: ['--version'], prints: / (?:0\.(?:9|\d\d)|[1-9])/ },
  questions: phpQuestions,
});

const shop = `<?php
namespace Shop;
const CURRENCY = 'EUR';
function sum(int $a): int { return $a; }
class Bag { public int $size = 2; public function get(): int { return $this->size; } }
class Box { public int $size = 1; }
`;
const user = `<?php
namespace Other;
use function Shop\\{sum as add, nothing};
use const Shop\\CURRENCY;
use Shop\\{Box, Bag as Sack};
function f(Box $b, Sack $s) { return add($b->size + $s->size + \\Shop\\sum(1)) . CURRENCY . $s->get(); }
`;

testUnless(whyNoProgram(program))(
  'PHPantom: a rename keeps aliases, and changes imports, qualified names and properties',
  async () => {
    const project = makeWorkspace({
      'shop.php': shop,
      'user.php': user,
      '.serena/project.yml': 'language_servers:\n  - php_phpantom\n',
    });
    const env = { SERENA_HOME: makeHome(), SERENA_PREFER: 'system' };
    await using client = await startClient({ args: ['--project', project.root], env });
    const rename = (name_path: string, new_name: string) =>
      client.ask('rename_symbol', { name_path, relative_path: 'shop.php', new_name });
    await rename('sum', 'total');
    await rename('CURRENCY', 'MONEY');
    await rename('Bag', 'Pouch');
    await rename('Box/$size', '$width');
    expect(project.read('shop.php')).toBe(
      shop
        .replace('sum', 'total')
        .replace('CURRENCY', 'MONEY')
        .replace('Bag', 'Pouch')
        .replace('Box { public int $size', 'Box { public int $width'),
    );
    expect(project.read('user.php')).toBe(
      user
        .replace('sum as', 'total as')
        .replace('\\sum', '\\total')
        .replaceAll('CURRENCY', 'MONEY')
        .replace('Bag as', 'Pouch as')
        .replace('$b->size', '$b->width'),
    );
  },
  questionTimeoutMs,
);
