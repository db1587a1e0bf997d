import { decode } from '../text/decode.ts';
import type { ChangedText } from '../text/diff.ts';
import { getCodec } from '../text/encodings.ts';
import { normalizeNewlines } from '../text/lines.ts';
import type { PlannedChange } from './edits.ts';

/** A planned change as texts with `\n` line breaks. */
export interface ReadChange extends ChangedText {
  /** False if the content before or after is no text. */
  readonly isText: boolean;
}

/** Decodes a planned change; `encoding` is that of files that do not declare one themselves. */
export function readChange({ path, before, after }: PlannedChange, encoding: string): ReadChange {
  const read = (bytes: Uint8Array | undefined) => bytes && decode(bytes, getCodec(encoding));
  const [old, now] = [read(before), read(after)];
  const isText = [old, now].every((one) => one === undefined || one.kind === 'text');
  const text = (one: typeof old) => (one?.kind === 'text' ? normalizeNewlines(one.text) : undefined);
  return { path, before: text(old), after: text(now), isText };
}
