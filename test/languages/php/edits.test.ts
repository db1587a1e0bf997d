// Edits of PHP code: what is expected of each server, in this language.
import { php } from '../../../src/languages/php/servers.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testedBy } from '../../support/language-tests/tested.ts';

testInsertions(testedBy(php), {
  file: 'a.php',
  files: { '.serena/project.yml': 'language_servers: [php]\n' },
  name: 'total',
  text: '<?php\n\n»/** Sums. */\n#[Pure]\nfunction total(): int\n{\n    return 1;\n}\n',
  body: '$x = 1;',
});
