import { type Gap, namedFiles } from '../../base/gap.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePlaces, comparePositions, type Place, positionKey } from '../../text/place.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { occurrencesIn } from '../occurrences/parsed-occurrences.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { textsAfter } from './texts-after.ts';
import { newErrors, type TrialResult, trial } from './trial.ts';

/** Members that lose a name, with the edits that take it from them. */
interface LostName {
  readonly active: ActiveServer;
  readonly name: string;
  /** Edits of the present texts only. */
  readonly steps: readonly WorkspaceStep[];
  /** Project-relative paths of files that may use values of their types. */
  readonly files: readonly string[];
  /** Time in ms for the trial; absent for a share of what the call has left. */
  readonly patienceMs?: number | undefined;
}

/**
 * Returns where values of the types of members are used as another type that also has a member of their old name, or values
 * of others as theirs. The compiler does not report these places if that member is optional: code that looks for it would
 * silently not find it. So it is shown members of the old name whose type fits no other.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function comparedPlaces(scope: SymbolScope, lost: LostName): Promise<FileProblem[]> {
  const { active, name, patienceMs } = lost;
  const probe = active.spec.adapter?.editChecks?.comparedMember;
  const steps = probe && (await withProbes(scope, lost));
  if (probe === undefined || steps === undefined) return [];
  const texts = textsAfter(scope, steps);
  const files = [...new Set([...texts.keys(), ...lost.files])];
  const tried = await trial(scope, { active, texts, files, patienceMs });
  // A read says what it found in its short time.
  if (patienceMs === undefined && tried.unchecked.length > 0) scope.gaps.push(uncheckedGap(active, name, tried));
  const message = comparedWith(name);
  return newErrors(tried)
    .filter(({ diagnostic }) => probe.isReported(diagnostic.message))
    .map(({ file, diagnostic }) => ({ file, diagnostic: { ...diagnostic, message } }));
}

function uncheckedGap({ spec }: ActiveServer, name: string, { unchecked }: TrialResult): Gap {
  return {
    missing: `Uses of values as a type that has a member \`${name}\` too may be missing`,
    reason: `${spec.name} did not check ${namedFiles(unchecked)} in time`,
    next: 'Repeat the call with a longer time limit',
  };
}

/** Says what {@link comparedPlaces} finds, as a clause. */
export function comparedWith(name: string): string {
  return `values of its type are used as one with a member \`${name}\``;
}

/** Returns the places of {@link comparedPlaces} for a member that would be deleted. */
export async function placesWithout(
  scope: SymbolScope,
  { active, symbol, files }: { active: ActiveServer; symbol: SymbolNode; files: readonly string[] },
): Promise<Place[]> {
  const range = symbol.selectionRange;
  const lines = readable(scope, symbol.file);
  const span = lines && spanOf(lines, range);
  if (lines === undefined || span === undefined) return [];
  const name = lines.text.slice(span.start, span.end);
  const steps: WorkspaceStep[] = [{ do: 'edit', file: symbol.file, edits: [{ range, newText: `${name}_deleted` }] }];
  const found = await comparedPlaces(scope, { active, name, steps, files });
  return found.map(({ file, diagnostic }) => ({ file, range: diagnostic.range })).toSorted(comparePlaces);
}

/** Returns the steps with a member of the old name in each type that loses one; `undefined` if there is none. */
async function withProbes(scope: SymbolScope, lost: LostName): Promise<WorkspaceStep[] | undefined> {
  let hasProbe = false;
  const all: WorkspaceStep[] = [];
  const ownFile = (file: string) => resolveInProject(scope.files.project, file);
  const edits = lost.steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, file: ownFile(step.file) })) : [],
  );
  for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
    const probes = await probesIn(scope, lost, file, own);
    hasProbe ||= probes.length > 0;
    const others = own.filter(({ range }) => !probes.some((one) => isAt(one, range.start)));
    const joined = probes.map((one) => {
      const same = own.find(({ range }) => isAt(one, range.start));
      return same === undefined ? one : { range: same.range, newText: `${one.newText}${same.newText}` };
    });
    all.push({ do: 'edit', file, edits: [...joined, ...others] });
  }
  return hasProbe ? all : undefined;
}

function isAt({ range }: RangeEdit, position: RangeEdit['range']['start']): boolean {
  return comparePositions(range.start, position) === 0;
}

/** Returns the insertions of members of the old name beside those that lose it. */
async function probesIn(
  scope: SymbolScope,
  { active, name }: LostName,
  file: string,
  edits: readonly RangeEdit[],
): Promise<RangeEdit[]> {
  const probe = active.spec.adapter?.editChecks?.comparedMember;
  const occurrences = (await occurrencesIn(scope, file, name)) ?? [];
  const lists = occurrences.flatMap(({ start, definition }) => {
    const isRenamed = definition?.isMember === true && edits.some((edit) => isAt(edit, start));
    return isRenamed && definition.list !== undefined ? [definition.list] : [];
  });
  const distinct = new Map(lists.map((list) => [positionKey(list.start), list]));
  return [...distinct.values()].flatMap(({ type, start }) =>
    probe === undefined ? [] : [{ range: { start, end: start }, newText: probe.text({ name, list: type, file }) }],
  );
}
