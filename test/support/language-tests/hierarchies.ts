import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { isExpected } from '../../../src/base/errors.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import type { HierarchyEntry } from '../../../src/symbols/queries/hierarchy.ts';
import { installTimeoutMs, Opened } from '../../servers/opened.ts';
import { testUnless } from '../skip.ts';
import { copyFixture } from '../workspace.ts';
import { installTested, type Tested } from './tested.ts';

type Kind = 'callers' | 'callees' | 'supertypes' | 'subtypes';

/** A question about the fixture of a language. */
export interface HierarchyQuestion {
  readonly of: readonly [namePath: string, file: string];
  readonly kind: Kind;
  /** Entries three levels deep, indented by level; lines are 0-based. */
  readonly expected: readonly string[];
  readonly outside?: readonly string[];
  readonly isDerived?: boolean;
}

/** Tests the callers, callees, supertypes and subtypes from a server, or derived where it has no hierarchy. */
export function testHierarchies(tested: Tested, fixture: string, questions: readonly HierarchyQuestion[]): void {
  const { spec, whyNot, env } = tested;
  const testHere = testUnless(whyNot);
  describe(`hierarchies of ${spec.name}`, () => {
    installTested(tested);
    let shared: Opened | undefined;
    beforeAll(async () => {
      if (whyNot === undefined) shared = await Opened.open(copyFixture(fixture), spec, env);
    });
    afterAll(async () => await shared?.[Symbol.asyncDispose]());
    const opened = () => {
      if (shared === undefined) throw new Error('The project was not opened');
      return shared;
    };

    for (const { of, kind, expected, outside = [], isDerived = false } of questions) {
      const [namePath, file] = of;
      testHere(
        `${kind} of ${namePath}`,
        async () => {
          const found = await opened().ask(async (symbols) =>
            symbols.hierarchy(await symbols.unique(namePath, file), { kind, depth: 3 }),
          );
          expect(rendered(found.entries)).toEqual([...expected]);
          expect(found.outside).toEqual([...outside]);
          expect(found.derivation !== undefined).toBe(isDerived);
        },
        installTimeoutMs,
      );
    }

    const [callable] = questions.filter(({ kind }) => kind === 'callers');
    if (callable === undefined) return;
    testHere('a function has no subtypes, and the error says so', async () => {
      const [namePath, file] = callable.of;
      const refusal = await opened()
        .ask(async (symbols) => symbols.hierarchy(await symbols.unique(namePath, file), { kind: 'subtypes', depth: 1 }))
        .catch((error: unknown) => error);
      expect(isExpected(refusal, 'tool.invalid-input')).toBe(true);
    });
  });
}

function rendered(entries: readonly HierarchyEntry[], indentation = ''): string[] {
  return entries.flatMap(({ symbol, lines, below = [] }) => [
    `${indentation}${symbol.file} ${namePathOf(symbol)} ${lines.join(',')}${below === 'repeated' ? ' repeated' : ''}`,
    ...(below === 'repeated' ? [] : rendered(below, `${indentation}  `)),
  ]);
}
