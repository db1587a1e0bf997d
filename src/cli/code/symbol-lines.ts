import { z } from 'zod';
import type { View } from './code-command.ts';

const bodyLocation = z.object({ start_line: z.int() });

const member = z.object({
  name: z.string(),
  body_location: bodyLocation,
  get children(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodArray<typeof member>>> {
    return z.record(z.string(), z.array(member)).optional();
  },
});

type Members = Readonly<Record<string, readonly z.infer<typeof member>[]>>;

const symbolEntry = z.object({
  name_path: z.string(),
  kind: z.string(),
  relative_path: z.string(),
  body_location: bodyLocation,
  body: z.string().optional(),
  info: z.string().optional(),
  children: z.record(z.string(), z.array(member)).optional(),
});

/** Returns `file:line: kind name` for each symbol of an answer, its members, and its source or description. */
export function symbolLines(answer: unknown, view: View): readonly string[] {
  return z
    .array(symbolEntry)
    .parse(answer)
    .flatMap((entry, index) => {
      const file = view.shown(entry.relative_path);
      const { name_path: name, body, info, children = {} } = entry;
      const header = `${file}:${entry.body_location.start_line + 1}: ${entry.kind} ${name}`;
      if (body !== undefined && view.flags.header === false) return body.split('\n');
      const description =
        info === undefined
          ? []
          : info
              .trimEnd()
              .replace(/^(?=.)/gm, '    ')
              .split('\n');
      const members = memberLines(children, { file, name });
      if (body === undefined) return [header, ...description, ...members];
      return [...(index === 0 ? [] : ['']), header, ...body.split('\n')];
    });
}

function memberLines(members: Members, parent: { file: string; name: string }): string[] {
  return Object.entries(members)
    .flatMap(([kind, own]) => own.map((one) => ({ kind, ...one })))
    .toSorted((a, b) => a.body_location.start_line - b.body_location.start_line)
    .flatMap(({ kind, body_location: { start_line }, children = {}, ...own }) => {
      const name = `${parent.name}/${own.name}`;
      const line = `${parent.file}:${start_line + 1}: ${kind} ${name}`;
      return [line, ...memberLines(children, { file: parent.file, name })];
    });
}
