// Answers in the formats of the reference product, which this product keeps.
import { z } from 'zod';
import type { AnsweredPosition, Position } from '../model.ts';

/** Path → kind of the referencing symbol → one entry per reference. */
const References = z.record(
  z.string(),
  z.record(z.string(), z.array(z.looseObject({ content_around_reference: z.string() }))),
);

/** Path → severity → name path → one entry per diagnostic, with 0-based lines. */
const Diagnostics = z.record(
  z.string(),
  z.record(
    z.string(),
    z.record(z.string(), z.array(z.looseObject({ range: z.looseObject({ start: z.looseObject({ line: z.int() }) }) }))),
  ),
);

const Implementations = z.array(
  z.looseObject({
    relative_path: z.string(),
    body_location: z.object({ start_line: z.int(), end_line: z.int() }),
  }),
);

const FoundSymbols = z.array(
  z.looseObject({ name_path: z.string(), body_location: z.object({ start_line: z.int(), end_line: z.int() }) }),
);

type OverviewEntry = string | { [name: string]: OverviewByKind };
type OverviewByKind = { [kind: string]: OverviewEntry[] };
const OverviewEntry: z.ZodType<OverviewEntry> = z.lazy(() =>
  z.union([z.string(), z.record(z.string(), OverviewByKind)]),
);
const OverviewByKind: z.ZodType<OverviewByKind> = z.lazy(() => z.record(z.string(), z.array(OverviewEntry)));

/** Returns the positions of the references in an answer: the marked lines of the excerpts, which are 0-based. */
export function referencePositions(text: string): Position[] {
  return Object.entries(References.parse(JSON.parse(text))).flatMap(([file, kinds]) =>
    Object.values(kinds)
      .flat()
      .map(({ content_around_reference }) => {
        const line = /^ *> *(\d+):/m.exec(content_around_reference)?.[1];
        if (line === undefined) throw new Error(`no marked line in ${content_around_reference}`);
        return { file, line: Number(line), column: 0 };
      }),
  );
}

/** Returns the positions of errors and warnings. */
export function errorPositions(text: string): Position[] {
  return Object.entries(Diagnostics.parse(JSON.parse(text))).flatMap(([file, severities]) =>
    Object.entries(severities)
      .filter(([severity]) => severity === 'Error' || severity === 'Warning')
      .flatMap(([, owners]) => Object.values(owners).flat())
      .map(({ range: { start } }) => ({ file, line: start.line, column: 0 })),
  );
}

/** Returns the definitions in an answer with all their lines, which may begin with a decorator. */
export function implementationPositions(text: string): AnsweredPosition[] {
  return Implementations.parse(JSON.parse(text)).map(({ relative_path, body_location: { start_line, end_line } }) => ({
    file: relative_path,
    line: start_line,
    column: 0,
    endLine: end_line,
  }));
}

/** Returns the name path of the innermost found symbol around a declaration, if any. */
export function namePathAround(text: string, { line }: Position): string | undefined {
  return FoundSymbols.parse(JSON.parse(text))
    .filter(({ body_location: { start_line, end_line } }) => start_line <= line && line <= end_line)
    .sort((a, b) => b.body_location.start_line - a.body_location.start_line)[0]?.name_path;
}

/** Returns the name paths in an overview. */
export function overviewNamePaths(text: string): string[] {
  return namePathsIn(OverviewByKind.parse(JSON.parse(text)), '');
}

function namePathsIn(kinds: OverviewByKind, prefix: string): string[] {
  return Object.values(kinds)
    .flat()
    .flatMap((entry) => {
      if (typeof entry === 'string') return [prefix + entry];
      return Object.entries(entry).flatMap(([name, members]) => [
        prefix + name,
        ...namePathsIn(members, `${prefix}${name}/`),
      ]);
    });
}
