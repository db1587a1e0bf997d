import { field } from '../../lsp/readiness/readiness.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { withoutShorthands } from '../typescript/without-shorthands.ts';

/**
 * vue-language-server 3.3 requests TypeScript's data about a file from the client by a notification, and reports no
 * symbols before the response. Symbols do not need that data, so the response is empty. Covered by "overview" of Vue's
 * conformance answers.
 */
export const vueQuirks: Quirks = {
  adjustSymbols: withoutShorthands,
  answerNotification: (method, params) => {
    if (method !== 'tsserver/request' || !Array.isArray(params)) return undefined;
    // The library treats a list as positional parameters; the only parameter here is `[id, command, arguments]`.
    const [request]: unknown[] = params;
    return { method: 'tsserver/response', params: [field(request, '0'), null] };
  },
};
