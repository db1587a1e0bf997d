import { join, posix } from 'node:path';
import { z } from 'zod';
import { run } from '../../../scripts/support/run.ts';
import type { BenchPackage } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';

const Place = z.object({ file_name: z.string(), byte_start: z.int(), byte_end: z.int(), is_primary: z.boolean() });
type Span = z.infer<typeof Place> & { expansion?: { span: Span } | null | undefined };
const Span: z.ZodType<Span> = Place.extend({
  expansion: z.object({ span: z.lazy(() => Span) }).nullish(),
});

const Line = z.object({
  reason: z.literal('compiler-message'),
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullable(),
    spans: z.array(Span),
  }),
});

/** A range of bytes in a file; the path is relative to the package if the file belongs to it. */
export interface RustSpan {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** An error or a warning of rustc. */
export interface RustMessage {
  readonly isError: boolean;
  readonly code: string;
  readonly text: string;
  /** Where it is: for each primary span the place itself, then the macro calls that it comes from, innermost first. */
  readonly places: readonly (readonly RustSpan[])[];
}

/**
 * Returns what `cargo check` says with the arguments of one configuration. Lints are warnings, and uses of deprecated
 * declarations are always reported.
 */
export async function rustCompiler(
  pack: BenchPackage,
  directory: string,
  configuration: string,
): Promise<RustMessage[]> {
  const args = ['check', '--offline', '--keep-going', '--message-format=json', ...configuration.split(' ')];
  const env = {
    CARGO_TARGET_DIR: join(symbenchCache, 'rust-targets', packageKey(pack)),
    RUSTFLAGS: '--cap-lints=warn --force-warn=deprecated',
  };
  const { stdout, stderr, exitCode } = await run('cargo', args, { cwd: directory, env });
  const messages = stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{"reason":"compiler-message"')) return [];
    const { message } = Line.parse(JSON.parse(line));
    return [toMessage(message)];
  });
  if (exitCode !== 0 && !messages.some(({ isError }) => isError)) throw new Error(`cargo check failed: ${stderr}`);
  return messages;
}

function toMessage({ level, message, code, spans }: z.infer<typeof Line>['message']): RustMessage {
  return {
    isError: level.startsWith('error'),
    code: code?.code ?? '',
    text: message,
    places: spans.filter(({ is_primary: isPrimary }) => isPrimary).map(withCalls),
  };
}

function withCalls(span: Span): RustSpan[] {
  const place = { file: posix.normalize(span.file_name), start: span.byte_start, end: span.byte_end };
  const outer = span.expansion?.span;
  return outer === undefined ? [place] : [place, ...withCalls(outer)];
}
