import type { MoveSteps, SymbolMoveTask } from '../../symbols/adapter.ts';
import { moveRefused } from '../../symbols/edits/moves.ts';
import { PlannedTexts } from '../../symbols/edits/planned-texts.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { readerOf } from '../../symbols/occurrences/target-in-code.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import type { TextEdit } from '../../text/apply-edits.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { lineAt } from '../../text/lines.ts';
import {
  absoluteModule,
  isDeferred,
  moduleBindings,
  moduleHead,
  moduleSpan,
  PythonModules,
  reimport,
  relativeModule,
} from './modules.ts';
import { requireNoCircle, requireNotReplaced, requireStillRun } from './move-checks.ts';
import {
  futures,
  type ImportUse,
  isMoved,
  ModuleNames,
  type PythonCodeMove,
  type PythonUses,
  pythonCodeMove,
  pythonMentions,
  pythonUses,
  refusedByLines,
} from './move-code.ts';
import { type NeededImport, type Needs, neededImports } from './needed-imports.ts';
import { pythonImports } from './statements.ts';

/**
 * Moves a function, class or variable of Python. The names that its code needs come from the code, the uses from the
 * language server, which is also asked for errors in the planned texts.
 */
export async function movePythonSymbol(scope: SymbolScope, task: SymbolMoveTask): Promise<MoveSteps> {
  const modules = new PythonModules(readerOf(scope));
  const move = pythonCodeMove(modules, task);
  await requireParsed(move);
  const needs = await neededImports(scope, move);
  await requireNotReplaced(scope, move, needs);
  const uses = task.reExports ? noUses : await pythonUses(scope, move);
  requireOneWay(move, { needs, uses });
  requireStillRun(move, uses);
  const plan = new PythonMovePlan(move, { needs, uses, planned: new PlannedTexts(scope) });
  plan.moveCode();
  plan.correctUses();
  const { planned } = plan;
  requireNoCircle(move, planned.texts);
  return { steps: planned.steps, notes: [...plan.notes(), ...(await pythonMentions(scope, move))] };
}

const noUses: PythonUses = { own: [], imports: [], attributes: [] };

async function requireParsed({ name, source, target }: PythonCodeMove): Promise<void> {
  for (const module of [source, target]) {
    const errors = module === undefined ? [] : await syntaxTrees.errors('python', module.lines.text);
    if (errors.length > 0) throw moveRefused(name, `\`${module?.file}\` has syntax errors`);
  }
}

/** Fails if the old module would need the new one, and the new one names that the old one defines. */
function requireOneWay(move: PythonCodeMove, { needs, uses }: { needs: Needs; uses: PythonUses }): void {
  const { source, task } = move;
  const [first] = uses.own;
  if (needs.ofSource.size === 0 || (first === undefined && !task.reExports)) return;
  const names = [...needs.ofSource.keys()].map((one) => `\`${one}\``).join(', ');
  const reason = `its code needs ${names} of \`${source.file}\``;
  const hint = 'move what it needs to the new file, or to a third one, first';
  const offsets = first === undefined ? [...needs.ofSource.values()] : uses.own;
  throw refusedByLines(move, first === undefined ? reason : `${reason}, which uses it in turn`, {
    module: source,
    offsets,
    hint,
  });
}

/** Plans the edits of one move. */
class PythonMovePlan {
  readonly planned: PlannedTexts;
  readonly #move: PythonCodeMove;
  readonly #needs: Needs;
  readonly #uses: PythonUses;
  readonly #names: ModuleNames;

  constructor(
    move: PythonCodeMove,
    { needs, uses, planned }: { needs: Needs; uses: PythonUses; planned: PlannedTexts },
  ) {
    this.planned = planned;
    this.#move = move;
    this.#needs = needs;
    this.#uses = uses;
    this.#names = new ModuleNames(move, uses.imports);
  }

  /** Plans the old and the new file. */
  moveCode(): void {
    const { source, span, name, to, target, task } = this.#move;
    const { text } = source.lines;
    this.planned.edit(source.file, cut(text, span));
    if (task.reExports || this.#uses.own.length > 0) {
      const clause = task.reExports ? `${name} as ${name}` : name;
      this.#addToHead(source.file, [`from ${this.#names.ofTarget(source)} import ${clause}`]);
    }
    const imports = this.#imports();
    const code = this.#code();
    if (target === undefined || target.lines.text.trim() === '') {
      const parts = [futures(source).map((one) => `from __future__ import ${one}`), imports].filter(
        ({ length }) => length > 0,
      );
      const content = `${[...parts.map((lines) => `${lines.join('\n')}\n`)].join('\n')}${parts.length > 0 ? '\n\n' : ''}${code}\n`;
      if (target === undefined) this.planned.create(to, content);
      else this.planned.edit(to, { start: 0, end: target.lines.text.length, text: content });
      return;
    }
    const own = this.#ownImports();
    for (const statement of own) this.#correctImport(statement, undefined);
    if (own.length === 0) {
      this.#addToHead(to, imports);
      this.planned.edit(to, addedCode(target.lines, { statements: target.statements, code }));
      return;
    }
    if (this.#needs.usesTarget) {
      throw refusedByLines(this.#move, `its code uses \`${to}\`, which uses it in turn`, {
        module: target,
        offsets: own.map(({ statement }) => statement.start),
      });
    }
    // Where the import was, as code below may run while the module is imported.
    this.#addToHead(to, [...imports, ...(imports.length > 0 ? ['', ''] : []), code]);
  }

  /** Plans the statements elsewhere that import the symbol, or name it through its module. */
  correctUses(): void {
    const { to } = this.#move;
    for (const use of this.#uses.imports) {
      if (use.module.file !== to) this.#correctImport(use, this.#names.inPlaceOf(use));
    }
    for (const [module, own] of Map.groupBy(this.#uses.attributes, ({ module }) => module)) {
      const offsets = own.map(({ start }) => start);
      if (module.file === to)
        throw refusedByLines(this.#move, `\`${to}\` uses it through its module`, { module, offsets });
      const bound = this.#bindTarget(module, offsets);
      for (const { start, end } of own)
        this.planned.edit(module.file, { start, end, text: `${bound}.${this.#move.name}` });
    }
  }

  /** Returns notes about imports that the old module may no longer need. */
  notes(): string[] {
    const { source } = this.#move;
    const rest = this.planned.texts.get(source.file) ?? '';
    const names = this.#needs.imports.map(({ clause }) => /[\p{L}\p{N}_]+$/u.exec(clause)?.[0] ?? clause);
    const unused = [...new Set(names)].filter(
      (one) => rest.match(new RegExp(`(?<![\\p{L}\\p{N}_])${one}(?![\\p{L}\\p{N}_])`, 'gu'))?.length === 1,
    );
    if (unused.length === 0) return [];
    return [
      `\`${source.file}\` itself no longer uses what it imports as ${unused.map((one) => `\`${one}\``).join(', ')}`,
    ];
  }

  /** Returns the statements of the target that import the symbol. */
  #ownImports(): ImportUse[] {
    const { target, modules, source, name, to } = this.#move;
    if (target === undefined) return [];
    return target.statements.flatMap((statement) => {
      const items = pythonImports(statement).filter(
        ({ member, module }) => member === name && modules.resolve(module, to) === source.file,
      );
      if (items.some(({ bound }) => bound !== name)) {
        throw refusedByLines(this.#move, `\`${to}\` uses it by another name`, {
          module: target,
          offsets: [statement.start],
        });
      }
      return items.length === 0 ? [] : [{ module: target, statement, items }];
    });
  }

  #correctImport({ module, statement, items }: ImportUse, named: string | undefined): void {
    const edits = reimport(module.lines, statement, { moved: items, module: named });
    if (edits === undefined) {
      throw refusedByLines(this.#move, 'this import cannot be rewritten', { module, offsets: [statement.start] });
    }
    this.planned.edit(module.file, ...edits);
  }

  /** Plans an import of the new module itself, and returns its name there. */
  #bindTarget(module: PythonCodeMove['source'], offsets: readonly number[]): string {
    const { toPath } = this.#move;
    const bound = toPath.parts.at(-1) ?? '';
    const parent = this.#names
      .ofTarget(module)
      .replace(/[\p{L}\p{N}_]+$/u, '')
      .replace(/(?<=[^.])\.$/, '');
    const known = moduleBindings(module, bound);
    const isKnown =
      known.length === 1 &&
      known[0]?.by === 'import' &&
      known[0].statement.indent === 0 &&
      this.#leadsToTarget(module, known[0]);
    if (isKnown) return bound;
    const code = module.statements.map((one) => one.code).join('\n');
    if (new RegExp(`(?<![\\p{L}\\p{N}_.])${bound}(?![\\p{L}\\p{N}_])`, 'u').test(code)) {
      throw refusedByLines(
        this.#move,
        `\`${module.file}\` uses the name \`${bound}\` for something else, and the symbol through its module`,
        { module, offsets },
      );
    }
    this.#addToHead(module.file, [parent === '' ? `import ${bound}` : `from ${parent} import ${bound}`]);
    return bound;
  }

  #leadsToTarget(
    { file }: PythonCodeMove['source'],
    { module, member }: { module: string; member?: string | undefined },
  ): boolean {
    const { modules, to } = this.#move;
    const whole = member === undefined ? module : module.endsWith('.') ? module + member : `${module}.${member}`;
    return modules.resolve(whole, file) === to;
  }

  #addToHead(file: string, lines: readonly string[]): void {
    const module = this.#move.modules.get(file);
    if (lines.length === 0 || module === undefined) return;
    const { text } = module.lines;
    const { offset, hasImports } = moduleHead(module.lines, module.statements);
    const before = offset > 0 && text[offset - 1] !== '\n' ? '\n' : '';
    const gap = hasImports || offset === 0 ? '' : '\n';
    const isFollowed = text.startsWith('\n', offset) || offset === text.length;
    this.planned.edit(file, {
      start: offset,
      end: offset,
      text: `${before}${gap}${lines.join('\n')}\n${isFollowed || hasImports ? '' : '\n\n'}`,
    });
  }

  /** Returns the lines that import what the moved code needs. */
  #imports(): string[] {
    const { ofSource } = this.#needs;
    const fromSource =
      ofSource.size === 0 ? [] : [`from ${this.#names.ofSource()} import ${[...ofSource.keys()].join(', ')}`];
    const open = this.#needs.imports.filter(({ guard }) => guard === undefined);
    const guarded = Map.groupBy(
      this.#needs.imports.filter(({ guard }) => guard !== undefined),
      ({ guard }) => guard ?? '',
    );
    const blocks = [...guarded].flatMap(([guard, own]) => ['', guard, ...statementsOf(own).map((one) => `    ${one}`)]);
    return [...statementsOf(open), ...fromSource, ...blocks];
  }

  /** Returns the moved lines; relative imports in them lead to the same modules as before. */
  #code(): string {
    const { source, span, toPath } = this.#move;
    const { text } = source.lines;
    let [code, shift] = [text.slice(span.start, span.end), -span.start];
    if (source.path.package.join('.') === toPath.package.join('.')) return code;
    for (const statement of source.statements) {
      const at = isMoved(this.#move, statement.start) ? moduleSpan(statement) : undefined;
      const module = at === undefined ? '' : text.slice(at.start, at.end);
      if (at === undefined || !module.startsWith('.')) continue;
      const parts = absoluteModule(module, source.path);
      if (parts === undefined)
        throw refusedByLines(this.#move, 'an import in it leads out of its package', {
          module: source,
          offsets: [at.start],
        });
      const named = relativeModule(parts, toPath) ?? parts.join('.');
      code = code.slice(0, at.start + shift) + named + code.slice(at.end + shift);
      shift += named.length - module.length;
    }
    return code;
  }
}

/** Returns import statements, one for each module. */
function statementsOf(imports: readonly NeededImport[]): string[] {
  const byModule = Map.groupBy(imports, ({ module, clause }) => module ?? `import ${clause}`);
  return [...byModule].map(([module, own]) => {
    return own[0]?.module === undefined
      ? module
      : `from ${module} import ${own.map(({ clause }) => clause).join(', ')}`;
  });
}

/** Returns the edit that removes lines and the empty ones below them. */
function cut(text: string, { start, end }: { start: number; end: number }): TextEdit {
  const below = /^(?:[ \t]*(?:\n|$))*/.exec(text.slice(end))?.[0].length ?? 0;
  if (end + below < text.length) return { start, end: end + below, text: '' };
  const rest = text.slice(0, start).trimEnd();
  return { start: rest.length, end: text.length, text: rest === '' ? '' : '\n' };
}

/** Returns the edit that adds code at the end of a module, or above what runs when it is the program. */
function addedCode(
  lines: PythonCodeMove['source']['lines'],
  { statements, code }: { statements: PythonCodeMove['source']['statements']; code: string },
): TextEdit {
  const { text, starts } = lines;
  const main = statements.find((one) => one.indent === 0 && !isDeferred(one) && /^if\s+__name__\s*==/.test(one.code));
  if (main !== undefined) {
    const start = starts[firstAttachedLine(lines, lineAt(starts, main.start), 'python')] ?? 0;
    return { start, end: start, text: `${code}\n\n\n` };
  }
  return { start: text.trimEnd().length, end: text.length, text: `\n\n\n${code}\n` };
}
