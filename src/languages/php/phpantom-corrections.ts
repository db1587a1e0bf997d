import type { Quirks } from '../../servers/quirks.ts';
import { PhpNames } from '../../text/php-names.ts';
import { syntaxRanges } from './syntax-ranges.ts';

/**
 * PHPantom 0.9 reports no ranges of constants and properties, those of functions without their modifiers, and leads `use
 * function` and `use const` nowhere. Its rename replaces aliases (`use Bag as Sack`) and qualified names. It checks files
 * in the background and reports, until that has ended, what it found in the text before, or nothing. Covered by
 * `test/servers/php_phpantom.test.ts`.
 */
export const phpantomQuirks: Quirks = {
  completeSymbols: syntaxRanges('php'),
  namesInCode: (read) => new PhpNames(read),
  renamesWrongly: true,
  // A changed document is parsed in the background, an opened one before the next request is answered.
  reopensWhenMatching: /^/,
  diagnostics: async () => undefined,
  noDiagnosticsReason: 'does not report when it has checked a file',
};
