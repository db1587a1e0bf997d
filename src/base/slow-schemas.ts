import { z } from 'zod';

// Most schemas are used once in a process. Compiling each one first takes longer than all checks.
z.config({ jitless: true });
