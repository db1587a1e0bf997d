import { z } from 'zod';
import type { ExpectedError } from '../../base/errors.ts';

const Candidates = z.array(z.object({ name_path: z.string(), kind: z.string(), relative_path: z.string() }));

/** The symbols that a name path may mean, as an error lists them. */
interface Ambiguity {
  /** The message without the list. */
  readonly what: string;
  readonly candidates: z.infer<typeof Candidates>;
}

/** Returns what an error about an ambiguous name path lists; `undefined` for other errors. */
export function ambiguityOf({ code, message }: ExpectedError): Ambiguity | undefined {
  const [, what, list] = /^(.*?): (\[.*\])$/s.exec(message) ?? [];
  if (code !== 'symbol.ambiguous' || what === undefined || list === undefined) return undefined;
  return { what, candidates: Candidates.parse(JSON.parse(list)) };
}
