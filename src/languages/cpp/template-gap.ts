import type { Quirks } from '../../servers/quirks.ts';
import { isHeader } from './is-header.ts';

const template = /^[ \t]*template[ \t]*</m;

/**
 * clangd checks code that depends on the parameters of a template only for arguments, and a header by itself has those
 * of other files not. It reads no bodies of included files, and so finds no errors there while it checks those others.
 */
export const templateGap: NonNullable<Quirks['diagnosticsGapOf']> = (file, text) => {
  if (!isHeader(file) || !template.test(text)) return undefined;
  return {
    missing: `Errors of \`${file}\` in code that depends on parameters of templates may be missing`,
    reason: 'clangd does not check that code with the arguments that other files use',
    next: 'Compile a file that uses the templates',
  };
};
