import { PhpNames } from '../../../text/php-names.ts';
import type { Quirks } from '../quirks.ts';
import { syntaxRanges } from './syntax-ranges.ts';

/**
 * PHPantom 0.8 reports the name as the range of a function, and leads `use function` and `use const` nowhere. Its rename
 * replaces aliases (`use Bag as Sack`), qualified names and a part of a property's name. Covered by
 * `test/servers/php_phpantom.test.ts`.
 */
export const phpantomQuirks: Quirks = {
  completeSymbols: syntaxRanges('php'),
  namesInCode: (read) => new PhpNames(read),
  renamesWrongly: true,
};
