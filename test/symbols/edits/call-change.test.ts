import { afterAll, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { profile } from '../../../src/languages/python/profile.ts';
import type { SignatureRules } from '../../../src/languages/signature-rules.ts';
import { changedCall } from '../../../src/symbols/edits/call-change.ts';
import { listWith } from '../../../src/symbols/edits/list-layout.ts';
import { type RequestedChange, signatureAfter } from '../../../src/symbols/edits/signature-change.ts';
import type { CallSite, DeclarationSite, SignatureSite } from '../../../src/syntax/signatures.ts';
import { syntaxTrees } from '../../../src/syntax/syntax-trees.ts';
import { positionAt } from '../../../src/text/position.ts';
import { textLines } from '../../../src/text/text-lines.ts';
import { whyNotRun } from '../../support/compiles.ts';
import { testUnless } from '../../support/skip.ts';

afterAll(() => syntaxTrees.close());

const declarations = [
  'a, b, c',
  'a, b=20, c=30',
  'a, /, b, c=30',
  'a, b, *, c=30',
  'a, b=20, *c',
  'a, b=20, *rest, c',
  'a, b=20, *, c=30, **others',
];
const calls = [
  '1, 2, 3',
  '1, 2',
  '1',
  '1, b=2, c=3',
  'c=3, b=2, a=1',
  '1, c=3, b=2',
  '1, c=3',
  '1, 2, 3, 4, c=5',
  '1, 2, c=3, d=4',
  'b=2, a=1, c=3',
];
const changes: readonly RequestedChange[] = [
  { order: ['c', 'b', 'a'] },
  { order: ['b', 'a', 'c'] },
  { order: ['b', 'a'] },
  { remove: 'a' },
  { remove: 'b' },
  { remove: 'c' },
  { rename: 'b', to: 'second' },
  { rename: 'c', to: 'third' },
  { add: 'x=9' },
  { add: 'x', value: '9' },
  { add: 'x', value: '9', before: 'a' },
  { add: 'x=9', before: 'b' },
  { keyword: 'b' },
  { keyword: 'c' },
  { positional: 'c' },
];

/** Returns the code before and after changes; `undefined` if they do not fit the declaration, or the call is open. */
async function changedCode(parameters: string, call: string, requested: readonly RequestedChange[]) {
  const rules: SignatureRules | undefined = profile.signatures;
  if (rules === undefined) throw new Error('Python has no signatures');
  const [own, passed] = await sitesOf(rules, parameters, call);
  const added = new Map<
    number,
    { text: string; part: DeclarationSite['parameters'][number]; value: string | undefined }
  >();
  for (const [index, { add, value }] of requested.entries()) {
    if (add === undefined) continue;
    const [
      {
        list,
        parameters: [part],
      },
    ] = await sitesOf(rules, add, '');
    const shift = <T extends { start: number; end: number }>(one: T): T => ({
      ...one,
      start: one.start - list.start,
      end: one.end - list.start,
    });
    if (part?.name === undefined) throw new Error(`\`${add}\` is no parameter`);
    const whole = { ...shift(part), name: shift(part.name), ...(part.default && { default: shift(part.default) }) };
    added.set(index, { text: add, value, part: whole });
  }
  const code = rules.sample({ parameters, arguments: call });
  const text = (part: { start: number; end: number }) => code.slice(part.start, part.end);
  try {
    const change = signatureAfter(own.parameters, requested, { rules, added });
    const names = change.old.map(() => new Set<string>());
    const changed = changedCall(change, passed, { rules, passesReceiver: false, names });
    if (changed.is === 'open') return undefined;
    const inDeclaration = change.entries.map(({ origin, added: one, is, name }) => {
      const old = origin === undefined ? undefined : own.parameters[origin];
      if (old === undefined) return { text: one?.text ?? (is === 'end-of-positional' ? '/' : '*') };
      return { origin, text: old.name === undefined ? text(old) : text(old).replace(old.name.name, name ?? '') };
    });
    const inCall =
      changed.is === 'kept'
        ? passed.arguments.map((one, origin) => ({ origin, text: text(one) }))
        : changed.arguments.map(({ origin, keyword, text: given = '' }) => {
            const one = origin === undefined ? undefined : passed.arguments[origin];
            return {
              origin,
              text: `${keyword === undefined ? '' : `${keyword}=`}${one === undefined ? given : text(one.value)}`,
            };
          });
    return {
      parameters: listWith(code, own.list, { old: own.parameters, items: inDeclaration }),
      call: listWith(code, passed.list, { old: passed.arguments, items: inCall }),
      renamed: change.renamed,
      removed: change.removed.map((index) => own.parameters[index]?.name?.name ?? ''),
    };
  } catch (error) {
    // The declaration has no such parameter.
    if (String(error).includes('ExpectedError') || (error instanceof Error && 'hints' in error)) return undefined;
    throw error;
  }
}

async function sitesOf(rules: SignatureRules, parameters: string, call: string): Promise<[DeclarationSite, CallSite]> {
  const code = rules.sample({ parameters, arguments: call });
  const { starts } = textLines(code);
  const places = [code.indexOf('f('), code.lastIndexOf(`f(${call})`)].map((at) => positionAt(code, starts, at));
  const [own, passed]: readonly SignatureSite[] = await syntaxTrees.signatures('python', code, places);
  if (own?.is !== 'declaration' || passed?.is !== 'call') throw new Error(`\`${code}\` is not read`);
  return [own, passed];
}

/** Prints what each parameter of a function gets in a call, the error of the call, or null for a wrong declaration. */
const program = `
import json, sys
for parameters, call in json.load(sys.stdin):
    scope = {}
    try:
        exec(f"def f({parameters}):\\n    return locals()", scope)
    except SyntaxError:
        print("null")
        continue
    try:
        exec(f"result = f({call})", scope)
        print(json.dumps(scope["result"]))
    except (SyntaxError, TypeError) as error:
        print(json.dumps(str(error)))
`;

function run(
  codes: readonly (readonly [parameters: string, call: string])[],
): (Record<string, unknown> | string | null)[] {
  const { stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(codes), encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

testUnless(whyNotRun(['python3']))('a changed call gives each parameter of Python what it had', async () => {
  const cases = fc.sample(
    fc.record({
      parameters: fc.constantFrom(...declarations),
      call: fc.constantFrom(...calls),
      requested: fc.array(fc.constantFrom(...changes), { minLength: 1, maxLength: 2 }),
    }),
    { numRuns: 1500, seed: 29 },
  );
  const before = run(cases.map(({ parameters, call }) => [parameters, call]));
  const made = [];
  for (const [index, { parameters, call, requested }] of cases.entries()) {
    const old = before[index];
    if (old === undefined || old === null || typeof old === 'string') continue;
    const now = await changedCode(parameters, call, requested);
    if (now !== undefined) made.push({ old, now, parameters, call, requested });
  }
  expect(made.length).toBeGreaterThan(300);
  const after = run(made.map(({ now }) => [now.parameters, now.call]));
  let compared = 0;
  for (const [index, { old, now, ...given }] of made.entries()) {
    const result = after[index];
    // The declaration itself is wrong, which the language server says.
    if (result === null) continue;
    const expected = Object.entries(old)
      .filter(([name]) => !now.removed.includes(name))
      .map(([name, value]): [string, unknown] => [now.renamed.get(name) ?? name, value]);
    const wanted = { ...Object.fromEntries(expected), ...(/\bx\b/.test(now.parameters) && { x: 9 }) };
    expect({ ...given, ...now, result }).toEqual({ ...given, ...now, result: wanted });
    compared++;
  }
  expect(compared).toBeGreaterThan(250);
});
