import { type Gap, namedFiles } from '../../base/gap.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { EditChecks } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Definition } from '../../syntax/calls.ts';
import { comparePlaces, type Place, positionKey } from '../../text/place.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { occurrencesIn } from '../occurrences/parsed-occurrences.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { textsAfter } from './texts-after.ts';
import { newErrors, type TrialResult, trial } from './trial.ts';

type Probe = NonNullable<EditChecks['comparedMember']>;

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
  const steps = probe && (await withProbes(scope, lost, probe));
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
async function withProbes(scope: SymbolScope, lost: LostName, probe: Probe): Promise<WorkspaceStep[] | undefined> {
  const edits = lost.steps.flatMap((step) => {
    if (step.do !== 'edit') return [];
    const file = resolveInProject(scope.files.project, step.file);
    return step.edits.map((edit) => ({ ...edit, file }));
  });
  const probed: WorkspaceStep[] = [];
  const others: WorkspaceStep[] = [];
  for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
    // Of two edits at one position the first is made.
    const starts = new Map(own.toReversed().map((edit) => [positionKey(edit.range.start), edit]));
    for (const { type, start } of await listsOf(scope, lost.name, file, starts)) {
      const key = positionKey(start);
      const { range, newText } = starts.get(key) ?? { range: { start, end: start }, newText: '' };
      const text = probe.text({ name: lost.name, list: type, file });
      probed.push({ do: 'edit', file, edits: [{ range, newText: text + newText }] });
      starts.delete(key);
    }
    others.push({ do: 'edit', file, edits: [...starts.values()] });
  }
  return probed.length === 0 ? undefined : [...probed, ...others];
}

/** Returns the distinct lists whose members of a name begin at the keys of some edits. */
async function listsOf(
  scope: SymbolScope,
  name: string,
  file: string,
  starts: ReadonlyMap<string, unknown>,
): Promise<NonNullable<Definition['list']>[]> {
  const occurrences = (await occurrencesIn(scope, file, name)) ?? [];
  const lists = occurrences.flatMap(({ start, definition }) => {
    const isRenamed = definition?.isMember === true && starts.has(positionKey(start));
    return isRenamed && definition.list !== undefined ? [definition.list] : [];
  });
  return [...new Map(lists.map((list) => [positionKey(list.start), list])).values()];
}
