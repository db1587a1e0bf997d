import { ExpectedError } from '../../base/errors.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import type { AddedParameter, AddedParameters, RequestedChange } from './signature-change.ts';

/**
 * Returns the parameters that changes add, read as code of the language.
 *
 * @throws {ExpectedError} `tool.invalid-input` if one is not exactly one parameter, or its value not one argument.
 */
export async function addedParameters(
  active: ActiveServer,
  file: string,
  { rules, changes }: { rules: SignatureRules; changes: readonly RequestedChange[] },
): Promise<AddedParameters> {
  const found = new Map<number, AddedParameter>();
  for (const [index, { add, value }] of changes.entries()) {
    if (add !== undefined) found.set(index, await addedParameter(active, file, { rules, add, value }));
  }
  return found;
}

async function addedParameter(
  { spec }: ActiveServer,
  file: string,
  { rules, add, value }: { rules: SignatureRules; add: string; value: string | undefined },
): Promise<AddedParameter> {
  const text = add.trim();
  const code = rules.sample({ parameters: text, arguments: value ?? '' });
  const { starts } = textLines(code);
  const names = [...code.matchAll(/\bf\(/g)].map(({ index }) => index);
  // The parameter and the argument are code of the caller, and may contain the name.
  const places = [names[0] ?? 0, names.length > 1 ? code.lastIndexOf(`f(${value ?? ''})`) : 0];
  const language = syntaxLanguageOf(spec, file);
  if (language === undefined) throw invalid(`\`${text}\` cannot be read`);
  const errors = await syntaxTrees.errors(language, code);
  const positions = places.map((at) => positionAt(code, starts, at));
  const [declared, called] = errors.length > 0 ? [] : await syntaxTrees.signatures(language, code, positions);
  const part = declared?.is === 'declaration' && declared.parameters.length === 1 ? declared.parameters[0] : undefined;
  const isWhole = ({ start, end }: { start: number; end: number }, given: string) => code.slice(start, end) === given;
  if (
    declared?.is !== 'declaration' ||
    !isWhole(declared.list, text) ||
    part?.name === undefined ||
    !canBeAdded(part.is)
  )
    throw invalid(`\`${text}\` is not one parameter of this language`);
  if (
    value !== undefined &&
    (called?.is !== 'call' ||
      called.arguments.length !== 1 ||
      !isWhole(called.list, value) ||
      isNoValue(called.arguments[0]))
  )
    throw invalid(`\`${value}\` is not one argument of this language`);
  const { start } = declared.list;
  const shift = <Part extends { start: number; end: number }>(one: Part): Part => {
    return { ...one, start: one.start - start, end: one.end - start };
  };
  const own = { ...shift(part), name: shift(part.name), ...(part.default && { default: shift(part.default) }) };
  return { text, value: value?.trim(), part: own };
}

function canBeAdded(is: string): boolean {
  return is === 'positional' || is === 'either' || is === 'keyword';
}

function isNoValue(argument: { spread?: unknown; keyword?: unknown } | undefined): boolean {
  return argument === undefined || argument.spread !== undefined || argument.keyword !== undefined;
}

function invalid(message: string): ExpectedError {
  return new ExpectedError('tool.invalid-input', message, {
    hints: ['write a parameter as its declaration has it, and a value as a call has it'],
  });
}
