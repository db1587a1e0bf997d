import { z } from 'zod';

/** When something was measured, as `2026-11-23` in UTC, and by which commit of this repository, if that is known. */
export const Measured = z.object({ date: z.string(), commit: z.string().optional() });
export type Measured = z.infer<typeof Measured>;
