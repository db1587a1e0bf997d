import { counted } from '../../base/counted.ts';
import { checkReferences, type MemoryFindings, type ReferenceCheck } from '../../memories/check-references.ts';
import { type Prefixed, type PrefixResult, prefixReferences } from '../../memories/prefix-references.ts';
import type { MemoryScope } from './memories.ts';
import { withMemories } from './with-memories.ts';

export interface CheckFlags {
  readonly includeUnmarked?: boolean;
  readonly fuzzyMatching?: boolean;
  readonly json?: boolean;
}

/** Reports references that lead nowhere and, if asked for, names that may be meant as references. */
export async function checkMemories(flags: CheckFlags, { project, environment }: MemoryScope): Promise<void> {
  const unmarked = flags.includeUnmarked === true;
  const similar = unmarked && flags.fuzzyMatching === true;
  if (flags.fuzzyMatching && !unmarked) {
    process.stderr.write('`--fuzzy-matching` adds to `--include-unmarked`; alone it does nothing\n');
  }
  await withMemories(project, environment, async ({ asAgent }) => {
    const check = await checkReferences(asAgent, { unmarked, similar });
    for (const { text } of check.unread) process.stderr.write(`Not checked: ${text}, which cannot be read as UTF-8\n`);
    process.stdout.write(flags.json ? `${JSON.stringify(asJson(check), undefined, 2)}\n` : render(check));
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
    section('References that lead nowhere', findings, ({ stale }) =>
      stale.map(({ text, line, candidates }) => {
        const meant = candidates.map(({ name }) => `mem:${name}`).join(', ');
        return `${line}: mem:${text}${meant === '' ? '' : `; perhaps ${meant}`}`;
      }),
    ),
    section('Names of memories without `mem:`, hardly ever meant otherwise', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Names of memories without `mem:` that may be plain words', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => !isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Words that are nearly names of memories', findings, ({ similar }) =>
      similar.map(({ text, line, candidate }) => `${line}: ${text}; perhaps mem:${candidate.name}`),
    ),
  ].filter((text) => text !== '');
  if (sections.length === 0) return `All references in ${counted(memoryCount, 'memory', 'memories')} lead somewhere\n`;
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

/** Puts `mem:` before names that are references in all but that, and reports what was done and what was left. */
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
    process.stdout.write(flags.json ? `${JSON.stringify(json, undefined, 2)}\n` : renderPrefixed(result, isDryRun));
  });
}

function plain({ memory, names }: Prefixed) {
  return { memory: memory.text, names };
}

function renderPrefixed({ rewritten, left }: PrefixResult, isDryRun: boolean): string {
  const listed = (title: string, all: readonly Prefixed[]) =>
    all.length === 0 ? [] : [`${title}:`, ...all.map(({ memory, names }) => `  ${memory.text}: ${names.join(', ')}`)];
  const lines = [
    ...listed(isDryRun ? 'Would become references' : 'Became references', rewritten),
    ...listed('Left as they may be plain words (`--include-flat-names`)', left.flatNames),
    ...listed('Left in memories that agents may not write (`--include-read-only`)', left.readOnly),
    ...listed('Left in memories of every project (`--include-global`)', left.global),
  ];
  return `${lines.length === 0 ? 'Every name of a memory is a reference already' : lines.join('\n')}\n`;
}
