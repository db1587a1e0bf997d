import ownProcess from 'node:process';
import type { jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * Replaces the SDK's module of this name (`paths` in tsconfig.json), which loads a JSON schema compiler. The SDK validates only
 * what users enter, which whoever asks them checks.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator() {
    return () => ({ valid: false, data: undefined, errorMessage: 'unexpected' }) as const;
  }
}

export const process = ownProcess;
