import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, onPath } from '../../servers/spec.ts';
import type { CodeMeaning, CodeNames, CodePlace, ReadCode } from '../../text/code-names.ts';
import { splitLines } from '../../text/lines.ts';
import { withEach, withSyntaxRanges } from '../corrections.ts';

const wordsBefore =
  /(?:(?<![\w$>:])(?:abstract|final|readonly|static|public|protected|private|function|class|interface|trait|enum)\s+)+&?$/i;

/**
 * intelephense 1.18 starts the range of a definition at its name in a file that ends with `?>`:
 *
 * ```php
 * <?php
 * function total() {}   // the range begins at `total`: a deletion would leave `function`
 * ?>
 * ```
 *
 * Covered by "?>" in `test/languages/php/php.test.ts`.
 */
const intelephenseQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = splitLines(text);
    return withEach(symbols, (symbol) => {
      const { start, end } = symbol.range;
      const words = wordsBefore.exec((lines[start.line] ?? '').slice(0, start.character));
      return words === null
        ? symbol
        : { ...symbol, range: { start: { line: start.line, character: words.index }, end } };
    });
  },
  syntheticNames: ['Closure'],
};

/**
 * PHPantom 0.9 reports incomplete ranges, and its rename also replaces aliases and qualified names:
 *
 * ```php
 * const LIMIT = 10;                   // the range is `LIMIT`
 * public static function total() {}   // the range is `function total() {}`
 * use Shop\Bag as Sack;               // a rename of `Bag` replaces `Sack` and `Shop\Bag`
 * ```
 *
 * It checks files in the background and reports, until that has ended, what it found in the text before, or nothing.
 * Covered by "body" of its conformance answers and `test/languages/php/php_phpantom.test.ts`.
 */
const phpantomQuirks: Quirks = {
  completeSymbols: (symbols, text) => withSyntaxRanges('php', symbols, { text }),
  renamesWrongly: true,
  // A changed document is parsed in the background, an opened one before the next request is answered.
  reopensWhenMatching: /^/,
  diagnostics: async () => undefined,
  noDiagnosticsReason: 'does not report when it has checked a file',
};

export const php = defineServer({
  id: 'php',
  name: 'intelephense',
  homepage: 'https://intelephense.com',
  license: { terms: 'proprietary (https://intelephense.com/license.html)', isRedistributable: false },
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    {
      from: 'npm',
      packages: { intelephense: '1.18.5' },
      isBundled: true,
      entry: 'node_modules/intelephense/lib/intelephense.js',
    },
  ],
  versionKey: 'intelephense_version',
  args: ['--stdio'],
  // The defaults are below the user's home directory.
  initializationOptions: { storagePath: '{temp}', globalStoragePath: '{temp}' },
  env: { NODE_OPTIONS: '--max-old-space-size={maxMemory}' },
  ownSettings: { maxMemory: null, maxFileSize: null, file_filter: null },
  settings: {
    intelephense: {
      telemetry: { enabled: false },
      files: { maxSize: '{maxFileSize}', associations: '{file_filter}' },
    },
  },
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /^Indexer: Indexing finished/ },
    timeoutMs: 60_000,
  },
  ignoredDirectories: ['node_modules', 'vendor', 'cache'],
  quirks: intelephenseQuirks,
  symbolsVersion: 2,
});

export const phpPhpactor = defineServer({
  id: 'php_phpactor',
  name: 'Phpactor',
  homepage: 'https://phpactor.readthedocs.io',
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    {
      from: 'archive',
      version: '2025.12.21.1',
      url: 'https://github.com/phpactor/phpactor/releases/download/{version}/{file}',
      assets: { any: { file: 'phpactor.phar', bin: 'phpactor.phar' } },
      runs: { by: 'php' },
    },
  ],
  args: ['language-server'],
  needsExplicitChoice: true,
  requires: [{ program: 'php', hint: 'install PHP 8.1 or newer' }],
  versionKey: 'phpactor_version',
  ignoredSettings: ['ignore_vendor'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['composer.json', '.phpactor.json'],
  ignoredDirectories: ['node_modules', 'cache', 'vendor'],
});

export const phpPhpantom = defineServer({
  id: 'php_phpantom',
  name: 'PHPantom',
  homepage: 'https://github.com/PHPantom-dev/phpantom_lsp',
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    onPath('phpantom_lsp', 'install PHPantom and put it on `PATH` as `phpantom_lsp`'),
    {
      from: 'archive',
      version: '0.8.0',
      url: 'https://github.com/PHPantom-dev/phpantom_lsp/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'phpantom_lsp-x86_64-unknown-linux-gnu.tar.gz', bin: 'phpantom_lsp' },
        'linux-arm64': { file: 'phpantom_lsp-aarch64-unknown-linux-gnu.tar.gz', bin: 'phpantom_lsp' },
        'darwin-x64': { file: 'phpantom_lsp-x86_64-apple-darwin.tar.gz', bin: 'phpantom_lsp' },
        'darwin-arm64': { file: 'phpantom_lsp-aarch64-apple-darwin.tar.gz', bin: 'phpantom_lsp' },
        'win32-x64': { file: 'phpantom_lsp-x86_64-pc-windows-msvc.zip', bin: 'phpantom_lsp.exe' },
        'win32-arm64': { file: 'phpantom_lsp-aarch64-pc-windows-msvc.zip', bin: 'phpantom_lsp.exe' },
      },
    },
  ],
  args: ['--stdio'],
  needsExplicitChoice: true,
  versionKey: 'phpantom_version',
  ignoredSettings: ['ignore_vendor'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['composer.json'],
  ignoredDirectories: ['node_modules', 'cache', 'vendor'],
  quirks: phpantomQuirks,
  adapter: { namesInCode: (read) => new PhpNames(read) },
  symbolsVersion: 2,
});

const unknown: CodeMeaning = { places: [], isComplete: false, isBinding: false };
const useStatement = /^[ \t]*use[ \t]+([^;(]*);/gm;
const namespaceStatement = /^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)/gm;
const declaration = /(?<![\w$])(function|const)\s+&?\s*$/;

/** A name of a `use` statement, without the namespace of its group. */
interface Imported {
  /** Offset of the last part of the name. */
  readonly offset: number;
  readonly key: string;
}

/**
 * Resolves imports of functions and constants of PHP (`use function A\b`) to those declarations that were asked about
 * before. All other names are unknown.
 */
export class PhpNames implements CodeNames {
  readonly #read: ReadCode;
  /** Declarations that were asked about, by {@link keyOf}. */
  readonly #declared = new Map<string, CodePlace>();

  constructor(read: ReadCode) {
    this.#read = read;
  }

  meaningAt(place: CodePlace): CodeMeaning {
    const text = this.#read(place.file)?.text ?? '';
    const imported = importsIn(text).find(({ offset }) => offset === place.offset);
    if (imported !== undefined) {
      const declared = this.#declared.get(imported.key);
      return { places: declared ? [declared] : [], isComplete: true, isBinding: false };
    }
    const kind = declaration.exec(text.slice(Math.max(0, place.offset - 100), place.offset))?.[1];
    if (kind === undefined) return unknown;
    const name = /^\w+/.exec(text.slice(place.offset))?.[0] ?? '';
    const key = keyOf(kind, `${namespaceAt(text, place.offset)}\\${name}`);
    // A later one may be a method.
    if (!this.#declared.has(key)) this.#declared.set(key, place);
    return { places: [place], isComplete: true, isBinding: true };
  }

  meaningIn(): CodeMeaning {
    return unknown;
  }

  declarationsIn(): CodePlace[] {
    return [];
  }
}

/** Returns the namespace of code at an offset; empty for the global one. */
function namespaceAt(text: string, offset: number): string {
  return [...text.slice(0, offset).matchAll(namespaceStatement)].at(-1)?.[1] ?? '';
}

function importsIn(text: string): Imported[] {
  return [...text.matchAll(useStatement)].flatMap((statement) => {
    const list = statement[1] ?? '';
    const start = statement.index + statement[0].length - 1 - list.length;
    const [, kindOfAll, group = ''] = /^(?:(function|const)\s+)?(?:([\w\\]+\\)\s*\{)?/.exec(list) ?? [];
    const items = list.matchAll(
      /(?<=^|[{,]|\b(?:function|const)\s)\s*(?:(function|const)\s+)?([\w\\]*?)(\w+)(?=\s*(?:[,}]|$|as\b))/g,
    );
    return [...items].flatMap((item) => {
      const [whole, kind = kindOfAll, path = '', name = ''] = item;
      if (kind === undefined) return [];
      return [{ offset: start + item.index + whole.length - name.length, key: keyOf(kind, `${group}${path}${name}`) }];
    });
  });
}

/** Namespaces and functions are the same in upper and lower case; constants are compared as if they were. */
function keyOf(kind: string, name: string): string {
  return `${kind} ${name.replace(/^\\/, '').toLowerCase()}`;
}
