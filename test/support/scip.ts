import { readFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { type Index, IndexSchema, type Occurrence, SymbolRole } from '@c4312/scip/scip_pb.js';

/** Reads an index with the classes that SCIP's own schema generates. */
export function readIndex(path: string): Index {
  return fromBinary(IndexSchema, readFileSync(path));
}

/** Returns the references to a symbol, as `file:line:column-column`, sorted. */
export function referencesIn(index: Index, symbol: string): string[] {
  const places = index.documents.flatMap(({ relativePath, occurrences }) =>
    occurrences
      .filter((one) => one.symbol === symbol && (one.symbolRoles & SymbolRole.Definition) === 0)
      .map((one) => `${relativePath}:${rendered(one)}`),
  );
  return places.sort();
}

/** Returns the definitions of a symbol, in the form of {@link referencesIn}. */
export function definitionsIn(index: Index, symbol: string): string[] {
  return index.documents.flatMap(({ relativePath, occurrences }) =>
    occurrences
      .filter((one) => one.symbol === symbol && (one.symbolRoles & SymbolRole.Definition) !== 0)
      .map((one) => `${relativePath}:${rendered(one)}`),
  );
}

function rendered({ range: [line, start, ...end] }: Occurrence): string {
  return `${line}:${start}-${end.join(':')}`;
}

/** Returns the name path of a symbol, without its file and package: `` src/`a.ts`/Basket#total(). `` → `Basket/total`. */
export function namePathIn(symbol: string): string {
  const descriptors = symbol.slice(symbol.lastIndexOf('/') + 1);
  return [...descriptors.matchAll(/(?:`([^`]*)`|([\w$+-]+))(?:\((?:\+\d+)?\)\.|[.#])/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').replace('<constructor>', 'constructor'))
    .join('/');
}
