import { profileOf } from '../../languages/profiles.ts';
import { servers } from '../../languages/servers.ts';

/** File extensions of programming languages that no server here supports, with their LSP ids. */
const withoutServer = {
  '.asm': 'asm',
  '.cob': 'cobol',
  '.d': 'd',
  '.nim': 'nim',
  '.odin': 'odin',
  '.res': 'rescript',
  '.vb': 'vb',
};

/**
 * File extension → LSP language id of program sources, whether or not a project has a language server for them: answers
 * name such files instead of dropping them. Data and markup are excluded, because a name in them is not a symbol.
 */
export const codeLanguages: Readonly<Record<string, string>> = Object.fromEntries([
  ...servers
    .filter(({ isMarkupOrData }) => isMarkupOrData !== true)
    .flatMap(({ files }) => Object.entries(files))
    .filter(([, language]) => profileOf(language)?.lexis !== undefined),
  ...Object.entries(withoutServer),
]);

/** The extensions of {@link codeLanguages}. */
export const otherCodeExtensions: readonly string[] = Object.keys(codeLanguages);
