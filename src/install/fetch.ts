import type { Artefact } from './artefact.ts';
import { findBlob } from './blobs.ts';
import type { InstallProgress } from './job.ts';

export interface FetchContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
}

export async function fetchBlob(artefact: Artefact, context: FetchContext): Promise<string> {
  const path = findBlob(context, artefact.integrity);
  if (path === undefined) throw new Error('placeholder until the fetching branch is merged');
  return path;
}
