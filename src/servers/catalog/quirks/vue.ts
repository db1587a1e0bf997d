import { field } from '../../../lsp/readiness/readiness.ts';
import type { Quirks } from '../spec.ts';
import { withoutShorthands } from './without-shorthands.ts';

/**
 * vue-language-server 3.3 asks its client, by a notification, for what TypeScript's server knows of a file, and tells no
 * symbols before it has heard. For symbols nothing needs to be known. "overview" of Vue's conformance answers goes red
 * without this.
 */
export const vueQuirks: Quirks = {
  adjustSymbols: withoutShorthands,
  answerNotification: (method, params) => {
    if (method !== 'tsserver/request' || !Array.isArray(params)) return undefined;
    // The library takes a list for the list of arguments, and the only one here is `[id, command, arguments]`.
    const [request]: unknown[] = params;
    return { method: 'tsserver/response', params: [field(request, '0'), null] };
  },
};
