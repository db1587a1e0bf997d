import { z } from 'zod';

/** How files are written: `native` keeps the line breaks that a file has, the others make them all one kind. */
export const lineEnding = z.enum(['native', 'lf', 'crlf']);

export type LineEndingSetting = z.infer<typeof lineEnding>;
