/** A package in TypeScript whose references are marked. */
export const typescriptFiles = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "module": "esnext", "moduleResolution": "bundler", "target": "es2022" }, "include": ["src"] }',
  'src/shop.ts': `export function total(n: number): number;
export function total(n: string): number;
export function total(n: unknown): number {
  return Number(n);
}

export interface Basket {
  contents: string[];
}

export function count(basket: Basket): number { // @Basket
  const { contents } = basket; // @contents
  return contents.length + total(1); // @total
}
`,
  // The library has no `Disposable`, which is an error without a file.
  'src/held.ts': `import { total } from './shop'; // @total

export function held(): void {
  using first = total(1); // @total
  void first;
}
`,
  'src/index.ts': `export { total } from './shop'; // @total
export type { Basket as Cart } from './shop'; // @Basket
`,
  'src/user.ts': `import { total } from './index'; // @total
import { total as sum, type Basket } from './shop'; // @total @Basket

const all = { total }; // @total
export function other(total: number): number {
  return total + all.total(2) + sum('3');
}
// total in a comment
export const empty: Basket = { contents: [] }; // @Basket @contents
`,
};
