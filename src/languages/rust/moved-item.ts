import { basename } from 'node:path/posix';
import type { SymbolMoveTask } from '../../symbols/adapter.ts';
import { keepName, moveRefused } from '../../symbols/edits/moves.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { readerOf } from '../../symbols/occurrences/target-in-code.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { offsetAt } from '../../text/position.ts';
import { absolutePath, declares, isInside, RustCrate, type RustModule, useStatements } from './modules.ts';

/** An item of Rust to move, as far as it can be judged by its own file and the target. */
export interface RustItemMove {
  readonly task: SymbolMoveTask;
  readonly name: string;
  readonly crate: RustCrate;
  readonly source: RustModule;
  /** Offsets of its lines, with comments and attributes. */
  readonly span: { readonly start: number; readonly end: number };
  /** Offset of the item behind its comments and attributes. */
  readonly itemStart: number;
  readonly visibility: string;
  readonly keyword: string;
  readonly toPath: readonly string[];
  /** `undefined` for a new file. */
  readonly target: RustModule | undefined;
}

const head =
  /^(pub(?:\s*\([^)]*\))?\s+)?(?:(?:default|async|unsafe|extern|const(?=\s+(?:async|unsafe|extern|fn)\b))\s+)*(fn|struct|enum|union|trait|type|static|const)\s+(?:mut\s+)?(\w+)/;

/**
 * Returns an item to move.
 *
 * @throws {ExpectedError} `edit.refused` for what cannot be moved, or not to this file.
 */
export function itemMove(scope: SymbolScope, task: SymbolMoveTask): RustItemMove {
  const { target: goal, to } = task;
  const { file, name, range } = goal.symbol;
  const read = readerOf(scope);
  const crate = RustCrate.of(read, file);
  const source = crate?.at(file);
  if (crate === undefined || source === undefined)
    throw moveRefused(
      name,
      `\`mod\` declarations from \`src/lib.rs\` or \`src/main.rs\` do not lead to \`${file}\` alone, or its edition is 2015`,
    );
  const target = crate.at(to);
  const parent = crate.parentOf(to);
  if (target === undefined && (read(to) !== undefined || parent === undefined))
    throw moveRefused(name, `\`${to}\` is no module of its crate`);
  const toPath = target?.path ?? [...(parent?.path ?? []), basename(to, '.rs')];
  const { lines } = source;
  const start = lines.starts[firstAttachedLine(lines, range.start.line, 'rust')] ?? 0;
  const end = offsetAt(lines.text, lines.starts, range.end) ?? lines.text.length;
  const attached = /^(?:\s|#\[[^\]]*\])*/.exec(source.code.slice(start, end))?.[0] ?? '';
  const itemStart = start + attached.length;
  const found = head.exec(source.code.slice(itemStart, end));
  if (found?.[3] !== name) throw moveRefused(name, 'only functions, constants, types and traits can be moved');
  const rest = /^[^\n]*/.exec(source.code.slice(end))?.[0] ?? '';
  if (rest.trim() !== '') throw moveRefused(name, 'other code is on its last line');
  const move = { task, name, crate, source, span: { start, end }, itemStart, toPath, target };
  requireMovable({ ...move, visibility: found[1]?.trim() ?? '', keyword: found[2] ?? '' }, attached);
  return { ...move, visibility: found[1]?.trim() ?? '', keyword: found[2] ?? '' };
}

function requireMovable(move: RustItemMove, attributes: string): void {
  const { name, source, target, span, itemStart, visibility, keyword, crate, toPath, task } = move;
  if (/\bcfg\s*\(/.test(attributes)) throw moveRefused(name, 'it is only part of some builds (`#[cfg]`)');
  if (/\btest\b/.test(attributes)) throw moveRefused(name, 'it is a test, whose module is a part of its name');
  if (/\b(?:no_mangle|macro_export|main)\b/.test(attributes) || name === 'main')
    throw moveRefused(name, 'it is called by its name, or from outside the crate');
  if (source.isConditional || target?.isConditional === true)
    throw moveRefused(name, 'one of the modules is only part of some builds (`#[cfg]`)');
  if (/^pub\s*\(\s*in\b/.test(visibility))
    throw moveRefused(name, `\`${visibility}\` would not hold in the other module`);
  if (target !== undefined && declares(target, name)) throw moveRefused(name, `\`${target.file}\` has one already`);
  const imported = target === undefined ? [] : useStatements(target.code).flatMap(({ leaves }) => leaves);
  const own = [...source.path, name].join('::');
  if (target !== undefined && imported.some((leaf) => leaf.bound === name && named(target, leaf.segments) !== own))
    throw moveRefused(name, `\`${target.file}\` imports another \`${name}\``);
  if (!crate.isReachable(toPath, source.path))
    throw moveRefused(name, `\`${toPath.join('::')}\` is private to another module`);
  const body = source.code.slice(itemStart, span.end);
  if ((keyword === 'struct' || keyword === 'union') && hasPrivateField(body) && !isInside(source.path, toPath))
    throw moveRefused(name, 'its private fields would not be visible to the code that stays', [
      'make its fields `pub(crate)` first',
    ]);
  const offering = crate.modules.find((module) => !task.reExports && offersAll(module, source.path));
  if (offering !== undefined && visibility !== '')
    throw moveRefused(name, `\`${offering.file}\` offers it to others by \`use …::*\``, [keepName]);
  if (keyword === 'trait' && !task.reExports)
    throw moveRefused(name, 'code that calls its methods need not name it', [keepName]);
}

/** True if a module offers all names of another one as its own. */
function offersAll(module: RustModule, path: readonly string[]): boolean {
  const all = [...path, '*'].join('::');
  return useStatements(module.code).some(
    ({ visibility, leaves }) => visibility !== '' && leaves.some((leaf) => named(module, leaf.segments) === all),
  );
}

function named(module: RustModule, segments: readonly string[]): string {
  return absolutePath(module, module.path, segments).join('::');
}

/** True if a struct has a field without `pub`. */
export function hasPrivateField(declaration: string): boolean {
  const open = declaration.search(/[{(]/);
  if (open < 0) return false;
  const fields: string[] = [''];
  let depth = 0;
  for (const character of declaration.slice(
    open + 1,
    Math.max(declaration.lastIndexOf('}'), declaration.lastIndexOf(')')),
  )) {
    if ('<([{'.includes(character)) depth++;
    if ('>)]}'.includes(character)) depth--;
    if (character === ',' && depth === 0) fields.push('');
    else fields[fields.length - 1] += character;
  }
  return fields.some((field) => field.trim() !== '' && !/^(?:\s|#\[[^\]]*\])*pub\b/.test(field));
}
