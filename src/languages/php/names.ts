import type { CodeMeaning, CodeNames, CodePlace, ReadCode } from '../../text/code-names.ts';

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
