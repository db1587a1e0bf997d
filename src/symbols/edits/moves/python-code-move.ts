import { basename } from 'node:path/posix';
import {
  type ModulePath,
  moduleBindings,
  modulePath,
  type PythonModule,
  type PythonModules,
} from '../../../languages/python/modules.ts';
import { type DefinitionSpan, definitionSpan, pythonImports } from '../../../languages/python/statements.ts';
import { offsetAt } from '../../../text/position.ts';
import { bodySpan } from '../../model/text-range.ts';
import { linesNote } from '../left-over.ts';
import { moveRefused, type SymbolMoveTask } from './move-rule.ts';

/** A definition of Python to move, as far as it can be judged by its own file and the target. */
export interface PythonCodeMove {
  readonly task: SymbolMoveTask;
  readonly name: string;
  readonly modules: PythonModules;
  readonly source: PythonModule;
  /** The lines to move. */
  readonly span: DefinitionSpan;
  /** Project-relative path of the target, how it is imported, and its code if it exists. */
  readonly to: string;
  readonly toPath: ModulePath;
  readonly target: PythonModule | undefined;
}

/** Values of these names belong to the module. */
const moduleValues =
  /(?<![\p{L}\p{N}_.])(?:__(?:name|file|package|path|spec|doc|loader|builtins)__|globals|eval|exec)(?![\p{L}\p{N}_])/u;

/**
 * Returns a move of Python code after the checks that need no language server.
 *
 * @throws {ExpectedError} `edit.refused` with the reason.
 */
export function pythonCodeMove(modules: PythonModules, task: SymbolMoveTask): PythonCodeMove {
  const {
    target: { symbol, draft },
    to,
  } = task;
  const { name, file } = symbol;
  const source = modules.get(file);
  const offset = offsetAt(draft.text, draft.lines.starts, symbol.selectionRange.start);
  const span = source && offset !== undefined ? definitionSpan(source.lines, source.statements, offset) : undefined;
  if (source === undefined || span === undefined || bodySpan(symbol, draft.lines).end > span.end + 1) {
    throw moveRefused(name, 'it is not a whole statement at the top level of its file');
  }
  const move = {
    task,
    name,
    modules,
    source,
    span,
    to,
    toPath: modulePath(to, modules.exists),
    target: modules.get(to),
  };
  requireModules(move);
  requireOneBinding(move);
  requirePlainCode(move);
  requireFreeTarget(move);
  return move;
}

/** Returns the error for a move that some lines of a file are in the way of. */
export function refusedByLines(
  { name }: Pick<PythonCodeMove, 'name'>,
  reason: string,
  { module, offsets, hint }: { module: PythonModule; offsets: readonly number[]; hint?: string },
): Error {
  const numbers = new Set(offsets.map((offset) => lineOf(module, offset)).sort((a, b) => a - b));
  const lines = [...numbers].map((line) => ({ file: module.file, line }));
  return moveRefused(name, `${reason}: ${linesNote(lines)}`, hint === undefined ? undefined : [hint]);
}

/** Returns the 0-based line of an offset. */
export function lineOf({ lines: { text } }: PythonModule, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

/** True if an offset is in the lines that move. */
export function isMoved({ span }: PythonCodeMove, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

function requireModules({ name, source, to, toPath, modules }: PythonCodeMove): void {
  for (const file of [source.file, to]) {
    if (!file.endsWith('.py')) throw moveRefused(name, `\`${file}\` is not a module of Python code`);
    if (basename(file) === '__main__.py') throw moveRefused(name, `\`${file}\` is not imported by its name`);
    if (modules.exists(`${file}i`)) throw moveRefused(name, `\`${file}i\` declares the names of \`${file}\` as well`);
  }
  const odd = toPath.parts.find((part) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part));
  if (odd !== undefined) throw moveRefused(name, `\`${odd}\` cannot be the name of a module that is imported`);
  if (toPath.root === source.path.root) return;
  throw moveRefused(name, `\`${to}\` and \`${source.file}\` are not imported from the same directory`, [
    'choose a file of the same package, or create the missing `__init__.py` first',
  ]);
}

function requireOneBinding(move: PythonCodeMove): void {
  const { name, source } = move;
  const others = moduleBindings(source, name).filter(({ offset }) => !isMoved(move, offset));
  const globals = source.statements.filter(({ code }) =>
    new RegExp(`^global\\s.*(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'su').test(code),
  );
  const offsets = [...others.map(({ offset }) => offset), ...globals.map(({ start }) => start)];
  if (offsets.length > 0)
    throw refusedByLines(move, 'its name is also bound elsewhere in the file', { module: source, offsets });
}

function requirePlainCode(move: PythonCodeMove): void {
  const { source, span } = move;
  const own = source.statements.filter(({ start }) => isMoved(move, start));
  const odd = own.filter(({ code }) => moduleValues.test(code) || /^global\s/.test(code));
  const offsets = odd.map(({ start }) => start);
  if (offsets.length > 0)
    throw refusedByLines(move, 'its code depends on the module that it is in', { module: source, offsets });
  const comment = /#\s*type:\s*(?!ignore)/.exec(source.lines.text.slice(span.start, span.end));
  if (comment === null) return;
  throw refusedByLines(move, 'names in type comments are not followed', {
    module: source,
    offsets: [span.start + comment.index],
  });
}

function requireFreeTarget(move: PythonCodeMove): void {
  const { name, source, to, target, modules } = move;
  if (target === undefined) return;
  const taken = moduleBindings(target, name).filter(
    (one) => one.by !== 'import' || one.member !== name || modules.resolve(one.module, to) !== source.file,
  );
  const at = (bindings: readonly { offset: number }[]) => ({
    module: target,
    offsets: bindings.map(({ offset }) => offset),
  });
  if (taken.length > 0) throw refusedByLines(move, `\`${to}\` binds the name already`, at(taken));
  const stars = moduleBindings(target, '*');
  if (stars.length > 0) throw refusedByLines(move, `\`import *\` in \`${to}\` may bind any name`, at(stars));
  const hasCode = target.statements.some(({ code }) => !/^"+$/.test(code));
  const ignored = hasAnnotations(move) ? '' : 'annotations';
  const [own, theirs] = [source, target].map((module) => futures(module).filter((one) => one !== ignored));
  if (!hasCode || own?.join() === theirs?.join()) return;
  throw moveRefused(move.name, `\`${source.file}\` and \`${to}\` have different \`from __future__\` imports`, [
    'add the same `from __future__` imports to both files first',
  ]);
}

/** True if moved code has annotations of parameters, results or variables. */
function hasAnnotations(move: PythonCodeMove): boolean {
  const own = move.source.statements.filter(({ start }) => isMoved(move, start));
  return own.some(({ code }) => {
    const head = /^(?:async\s+)?def\s/.test(code) ? code.replace(/:$/, '') : undefined;
    return head === undefined
      ? /^[\p{L}\p{N}_.]+\s*:/u.test(code) && !/^else\s*:$|^try\s*:$|^finally\s*:$/.test(code)
      : /->|:/.test(head);
  });
}

/** Returns what a module imports from `__future__`, sorted. */
export function futures({ statements }: PythonModule): string[] {
  return statements
    .flatMap(pythonImports)
    .filter(({ module }) => module === '__future__')
    .map(({ bound }) => bound)
    .sort();
}
