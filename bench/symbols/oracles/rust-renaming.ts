import type { BenchPackage } from '../model.ts';
import { RustChanges } from './rust-changes.ts';
import { type RustMessage, rustCompiler } from './rust-compiler.ts';
import type { RustPlace, RustPositions } from './rust-positions.ts';
import type { RustDeclaration, RustFile } from './rust-syntax.ts';

const mark = 'symbenchZq9';
const freshEnding = 'Zq9';
const maxRounds = 15;

/** Codes of errors about a name that means nothing any more; a macro that does not exist has no code. */
const unresolved = new Set(
  (
    'E0026 E0220 E0364 E0365 E0404 E0405 E0407 E0412 E0422 E0423 E0424 E0425 E0432 E0433 E0437 E0438 E0531 E0532 E0559 E0560 ' +
    'E0573 E0574 E0575 E0576 E0599 E0603 E0609 E0610 E0615 E0616 E0624 E0027 E0063'
  ).split(' '),
);

interface Uses {
  readonly uses: readonly RustPlace[];
  /** Uses under another name. */
  readonly aliases: readonly RustPlace[];
  readonly problem?: string | undefined;
}

interface Renamed {
  /** Everything that was renamed, without the declaration itself. */
  readonly renamed: readonly RustPlace[];
  /** Other declarations of the name, which other configurations use. */
  readonly siblings: readonly RustPlace[];
  readonly problem?: string | undefined;
}

interface Copy {
  readonly pack: BenchPackage;
  /** Absolute path of a copy that is changed. */
  readonly directory: string;
  readonly files: readonly RustFile[];
  readonly positions: RustPositions;
}

/** Finds the uses of declarations by changing a copy of a package and compiling it. */
export class RustRenaming {
  readonly #copy: Copy;
  readonly #changes: RustChanges;
  readonly #shorthands: ReadonlySet<string>;

  constructor(copy: Copy) {
    this.#copy = copy;
    this.#changes = new RustChanges(copy.directory, copy.files);
    this.#shorthands = new Set(copy.files.flatMap(({ file, shorthands }) => shorthands.map((at) => `${file}:${at}`)));
  }

  /** Marks a declaration as deprecated; rustc then names its uses, other than those inside itself. */
  async deprecatedUses({ file, start, at: own, name }: RustDeclaration): Promise<Uses> {
    this.#changes.write([{ file, start, end: start, text: `#[deprecated(note = "${mark}")] ` }]);
    try {
      const uses = new Map<string, RustPlace>();
      const aliases: RustPlace[] = [];
      for (const configuration of this.#copy.pack.configurations) {
        const messages = await rustCompiler(this.#copy.pack, this.#copy.directory, configuration);
        const error = messages.find(({ isError }) => isError);
        if (error !== undefined) return { uses: [], aliases: [], problem: `deprecated: ${error.text}` };
        for (const message of messages.filter(({ text }) => text.includes(mark))) {
          const found = this.#placesOf(message, name);
          for (const place of found) {
            if (place.file !== file || place.at !== own) uses.set(`${place.file}:${place.at}`, place);
          }
          if (found.length === 0) aliases.push(...this.#startsOf(message));
        }
      }
      return { uses: [...uses.values()], aliases };
    } finally {
      this.#changes.write([]);
    }
  }

  /** Renames a declaration and known uses, then what rustc does not find any more, until it reports no error. */
  async untilItCompiles(own: RustDeclaration, uses: readonly RustPlace[]): Promise<Renamed> {
    const renamed = new Map<string, RustPlace>([own, ...uses].map((place) => [`${place.file}:${place.at}`, place]));
    const siblings = new Map<string, RustPlace>();
    const end = (problem?: string) => ({
      renamed: [...renamed.values()].filter((place) => place !== own && !siblings.has(`${place.file}:${place.at}`)),
      siblings: [...siblings.values()],
      problem,
    });
    try {
      for (let round = 0; round < maxRounds; round++) {
        this.#rename([...renamed.values()], own.name);
        const errors = await this.#errors();
        if (errors.length === 0) return end();
        const before = renamed.size;
        for (const error of errors.filter(({ code }) => code === '' || unresolved.has(code))) {
          for (const place of this.#placesOf(error, own.name)) renamed.set(`${place.file}:${place.at}`, place);
        }
        if (renamed.size > before) continue;
        for (const place of this.#siblingsOf(own, renamed)) {
          renamed.set(`${place.file}:${place.at}`, place);
          siblings.set(`${place.file}:${place.at}`, place);
        }
        if (renamed.size === before) return end(`renaming ends with: ${errors[0]?.text}`);
      }
      return end('renaming does not come to an end');
    } finally {
      this.#changes.write([]);
    }
  }

  /** Returns the errors of the first configuration that has any. */
  async #errors(): Promise<RustMessage[]> {
    const { pack, directory } = this.#copy;
    for (const configuration of pack.configurations) {
      const errors = (await rustCompiler(pack, directory, configuration)).filter(
        ({ isError, places }) => isError && places.length > 0,
      );
      if (errors.length > 0) return errors;
    }
    return [];
  }

  #rename(places: readonly RustPlace[], name: string): void {
    const length = Buffer.byteLength(name);
    this.#changes.write(
      places.map(({ file, at }) => ({
        file,
        start: at,
        end: at + length,
        text: this.#shorthands.has(`${file}:${at}`) ? `${name}${freshEnding}: ${name}` : name + freshEnding,
      })),
    );
  }

  /** The same name in the same place under another condition. */
  #siblingsOf(own: RustDeclaration, renamed: ReadonlyMap<string, RustPlace>): RustPlace[] {
    return this.#copy.files
      .flatMap(({ declarations }) => declarations)
      .filter(({ namePath, file }) => namePath === own.namePath && file === own.file)
      .filter(({ file, at }) => !renamed.has(`${file}:${at}`));
  }

  /** Returns where a message finds the name: in its own place, or else in a macro call that this place comes from. */
  #placesOf({ places }: RustMessage, name: string): RustPlace[] {
    const { files, positions } = this.#copy;
    return places.flatMap((chain) => {
      for (const { file, start, end } of chain) {
        const [from, to] = [this.#changes.original(file, start), this.#changes.original(file, end)];
        if (from === undefined || to === undefined || !files.some((one) => one.file === file)) continue;
        const found = positions.wordsIn(name, file, { start: from, end: to });
        const [first] = found;
        const last = found.at(-1);
        // A path such as `name::name` leads to its last name.
        if (last !== undefined && found.length > 1 && this.#isPath(file, from, last)) return [{ file, at: last }];
        // In `name: name` the field comes first.
        if (first !== undefined && (found.length === 1 || first === from)) return [{ file, at: first }];
      }
      return [];
    });
  }

  /** True if what stands between two offsets is the beginning of one path. */
  #isPath(file: string, from: number, to: number): boolean {
    const text = this.#copy.files.find((one) => one.file === file)?.text.toString('latin1', from, to) ?? '';
    return /^(?:[\w\x80-\xff]+\s*::\s*)+$/.test(text);
  }

  #startsOf({ places }: RustMessage): RustPlace[] {
    return places.flatMap((chain) =>
      chain.flatMap(({ file, start }) => {
        const at = this.#changes.original(file, start);
        return at === undefined || !this.#copy.files.some((one) => one.file === file) ? [] : [{ file, at }];
      }),
    );
  }
}
