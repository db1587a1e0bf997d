import { basename } from 'node:path/posix';
import type { MoveSteps, SymbolMoveTask } from '../../symbols/adapter.ts';
import { linesNote } from '../../symbols/edits/left-over.ts';
import { keepName, moveRefused } from '../../symbols/edits/moves.ts';
import { PlannedTexts } from '../../symbols/edits/planned-texts.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { editLimits } from '../../symbols/occurrences/ledger.ts';
import { referenceLocations } from '../../symbols/queries/references.ts';
import type { Place } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import {
  absolutePath,
  isInside,
  pathAt,
  type RustModule,
  rustCode,
  segmentsOf,
  type UseStatement,
  useStatements,
} from './modules.ts';
import { itemMove, type RustItemMove } from './moved-item.ts';
import { neededByItem, type RustNeeds } from './needs-of-item.ts';

/**
 * Moves a function, constant, type or trait of Rust to another module of its crate. What its code needs, and who uses it,
 * comes from `use` statements and from the language server, which is also asked for errors in the planned texts.
 */
export async function moveRustItem(scope: SymbolScope, task: SymbolMoveTask): Promise<MoveSteps> {
  const move = itemMove(scope, task);
  const needs = await neededByItem(scope, move);
  const plan = new RustMovePlan(scope, move);
  if (!task.reExports) await plan.correctUses();
  plan.moveCode(needs);
  return { steps: plan.planned.steps, notes: plan.notes };
}

/** Plans the edits of one move. */
class RustMovePlan {
  readonly planned: PlannedTexts;
  readonly notes: string[] = [];
  readonly #scope: SymbolScope;
  readonly #move: RustItemMove;
  #isUsedInSource = false;
  /** True if a new module is used beyond the one that declares it. */
  #isUsedOutside = false;

  constructor(scope: SymbolScope, move: RustItemMove) {
    this.planned = new PlannedTexts(scope);
    this.#scope = scope;
    this.#move = move;
  }

  /** Plans the paths that name the item elsewhere. */
  async correctUses(): Promise<void> {
    const { task, name, source, span, crate } = this.#move;
    const locations = await referenceLocations(this.#scope, task.target.symbol, { limits: editLimits });
    if (this.#scope.gaps.length > 0) {
      const reasons = this.#scope.gaps.map((gap) => `${gap.missing}: ${gap.reason}`).join('; ');
      throw moveRefused(name, `it may have uses that are not known. ${reasons}`, [keepName]);
    }
    for (const place of locations) {
      const module = crate.at(place.file);
      const offset = module && offsetAt(module.lines.text, module.lines.starts, place.range.start);
      if (module === undefined || offset === undefined) throw this.#refused(place, 'is not in the same crate');
      if (module === source && span.start <= offset && offset < span.end) continue;
      this.#correctUse(module, offset, place);
    }
    if (this.#move.visibility === 'pub' && basename(crate.root) === 'lib.rs')
      this.notes.push(
        `other packages that use \`${[...source.path, name].join('::')}\` need ${keepName.replace(/^pass /, '')}`,
      );
  }

  #correctUse(module: RustModule, offset: number, place: Place): void {
    const { name, source, target, toPath } = this.#move;
    const { code } = module;
    const moved = [...toPath, name].join('::');
    const statement = useStatements(code).find(({ start, end }) => start <= offset && offset < end);
    const here = pathAt(module, offset);
    if (statement !== undefined) {
      this.#correctImport(module, statement, { offset, here, place, moved });
      return;
    }
    const before = /(?:(?:r#)?\w+\s*::\s*)+$/.exec(code.slice(0, offset))?.[0] ?? '';
    if (before !== '') {
      const path = absolutePath(module, here, segmentsOf(before));
      if (path.join('::') !== source.path.join('::')) {
        this.#requireNamed([...path, name], place);
        return;
      }
      this.#requireSeen(here, place);
      this.planned.edit(module.file, { start: offset - before.length, end: offset + name.length, text: moved });
      return;
    }
    if (module === source) this.#isUsedInSource = true;
    else if (module !== target && !useStatements(code).some(({ leaves }) => leaves.some(({ bound }) => bound === name)))
      throw this.#refused(place, 'has the name from `use …::*`');
  }

  /** A path through another module holds if that imports the item by its name, which is corrected. */
  #requireNamed(path: readonly string[], place: Place): void {
    const { crate, name } = this.#move;
    const through = crate.named(path.slice(0, path.lastIndexOf(name)));
    const leaves = useStatements(through?.code ?? '').flatMap((one) => one.leaves);
    if (!leaves.some(({ bound }) => bound === name)) throw this.#refused(place, 'has the name from `use …::*`');
  }

  /** The path of the new module must hold where the item is used. */
  #requireSeen(here: readonly string[], place: Place): void {
    const { crate, target, toPath } = this.#move;
    if (!crate.isReachable(toPath, here)) throw this.#refused(place, `does not see \`${toPath.join('::')}\``);
    if (target === undefined && !isInside(here, toPath.slice(0, -1))) this.#isUsedOutside = true;
  }

  #correctImport(
    module: RustModule,
    statement: UseStatement,
    { offset, here, place, moved }: { offset: number; here: readonly string[]; place: Place; moved: string },
  ): void {
    const { source, target, name } = this.#move;
    const leaf = statement.leaves.find(({ start, end }) => start <= offset && offset < end);
    if (leaf === undefined) throw this.#refused(place, 'has an import that is not understood');
    const own = [...source.path, name];
    const path = absolutePath(module, here, leaf.segments);
    if (!isInside(path, own)) {
      this.#requireNamed(path, place);
      return;
    }
    // The old module has the name still, for modules in it.
    if (module === source) {
      this.#isUsedInSource = true;
      return;
    }
    this.#requireSeen(here, place);
    const written = [moved, ...path.slice(own.length)].join('::');
    const text = leaf.bound === path.at(-1) ? written : `${written} as ${leaf.bound}`;
    const isOwn = module === target && statement.isTopLevel && text === moved;
    if (statement.leaves.length === 1) {
      if (isOwn && statement.visibility === '' && !statement.isMarked) this.#removeLines(module, statement);
      else if (isOwn) throw this.#refused(place, 'offers the name to others');
      else this.planned.edit(module.file, { start: statement.path, end: statement.end - 1, text });
      return;
    }
    if (statement.isMarked || (isOwn && statement.visibility !== ''))
      throw this.#refused(place, 'has an import that is not understood');
    const behind = /^\s*,[ \t]*/.exec(module.code.slice(leaf.end))?.[0];
    const before = /,\s*$/.exec(module.code.slice(0, leaf.start))?.[0] ?? '';
    const [start, end] =
      behind === undefined ? [leaf.start - before.length, leaf.end] : [leaf.start, leaf.end + behind.length];
    this.planned.edit(module.file, { start, end, text: '' });
    if (isOwn) return;
    const indentation = /[ \t]*$/.exec(module.code.slice(0, statement.start))?.[0] ?? '';
    const visibility = statement.visibility === '' ? '' : `${statement.visibility} `;
    const added = `\n${indentation}${visibility}use ${text};`;
    this.planned.edit(module.file, { start: statement.end, end: statement.end, text: added });
  }

  #removeLines({ file, lines: { text } }: RustModule, { start, end }: UseStatement): void {
    this.planned.edit(file, { start, end: text[end] === '\n' ? end + 1 : end, text: '' });
  }

  /** Plans the old and the new file. */
  moveCode({ imports, code, leftImports, widened }: RustNeeds): void {
    const { task, name, source, span, target, toPath, visibility, crate } = this.#move;
    const { text } = source.lines;
    const below = /^(?:[ \t]*\n)*/.exec(text.slice(span.end))?.[0].length ?? 0;
    const isLast = span.end + below >= text.trimEnd().length;
    const kept = isLast ? text.slice(0, span.start).trimEnd().length : span.start;
    this.planned.edit(source.file, {
      start: kept,
      end: isLast ? text.length : span.end + below,
      text: isLast && kept > 0 ? '\n' : '',
    });
    const isNeeded = task.reExports || this.#isUsedInSource;
    if (isNeeded) {
      const offered = task.reExports && visibility !== '' ? `${visibility} ` : '';
      this.#addUses(source, [`${offered}use ${[...toPath, name].join('::')};`]);
    }
    if (leftImports.length > 0) {
      const names = leftImports.map((one) => `\`${one}\``).join(', ');
      this.notes.push(`\`${source.file}\` may no longer use what it imports as ${names}`);
    }
    for (const start of widened.keys()) this.planned.edit(source.file, { start, end: start, text: 'pub(crate) ' });
    for (const one of new Set(widened.values())) this.notes.push(`\`${one}\` is \`pub(crate)\` now`);
    const moved = this.#withVisibility(code, isNeeded);
    if (target !== undefined) {
      this.#addUses(target, imports);
      const { start, text: added } = placeFor(target, moved);
      this.planned.edit(target.file, { start, end: start, text: added });
      return;
    }
    const head = imports.length === 0 ? '' : `${imports.join('\n')}\n\n`;
    this.planned.create(task.to, `${head}${moved}\n`);
    const parent = crate.parentOf(task.to);
    if (parent !== undefined) this.#declare(parent, toPath.at(-1) ?? '');
  }

  #declare(parent: RustModule, name: string): void {
    const last = parent.children.at(-1)?.end;
    const { offset, gap } = last === undefined ? headEnd(parent) : { offset: last, gap: '' };
    const { task, crate, visibility: own } = this.#move;
    const isOffered = own === 'pub' && !task.reExports && basename(crate.root) === 'lib.rs';
    const isSeen =
      this.#isUsedOutside ||
      ((task.reExports || this.#isUsedInSource) && !isInside(this.#move.source.path, parent.path));
    const visibility = isOffered ? 'pub ' : isSeen ? 'pub(crate) ' : '';
    const text = last === undefined ? `${visibility}mod ${name};\n${gap}` : `\n${visibility}mod ${name};`;
    this.planned.edit(parent.file, { start: offset, end: offset, text });
  }

  #addUses(module: RustModule, statements: readonly string[]): void {
    if (statements.length === 0) return;
    const last = useStatements(module.code).findLast(({ isTopLevel }) => isTopLevel);
    if (last !== undefined) {
      this.planned.edit(module.file, {
        start: last.end,
        end: last.end,
        text: statements.map((one) => `\n${one}`).join(''),
      });
      return;
    }
    const { offset, gap } = headEnd(module);
    this.planned.edit(module.file, { start: offset, end: offset, text: `${statements.join('\n')}\n${gap}` });
  }

  /** The old module, or others, may have to see what was private. */
  #withVisibility(code: string, isNeeded: boolean): string {
    const { visibility, source, toPath, name, itemStart, span } = this.#move;
    const isSeen = visibility === 'pub' || /^pub\s*\(\s*crate\s*\)$/.test(visibility);
    const isPrivate = visibility === '' && (!isNeeded || isInside(source.path, toPath));
    if (isSeen || isPrivate) return code;
    this.notes.push(`\`${name}\` is \`pub(crate)\` now`);
    const at = itemStart - span.start;
    return `${code.slice(0, at)}pub(crate) ${code.slice(at + visibility.length).trimStart()}`;
  }

  #refused({ file, range }: Place, reason: string) {
    const { name } = this.#move;
    const where = linesNote([{ file, line: range.start.line }]);
    return moveRefused(name, `${where} ${reason}`, [keepName]);
  }
}

/** Returns where statements may begin: behind inner attributes and comments about the module. */
function headEnd({ lines: { text } }: RustModule): { offset: number; gap: string } {
  const found = /^(?:[ \t]*(?:\/\/![^\n]*|#!\[[^\]]*\])?[ \t]*\n)*/.exec(text)?.[0] ?? '';
  return { offset: found.length, gap: '\n' };
}

/** Returns the text that adds an item to a module: above its tests. */
function placeFor({ lines: { text } }: RustModule, item: string): { start: number; text: string } {
  const tests = /^#\[cfg\(test\)\]\s*\n\s*mod\s/m.exec(rustCode(text));
  if (tests !== null) return { start: tests.index, text: `${item}\n\n` };
  const end = text.trimEnd().length;
  return { start: end, text: end === 0 ? item : `\n\n${item}` };
}
