import { counted } from '../../base/counted.ts';
import { checkReferences, type MemoryFindings, type ReferenceCheck } from '../../memories/check-references.ts';
import { type Prefixed, type PrefixResult, prefixReferences } from '../../memories/prefix-references.ts';
import { ownCaller } from '../caller.ts';
import type { MemoryScope } from './memories.ts';
import { withMemories } from './with-memories.ts';

export interface CheckFlags {
  readonly includeUnmarked?: boolean;
  readonly fuzzyMatching?: boolean;
  readonly json?: boolean;
}

/** Reports broken references and, with the flags, names that may be meant as references. */
export async function checkMemories(flags: CheckFlags, { project, environment }: MemoryScope): Promise<void> {
  const unmarked = flags.includeUnmarked === true;
  const similar = unmarked && flags.fuzzyMatching === true;
  if (flags.fuzzyMatching && !unmarked) {
    ownCaller.report('`--fuzzy-matching` has no effect without `--include-unmarked`\n');
  }
  await withMemories(project, environment, async ({ asAgent }) => {
    const check = await checkReferences(asAgent, { unmarked, similar });
    for (const { text } of check.unread) ownCaller.report(`Not checked: ${text}, which is not valid UTF-8\n`);
    ownCaller.print(flags.json ? `${JSON.stringify(asJson(check), undefined, 2)}\n` : render(check));
  });
}

function asJson({ findings, memoryCount, unread }: ReferenceCheck) {
  return {
    memories: memoryCount,
    unread: unread.map(({ text }) => text),
    findings: findings.map(({ memory, isReadOnly, stale, unmarked, similar }) => ({
      memory: memory.text,
      read_only: isReadOnly,
      stale,
      unmarked: unmarked.map(({ text, line, isSure }) => ({ text, line, confidence: isSure ? 'high' : 'low' })),
      similar,
    })),
  };
}

function render({ findings, memoryCount }: ReferenceCheck): string {
  const sections = [
    section('Broken references', findings, ({ stale }) =>
      stale.map(({ text, line, candidates }) => {
        const meant = candidates.map(({ name }) => `mem:${name}`).join(', ');
        return `${line}: mem:${text}${meant === '' ? '' : `; did you mean ${meant}?`}`;
      }),
    ),
    section('Memory names without `mem:` that are almost certainly references', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Memory names without `mem:` that may be ordinary words', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => !isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Words that are similar to memory names', findings, ({ similar }) =>
      similar.map(({ text, line, candidate }) => `${line}: ${text}; did you mean mem:${candidate.name}?`),
    ),
  ].filter((text) => text !== '');
  if (sections.length === 0) return `No broken references in ${counted(memoryCount, 'memory', 'memories')}\n`;
  return sections.join('\n');
}

function section(
  title: string,
  findings: readonly MemoryFindings[],
  linesOf: (findings: MemoryFindings) => readonly string[],
): string {
  const parts = findings.flatMap((found) => {
    const lines = linesOf(found).map((line) => `    line ${line}\n`);
    return lines.length === 0 ? [] : [`  ${found.memory.text}${found.isReadOnly ? ' (read-only)' : ''}\n`, ...lines];
  });
  return parts.length === 0 ? '' : `${title}:\n${parts.join('')}`;
}

export interface PrefixFlags {
  readonly dryRun?: boolean;
  readonly includeFlatNames?: boolean;
  readonly includeReadOnly?: boolean;
  readonly includeGlobal?: boolean;
  readonly json?: boolean;
}

/** Adds `mem:` to names that are meant as references, and reports what was changed and what was not. */
export async function prefixMemories(flags: PrefixFlags, { project, environment }: MemoryScope): Promise<void> {
  const isDryRun = flags.dryRun === true;
  await withMemories(project, environment, async ({ asAgent, asUser }) => {
    const result = await prefixReferences(asAgent, asUser, {
      flatNames: flags.includeFlatNames === true,
      readOnly: flags.includeReadOnly === true,
      global: flags.includeGlobal === true,
      isDryRun,
    });
    const { rewritten, left } = result;
    const json = {
      dry_run: isDryRun,
      rewritten: rewritten.map(plain),
      left: {
        flat_names: left.flatNames.map(plain),
        read_only: left.readOnly.map(plain),
        global: left.global.map(plain),
      },
    };
    ownCaller.print(flags.json ? `${JSON.stringify(json, undefined, 2)}\n` : renderPrefixed(result, isDryRun));
  });
}

function plain({ memory, names }: Prefixed) {
  return { memory: memory.text, names };
}

function renderPrefixed({ rewritten, left }: PrefixResult, isDryRun: boolean): string {
  const listed = (title: string, all: readonly Prefixed[]) =>
    all.length === 0 ? [] : [`${title}:`, ...all.map(({ memory, names }) => `  ${memory.text}: ${names.join(', ')}`)];
  const lines = [
    ...listed(isDryRun ? 'Would be prefixed' : 'Prefixed', rewritten),
    ...listed('Not prefixed, may be ordinary words (`--include-flat-names`)', left.flatNames),
    ...listed('Not prefixed, in read-only memories (`--include-read-only`)', left.readOnly),
    ...listed('Not prefixed, in global memories (`--include-global`)', left.global),
  ];
  return `${lines.length === 0 ? 'Every memory name already has the prefix `mem:`' : lines.join('\n')}\n`;
}
