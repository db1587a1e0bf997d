export type DescriptorKind = 'namespace' | 'type' | 'term' | 'method';

/** A part of a symbol's name in SCIP, such as the method in `` src/`basket.ts`/Basket#total(). ``. */
export interface Descriptor {
  readonly kind: DescriptorKind;
  readonly name: string;
  /** Number among methods of the same name, from 0. */
  readonly overload?: number | undefined;
}

/** The library or program that symbols belong to. */
export interface Package {
  /** The indexer in whose form the names are: `scip-typescript`. */
  readonly scheme: string;
  /** The package manager: `npm`. */
  readonly manager: string;
  readonly name: string;
  readonly version: string;
}

/** Returns the name of a symbol, which is the same in every index that has it. */
export function symbolName({ scheme, manager, name, version }: Package, descriptors: readonly Descriptor[]): string {
  const parts = [scheme, manager, name, version].map((part) => part.replaceAll(' ', '  ') || '.');
  return `${parts.join(' ')} ${descriptors.map(descriptorText).join('')}`;
}

function descriptorText({ kind, name, overload = 0 }: Descriptor): string {
  const written = /^[\w+$-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
  switch (kind) {
    case 'namespace':
      return `${written}/`;
    case 'type':
      return `${written}#`;
    case 'term':
      return `${written}.`;
    case 'method':
      return `${written}(${overload === 0 ? '' : `+${overload}`}).`;
  }
}
