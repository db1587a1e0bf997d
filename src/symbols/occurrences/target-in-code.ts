import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { CodeMeaning, CodeNames, CodePlace, ReadCode } from '../../text/code-names.ts';
import type { Place } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';

import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';

export class TargetInCode {
  readonly names: CodeNames;
  /** Where the symbol is defined. For a declaration in a stub, that is where the code behind the stub defines it. */
  readonly places: readonly CodePlace[];
  readonly #read: ReadCode;

  private constructor({ names, places, read }: { names: CodeNames; places: readonly CodePlace[]; read: ReadCode }) {
    this.names = names;
    this.places = places;
    this.#read = read;
  }

  /** Returns `undefined` if the server needs no help with names, or for what is not at the top level of its file. */
  static of(scope: SymbolScope, active: ActiveServer, target: SymbolNode): TargetInCode | undefined {
    const read = readerOf(scope);
    const names = active.spec.adapter?.namesInCode?.(read);
    if (names === undefined || target.parent !== undefined) return undefined;
    const { file, selectionRange } = target;
    const offset = offsetIn(read(file), selectionRange.start);
    if (offset === undefined) return undefined;
    const isOwn = (place: CodePlace) => place.file === file;
    const { places, isBinding } = names.meaningAt({ file, offset });
    if (!isBinding || places.length === 0) return undefined;
    // What the file also imports under the name, on another platform, is another symbol.
    const own = places.some(isOwn) ? places.filter(isOwn) : places;
    return new TargetInCode({ names, places: own, read });
  }

  /** Returns the outcome of an occurrence by the code alone; `undefined` if that does not show it. */
  outcomeOf(occurrence: Place): 'own' | 'other' | undefined {
    const meaning = this.#meaningOf(occurrence);
    if (meaning === undefined) return undefined;
    // A declaration is no reference.
    if (this.isOwn(meaning)) return meaning.isBinding ? 'other' : 'own';
    return meaning.isComplete ? 'other' : undefined;
  }

  /** True if an occurrence is certainly another symbol. */
  isOther(occurrence: Place): boolean {
    const meaning = this.#meaningOf(occurrence);
    return meaning?.isComplete === true && !this.isOwn(meaning);
  }

  /** True if an occurrence is the symbol, or another definition of it. */
  isTarget(occurrence: Place): boolean {
    const meaning = this.#meaningOf(occurrence);
    return meaning !== undefined && this.isOwn(meaning);
  }

  /** True if a meaning includes the symbol. */
  isOwn({ places }: Pick<CodeMeaning, 'places'>): boolean {
    return places.some(({ file, offset }) => this.places.some((own) => own.file === file && own.offset === offset));
  }

  #meaningOf({ file, range }: Place): CodeMeaning | undefined {
    const offset = offsetIn(this.#read(file), range.start);
    return offset === undefined ? undefined : this.names.meaningAt({ file, offset });
  }
}

/** Returns a function that reads each file once. */
export function readerOf(scope: Pick<SymbolScope, 'files'>): ReadCode {
  const known = new Map<string, TextLines | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, readable(scope, file));
    return known.get(file);
  };
}

function offsetIn(lines: TextLines | undefined, position: Position): number | undefined {
  return lines && offsetAt(lines.text, lines.starts, position);
}
