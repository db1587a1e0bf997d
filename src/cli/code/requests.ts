// The calls of tools that command lines stand for.
import { resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import type { Place } from '../place.ts';
import { usageError } from '../report.ts';
import { newPath, parseFileOrSymbol, parseSymbol, projectPath, splitPair } from './address.ts';
import type { Args, CodeFlags, Given, ToolRequest } from './command.ts';

export const hierarchyKinds = ['callers', 'callees', 'supertypes', 'subtypes'];
/** In the order of the numbers that the tools take, from 1. */
export const severities = ['error', 'warning', 'information', 'hint'];

export function inPath(text: string, place: Place): Args {
  return { relative_path: projectPath(text, place) };
}

/** A deletion names the file too, so that the caller has seen what is deleted. */
export function deleted(text: string, place: Place): Args {
  const { path, namePath } = parseSymbol(text, place);
  if (path === '') throw usageError(`\`${text}\` names no file`, [`write \`<file>#${namePath}\``]);
  return { name_path_pattern: namePath, relative_path: path };
}

/** Returns a path that need not exist, from the working directory. */
export function toPath(text: string, place: Place): Args {
  return { new_relative_path: newPath(text, place) };
}

/** Renames are a symbol and its new name, or any number of both with `=` between them. */
export function renameRequest({ operands, place }: Given, args: Args): ToolRequest {
  const [symbolText = '', newName = ''] = operands;
  const isPair = operands.length === 2 && !newName.includes('=');
  if (operands.length === 1 && !symbolText.includes('=')) {
    throw usageError('the argument `new-name` is missing', [`write \`serena rename ${symbolText} <new-name>\``]);
  }
  const pairs = isPair ? [[symbolText, newName] as const] : operands.map(splitPair);
  const renames = pairs.map(([text, new_name]) => {
    const { path, namePath } = parseSymbol(text, place);
    return { name_path: namePath, relative_path: path, new_name };
  });
  const [first] = renames;
  return { tool: 'rename_symbol', args: { ...args, ...(renames.length === 1 ? first : { renames }) } };
}

/** Returns the request of `affected`, with the files that it reads from stdin. */
export async function affectedRequest(given: Given, args: Args): Promise<ToolRequest> {
  const tool = 'affected_files';
  if (given.flags.stdin !== true) return { tool, args };
  const lines = (await readText('-', given)).split(/\r?\n/).filter((line) => line.trim() !== '');
  return { tool, args: { ...args, files: lines.map((line) => projectPath(line, given.place)) } };
}

const affected = z.object({ files: z.array(z.string()), tests: z.array(z.string()) });

/** Returns the files of an answer that a command line of `affected` asks for. */
export function affectedIn(answer: unknown, { tests }: CodeFlags): readonly string[] {
  const found = affected.parse(answer);
  return tests === true ? found.tests : found.files;
}

export function hierarchyKind(text: string): Args {
  if (hierarchyKinds.includes(text)) return { kind: text };
  throw usageError(`\`${text}\` is no kind`, [`use ${hierarchyKinds.join(', ')}`]);
}

export function declarationRequest({ operands: [text = '', regex], place }: Given, args: Args): ToolRequest {
  if (regex !== undefined) {
    const { path, namePath } = parseFileOrSymbol(text, place);
    if (path === '') throw usageError(`\`${text}\` names no file`, ['write `<file>` or `<file>#<name path>`']);
    const within = namePath === '' ? null : namePath;
    return {
      tool: 'find_declaration',
      args: { ...args, relative_path: path, regex, containing_symbol_name_path: within },
    };
  }
  const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/s.exec(text) ?? [];
  if (!(Number(line) >= 1 && Number(column) >= 1)) {
    throw usageError(`\`${text}\` is not a position`, [
      'write `<file>:<line>:<column>`; lines and columns begin at 1',
      "pass a regex as well: `<file> 'basket\\.(total)'`",
    ]);
  }
  const position = { relative_path: projectPath(file, place), line: Number(line) - 1, column: Number(column) - 1 };
  return { tool: 'find_defining_symbol_at_location', args: { ...args, ...position } };
}

export function diagnosticsRequest({ operands: [text = ''], flags: { severity = 'hint' }, place }: Given): ToolRequest {
  const { path, namePath } = parseFileOrSymbol(text, place);
  const min_severity = severities.indexOf(severity) + 1;
  if (namePath === '') return { tool: 'get_diagnostics_for_file', args: { relative_path: path, min_severity } };
  const args = { name_path: namePath, reference_file: path, min_severity };
  return { tool: 'get_diagnostics_for_symbol', args };
}

/** The changes are made in the order of the options in the help. */
export function signatureRequest({ flags }: Given, args: Args): ToolRequest {
  const { add, value, before, remove, rename, order, keyword, positional } = flags;
  const each = (text: string | undefined) => text?.split(',').map((name) => name.trim()) ?? [];
  if (add === undefined && (value ?? before) !== undefined) {
    throw usageError('`--value` and `--before` need `--add`', ['add `--add` with the parameter']);
  }
  const changes = [
    ...(add === undefined ? [] : [{ add, value, before }]),
    ...each(remove).map((name) => ({ remove: name })),
    ...each(rename).map((names) => {
      const [, from, to] = /^([^=]+)=([^=]+)$/.exec(names) ?? [];
      if (from === undefined || to === undefined) {
        throw usageError(`\`${names}\` names no two parameters`, ['write `--rename old=new`']);
      }
      return { rename: from, to };
    }),
    ...(order === undefined ? [] : [{ order: each(order) }]),
    ...each(keyword).map((name) => ({ keyword: name })),
    ...each(positional).map((name) => ({ positional: name })),
  ];
  if (changes.length === 0)
    throw usageError('nothing is to change', ['add `--add`, `--remove`, `--rename` or `--order`']);
  return { tool: 'change_signature', args: { ...args, changes } };
}

/** Code that has not changed has no base. */
export function changedRequest({ flags }: Given, args: Args): ToolRequest {
  const asked = [
    ...(flags.if === undefined ? [] : [`if-${flags.if}`]),
    ...(flags.untested === true ? ['untested'] : []),
  ];
  const [base, other = args.base] = asked;
  if (base !== undefined && other !== undefined && other !== '')
    throw usageError('`--base`, `--if` and `--untested` exclude one another', ['leave out all but one']);
  return { tool: 'changed_symbols', args: { ...args, ...(base === undefined ? {} : { base }) } };
}

/** Lines are 1-based on command lines. */
export function formatRequest({ flags: { lines } }: Given, args: Args): ToolRequest {
  if (lines === undefined) return { tool: 'format_code', args };
  const [, first, last = first] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(lines) ?? [];
  if (first === undefined) throw usageError(`\`${lines}\` names no lines`, ['write `--lines 10-20`']);
  return { tool: 'format_code', args: { ...args, start_line: Number(first) - 1, end_line: Number(last) - 1 } };
}

export function codePattern(text: string): Args {
  return { pattern: text };
}

/**
 * Without new code, the command only searches. With a rule, the only operand is a path.
 *
 * @throws {ExpectedError} also `file.unreadable`.
 */
export async function structureRequest(given: Given, { where = [], ...others }: Args): Promise<ToolRequest> {
  const { flags, place, operands } = given;
  const [first = '', ...more] = operands;
  if (flags.rule === undefined && first === '')
    throw usageError('there is neither a pattern nor a rule', ["write `serena ast 'foo($A)'` or `--rule rule.yml`"]);
  const rule = flags.rule === undefined ? {} : { rule: await ruleText(flags.rule, given) };
  const within =
    flags.rule === undefined || more.length > 0 || first === '' ? {} : { pattern: '', ...inPath(first, place) };
  const args: Args = { ...others, ...within, ...rule };
  const { check: _, dry_run: __, if_clean: ___, ...own } = args;
  const conditions = z
    .array(z.string())
    .parse(where)
    .map((condition) => {
      const [, variable, symbol] = /^([^=]*)=(.*)$/s.exec(condition) ?? [];
      if (variable === undefined || symbol === undefined)
        throw usageError(`\`${condition}\` is no condition`, [
          'write `--where F=<symbol>` or `--where X:type=<symbol>`',
        ]);
      const { path, namePath } = parseSymbol(symbol, place);
      return `${variable}=${path === '' ? '' : `${path}#`}${namePath}`;
    });
  if (flags.rewrite === undefined) return { tool: 'search_structure', args: { ...own, where: conditions } };
  return { tool: 'rewrite_structure', args: { ...args, where: conditions } };
}

/** Returns a rule that is written in braces, or that is in a file. */
async function ruleText(text: string, given: Given): Promise<string> {
  return text.trimStart().startsWith('{') ? text : await readText(text, given);
}

export async function replaceRequest(given: Given, args: Args): Promise<ToolRequest> {
  const text = await readText(given.operands[1] ?? '-', given);
  // A program before the pipe that failed prints nothing.
  if (text.trim() === '')
    throw usageError('the new definition is empty', ['to delete the symbol, run `serena delete`']);
  return { tool: 'replace_symbol_body', args: { ...args, body: text.replace(/\r?\n$/, '') } };
}

/** Returns the text of a file, relative to the working directory, or of stdin for `-`. @throws {ExpectedError} `file.unreadable`. */
export async function readText(file: string, { place, read }: Pick<Given, 'place' | 'read'>): Promise<string> {
  return await read(file === '-' ? file : resolve(place.cwd, file)).catch((error: unknown) => {
    if (file === '-') throw error;
    throw new ExpectedError('file.unreadable', `\`${file}\` cannot be read: ${messageOf(error)}`);
  });
}

/** Returns the request of `undo` or `redo`. */
export function historyRequest(action: 'undo' | 'redo') {
  return ({ operands: [text = '1'], flags }: Given): ToolRequest => {
    if (flags.list === true) return { tool: 'edit_history', args: { action: 'list' } };
    if (!/^[1-9]\d{0,3}$/.test(text))
      throw usageError(`\`${text}\` is not a number of edits`, ['write a number from 1']);
    return { tool: 'edit_history', args: { action, count: Number(text) } };
  };
}

/** An edit as `apply_edits` takes it. */
interface Edit {
  readonly tool: string;
  readonly arguments: unknown;
}

/** Returns the call that the words of an edit command stand for. @throws {ExpectedError} `usage.invalid`. */
type RequestOf = (words: readonly string[]) => Promise<{ readonly tool: string; readonly args: unknown }>;

/**
 * Returns the edits of a text with an edit command on each line. Empty lines and those that begin with `#` are skipped.
 *
 * @throws {ExpectedError} `usage.invalid` naming the line; what `requestOf` throws.
 */
export async function editsIn(text: string, requestOf: RequestOf): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    try {
      const { tool, args } = await requestOf(wordsOf(line.trim()));
      edits.push({ tool, arguments: args });
    } catch (error) {
      throw isExpected(error, 'usage.invalid') ? atLine(error, index + 1) : error;
    }
  }
  if (edits.length === 0) throw usageError('there is no command to apply', ['write one edit command on each line']);
  return edits;
}

/** Returns the words of a line as a shell separates them: in quotes, or at white space without a backslash before it. */
function wordsOf(line: string): string[] {
  const part = String.raw`'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]`;
  if (!new RegExp(`^(?:${part}|\\s)*$`).test(line)) throw usageError('a quote is not closed', ['close it']);
  const words = line.match(new RegExp(`(?:${part})+`, 'g')) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) =>
      single !== undefined ? single : double !== undefined ? double.replaceAll(/\\(["\\])/g, '$1') : escaped,
    ),
  );
}

function atLine(error: ExpectedError, line: number): ExpectedError {
  return new ExpectedError(error.code, `line ${line}: ${error.message}`, { hints: error.hints, cause: error });
}
