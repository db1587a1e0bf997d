import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/support/paths.ts';
import { writeTextAtomically } from '../../src/base/files.ts';

/** Replaces the section with this heading in docs/benchmarks.md, or appends it. */
export function writeSection(heading: string, body: string): void {
  const page = join(root, 'docs/benchmarks.md');
  writeTextAtomically(page, withSection(readFileSync(page, 'utf8'), heading, `${heading}\n\n${body.trimEnd()}\n`));
}

function withSection(text: string, heading: string, section: string): string {
  const start = text.indexOf(`\n${heading}\n`);
  if (start === -1) return `${text.trimEnd()}\n\n${section}`;
  const end = text.indexOf('\n## ', start + heading.length);
  return `${text.slice(0, start).trimEnd()}\n\n${section}${end === -1 ? '' : text.slice(end)}`;
}
