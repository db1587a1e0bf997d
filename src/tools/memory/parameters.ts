import { z } from 'zod';

/** Name of a memory. */
export const memoryName = z.string().describe('Such as core or auth/login; global/… applies to all projects.');

/** Name of the parameter `memory_name` in older clients. */
export const memoryNameAliases = { memory_file_name: 'memory_name' } as const;
