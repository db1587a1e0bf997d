// Questions about PHP code: what is expected of each server, in this language.
import { php as intelephense } from '../../../src/languages/php/servers.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { testedBy } from '../../support/language-tests/tested.ts';

testCrossCheck(testedBy(intelephense), {
  files: {
    'field.php': `<?php

class Field
{
    public function clean(int $value, int $model = 1): int
    {
        return $value + $model;
    }

    public function made(int $value, int ...$others): int
    {
        return $value;
    }
}

class Narrow extends Field
{
    public function clean(int $value, int $model = 1, bool $strict = false): int
    {
        return $value;
    }
}

class Form
{
    public function clean(): int
    {
        return 1;
    }

    public function made(): int
    {
        return 1;
    }
}

class Maker
{
    public function made(int $value = 1): int
    {
        return $value;
    }
}
`,
    'use.php': `<?php

function untyped($x, $arguments)
{
    $x->clean();
    $x->clean(1);
    $x?->clean(1, 2, 3, 4, 5);
    $x->clean(model: 2);
    $x->clean(1, strict: true);
    $x->clean(1, wrong: 2);
    $x->clean(1, value: 2);
    $x->clean(...$arguments);
    $x->clean(...);
    $x->made();
    $x->made(1, any: 2);
}
`,
  },
  questions: [
    // PHP takes too many arguments, but not too few, nor names that no parameter has. It does not let `Form` override
    // `clean`, but could let a subclass of `Maker` override `made`.
    {
      symbol: 'Field/clean',
      file: 'field.php',
      lines: {},
      open: [5, 6, 8, 11, 12].map((line) => `use.php:${line}`),
    },
    { symbol: 'Field/made', file: 'field.php', lines: {}, open: ['use.php:13', 'use.php:14'] },
  ],
});
