import type { TestClient } from '../../test/support/client.ts';
import { ask, type Question, startOurs } from './ours.ts';
import type { RealProject } from './projects.ts';
import { type RawServer, startRaw } from './raw.ts';
import { alternate, type Samples } from './table.ts';

const warmRuns = 21;

/** Alternates two warm sides, each in a process that has already answered the same question. */
export async function alternateWarm(
  project: RealProject,
  directory: string,
  sides: { question: Question; anchor: (raw: RawServer) => Promise<unknown> },
): Promise<Samples & { client: TestClient }> {
  const client = await startOurs(directory);
  const raw = await startRaw(project, directory);
  try {
    await ask(client, sides.question);
    await sides.anchor(raw);
    const samples = await alternate(
      warmRuns,
      async () => (await ask(client, sides.question)).ms,
      async () => {
        const startedAt = performance.now();
        await sides.anchor(raw);
        return performance.now() - startedAt;
      },
    );
    return { ...samples, client };
  } finally {
    await Promise.all([client.close(), raw.lsp.stop()]);
  }
}
