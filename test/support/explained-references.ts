import type { TestClient } from './client.ts';

interface Explained {
  readonly relative_path: string;
  readonly line: number;
  readonly judge: string;
}

/** Returns what was decided about each occurrence of a symbol's name, as `verdict file:line judge` (0-based). */
export async function explainedReferences(client: TestClient, name: string, file: string): Promise<string[]> {
  const question = { name_path: name, relative_path: file, group_by: 'verdict' };
  const found: Record<string, readonly Explained[]> = JSON.parse(
    (await client.call('find_referencing_symbols', question)).text,
  );
  return Object.entries(found).flatMap(([verdict, entries]) =>
    entries.map(({ relative_path, line, judge }) => `${verdict} ${relative_path}:${line} ${judge}`),
  );
}
