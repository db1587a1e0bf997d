import { log } from '../../base/log.ts';
import { field } from '../readiness/readiness.ts';
import type { Capabilities } from './capabilities.ts';

/** Thrown out of an answer to tell the server that we do not know its request. */
export class UnknownServerRequest extends Error {}

interface AnswerOptions {
  readonly capabilities: Capabilities;
  readonly settings: unknown;
  readonly workspaceFolders: readonly { readonly uri: string; readonly name: string }[];
  isStopping(): boolean;
}

/**
 * Returns the function that answers a server's requests to us.
 *
 * Once we are stopping everything is answered with `null`: some servers die on an error reply then.
 */
export function serverRequestAnswers(options: AnswerOptions): (method: string, params: unknown) => unknown {
  return (method, params) => {
    if (options.isStopping()) return null;
    switch (method) {
      case 'workspace/configuration':
        return configuration(options.settings, params);
      case 'workspace/workspaceFolders':
        return options.workspaceFolders;
      case 'workspace/applyEdit':
        return { applied: false, failureReason: 'Edits are made by the client only' };
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        options.capabilities.notice(method, params);
        return null;
      // We ask anew each time.
      case 'workspace/diagnostic/refresh':
      case 'window/workDoneProgress/create':
      case 'window/showMessageRequest':
        return null;
      default:
        log('lsp').debug(`Unknown request from a server: ${method}`);
        throw new UnknownServerRequest(method);
    }
  };
}

/** Answers with an object for every section asked for: some servers throw on `null` (`spec/installer.md` §8). */
function configuration(settings: unknown, params: unknown): unknown[] {
  const items = field(params, 'items');
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const section = field(item, 'section');
    const keys = typeof section === 'string' && section !== '' ? section.split('.') : [];
    return keys.reduce<unknown>(field, settings) ?? {};
  });
}
