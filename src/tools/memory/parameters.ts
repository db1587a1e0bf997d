import { z } from 'zod';

/** The name of a memory, as every memory tool takes it. */
export const memoryName = z.string().describe('Such as "core" or "auth/login"; "global/…" is for every project.');

/** What older clients call the parameter `memory_name`. */
export const memoryNameAliases = { memory_file_name: 'memory_name' } as const;
