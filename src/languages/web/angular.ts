import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pause } from '../../base/deadline.ts';
import { ReadWriteLock } from '../../base/read-write-lock.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import { requestDocumentSymbols } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';

/**
 * ngserver 22.1 finds no references in templates to an input that is read-only or not public:
 *
 * ```ts
 * @Input('cost') readonly price = 0;   // `<app-item [cost]="1">`, unless `strictInputAccessModifiers` is set
 * ```
 *
 * Returns the attributes of a template that may bind it. An alias is a string of the declaration.
 */
const mentions: NonNullable<Quirks['mentions']> = (name, declaration) => {
  if (!/^(?:@\w+\([^)]*\)\s*)*[^=;{(]*\b(readonly|private|protected)\b/.test(declaration)) return undefined;
  const aliases = [...declaration.matchAll(/(['"])([\w$-]+)\1/g)].flatMap(([, , alias]) => alias ?? []);
  const words = [...new Set([name, ...aliases])].filter((word) => /^[\w$-]+$/.test(word));
  const either = `(?:${words.map((word) => word.replaceAll('$', '\\$')).join('|')})`;
  // Inside a tag, not in the value of an attribute.
  const inTag = `(?<=<[\\w-]+(?:\\s(?:[^<>"',;|{}]|"[^"]*"|'[^']*')*)?[\\s[(]${either})`;
  return { words, pattern: new RegExp(`${either}${inTag}(?=[\\])]*(?:\\s*=|[\\s/>]))`, 'g') };
};

/**
 * ngserver 22.1 does not look again for a template that did not exist when it read the component:
 *
 * ```ts
 * @Component({ templateUrl: './item.html' })   // `item.html` was created later, and has no symbols
 * ```
 *
 * A change of the components beside it that name the template makes ngserver read them again. Covered by "external change" of
 * its conformance answers.
 */
const rereadChanged: NonNullable<Quirks['rereadChanged']> = async (server, paths, limits) => {
  const { documents } = server;
  for (const path of paths.filter((one) => /\.html?$/.test(one) && documents.isOpen(one))) {
    if ((await requestDocumentSymbols(server, path, limits)).length > 0) continue;
    const scripts = readdirSync(dirname(path)).filter((name) => name.endsWith('.ts'));
    for (const script of scripts.map((name) => join(dirname(path), name))) {
      const text = documents.tryTextOf(script);
      if (text?.includes(basename(path)) !== true) continue;
      await documents.trying(new Map([[script, `${text}\n`]]), () => Promise.resolve());
    }
  }
};

/** Time after a change at which ngserver 22.1 checks the changed template, with a margin. */
const checkDelayMs = 310;
/** A check that ngserver drops, because it was sent another document, is asked for again. */
const maxChecks = 5;
/** Checks of the templates of one server, which run one at a time. */
const checks = new WeakMap<LanguageServer, ReadWriteLock>();

/**
 * ngserver 22.1 publishes without the document's version, and drops the check of a template if it is sent another
 * document before that check begins. So templates are checked one at a time. After the first barrier ngserver has read
 * the text, and after the last one it has published: a timer that is due runs between two messages.
 */
const diagnostics: NonNullable<Quirks['diagnostics']> = (server, path, limits) => {
  const lock = checks.get(server) ?? new ReadWriteLock();
  checks.set(server, lock);
  return lock.exclusive(limits.signal ?? new AbortController().signal, () => checkAlone(server, path, limits));
};

async function checkAlone(
  server: LanguageServer,
  path: string,
  limits: RequestLimits,
): Promise<readonly Diagnostic[] | undefined> {
  const { documents } = server;
  const { published } = documents;
  for (let check = 0; check < maxChecks; check++) {
    documents.resend(path);
    await server.waitForBarrier(limits);
    published.discard(path);
    await pause(checkDelayMs, limits.signal);
    await server.waitForBarrier(limits);
    await server.waitForBarrier(limits);
    if (published.has(path)) return published.known(path);
  }
  return undefined;
}

export const angularQuirks: Quirks = {
  suppliesReferencesFor: { '.ts': 'typescript' },
  mentions,
  rereadChanged,
  diagnostics,
};
