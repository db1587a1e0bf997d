import { servers } from '../servers/servers.ts';

/** Suffixes of programs in languages for which there is no language server here. */
const withoutServer = ['.asm', '.cob', '.d', '.nim', '.odin', '.res', '.vb', '.vhd', '.vhdl'];

/**
 * Suffixes of program sources of languages for which a project may have no language server: such files are named in
 * answers instead of dropped (DESIGN 3.2). Texts, data and markup are left out: a name in them is no symbol.
 */
export const otherCodeSuffixes: readonly string[] = [
  ...servers.filter(({ holdsTexts }) => holdsTexts !== true).flatMap(({ files }) => Object.keys(files)),
  ...withoutServer,
];
