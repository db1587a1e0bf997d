import { log } from '../../base/log.ts';
import { field } from '../readiness/readiness.ts';
import type { Capabilities } from './capabilities.ts';

/** Thrown to answer a request with an error: this client does not implement the method. */
export class UnknownServerRequest extends Error {}

interface AnswerOptions {
  readonly capabilities: Capabilities;
  readonly settings: unknown;
  readonly workspaceFolders: readonly { readonly uri: string; readonly name: string }[];
  /** Returns the answer to `workspace/applyEdit`. */
  applyEdit(params: unknown): object;
  isStopping(): boolean;
}

/**
 * Returns the function that answers the server's requests.
 *
 * While the server is being stopped, every answer is `null`: some servers crash on an error answer then.
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
        return options.applyEdit(params);
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        options.capabilities.notice(method, params);
        return null;
      // Nothing to refresh: diagnostics are requested each time they are needed.
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

/** Returns an object for every requested section: some servers throw on `null`. */
function configuration(settings: unknown, params: unknown): unknown[] {
  const items = field(params, 'items');
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const section = field(item, 'section');
    const keys = typeof section === 'string' && section !== '' ? section.split('.') : [];
    return keys.reduce<unknown>(field, settings) ?? {};
  });
}
