import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { type GapPlace, placeRows } from '../../base/gap.ts';
import type { Verification } from '../../symbols/queries/verify-changes.ts';
import { maxProblems } from './diagnostics.ts';

const line = z.object({ file: z.string(), line: z.int() });

/** The answer of `verify_changes` as data; lines are 0-based. */
export const VerificationData = z.object({
  /** Nothing is broken, something is, or something could not be decided. */
  verdict: z.enum(['clean', 'problems', 'incomplete']),
  compared: z.string(),
  changed_files: z.int(),
  /** Number of files that may use what changed. */
  users: z.int(),
  problems: z.array(line.extend({ severity: z.enum(['error', 'warning']), message: z.string() })),
  open: z.array(line.extend({ text: z.string(), reason: z.string() })),
  /** Lines outside code that name what is gone. */
  mentions: z.array(line.extend({ text: z.string(), reason: z.string() })),
  tests: z.array(z.string()),
});
export type VerificationData = z.infer<typeof VerificationData>;

/** Returns the data of an answer. `isPartial` is whether something was not compared. */
export function verificationData(compared: string, found: Verification, isPartial: boolean): VerificationData {
  const { files, problems, open, mentions, tests } = found;
  const entries = problems.map(({ file, diagnostic: { range, severity, message } }) => {
    const kind = severity === 1 ? ('error' as const) : ('warning' as const);
    return { file, line: range.start.line, severity: kind, message: message.replace(/\s+/g, ' ').trim() };
  });
  const isBroken = entries.some(({ severity }) => severity === 'error');
  return {
    verdict: isBroken ? 'problems' : open.length > 0 || isPartial ? 'incomplete' : 'clean',
    compared,
    changed_files: files.changed,
    users: files.users,
    problems: entries,
    open: open.map(withReason),
    mentions: mentions.map(withReason),
    tests: [...tests],
  };
}

function withReason({ why, ...place }: GapPlace) {
  return { ...place, reason: why };
}

interface Reader {
  /** Number of a file's first line. */
  readonly firstLine: 0 | 1;
  /** Returns a project-relative path as the reader knows it. */
  shown(path: string): string;
}

/** A test runner finds the others by itself. */
const maxTests = 50;

/** Returns an answer as lines: the verdict with what was compared, new problems, open lines, and tests. */
export function verificationLines(data: VerificationData, { firstLine, shown }: Reader): string[] {
  const { verdict, compared, changed_files: changed, users, problems, open, mentions, tests } = data;
  const size = `${counted(changed, 'changed file')}, ${counted(users, 'more file')} with names that changed`;
  const problemRows = problems
    .slice(0, maxProblems)
    .map((one) => `${shown(one.file)}:${one.line + firstLine}: ${one.severity}: ${one.message}`);
  const rowsOf = (places: typeof open) =>
    placeRows(
      places.map(({ reason, ...place }) => ({ ...place, file: shown(place.file), why: reason })),
      firstLine,
    );
  return [
    `${verdict}: ${compared}; ${size}`,
    ...section('New problems:', problemRows, problems.length - problemRows.length),
    ...section('Open; check each of these lines:', rowsOf(open), 0),
    ...section('Mentioned outside code:', rowsOf(mentions), 0),
    ...section('Tests that reach the change:', tests.slice(0, maxTests).map(shown), tests.length - maxTests),
    ...(verdict === 'clean' ? ['Nothing is left to check.'] : []),
  ];
}

function section(title: string, rows: readonly string[], more: number): string[] {
  if (rows.length === 0) return [];
  return [title, ...[...rows, ...(more > 0 ? [`and ${more} more`] : [])].map((row) => `  ${row}`)];
}

/** A finding for a program that annotates files; lines are 1-based. */
interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: (typeof rules)[number][0];
  readonly level: 'error' | 'warning';
  readonly message: string;
}

function findingsOf({ problems, open }: VerificationData): Finding[] {
  return [
    ...problems.map(({ severity, ...one }) => ({
      ...one,
      line: one.line + 1,
      rule: 'new-problem' as const,
      level: severity,
    })),
    ...open.map(({ file, line: at, reason }) => {
      const message = `this line ${reason}`;
      return { file, line: at + 1, rule: 'open-use' as const, level: 'warning' as const, message };
    }),
  ];
}

/** Returns workflow commands that make GitHub Actions annotate the lines. */
export function githubLines(data: VerificationData): string[] {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return findingsOf(data).map(
    ({ file, line: at, level, message }) => `::${level} file=${property(file)},line=${at}::${escaped(message)}`,
  );
}

const sarifSchema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Kinds of findings, as readers of SARIF show them. */
const rules = [
  ['new-problem', 'A problem that the base does not have'],
  ['open-use', 'A line that may use a name or a signature as it was'],
] as const;

/** Returns the findings as a log of SARIF 2.1.0. */
export function sarifOf(data: VerificationData): object {
  const results = findingsOf(data).map(({ file, line: startLine, rule, level, message }) => ({
    ruleId: rule,
    ruleIndex: rules.findIndex(([id]) => id === rule),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          region: { startLine },
        },
      },
    ],
  }));
  const driver = { name: 'Serena', rules: rules.map(([id, text]) => ({ id, shortDescription: { text } })) };
  return { $schema: sarifSchema, version: '2.1.0', runs: [{ tool: { driver }, results }] };
}
