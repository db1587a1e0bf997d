import { isExpected } from '../../base/errors.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';

/**
 * jdtls 1.60 fails with an internal error at some renames to a name that other methods have: it looks for the renamed methods in
 * the new texts, and does not find those of anonymous classes (`TypeAdapter/read` of gson to `parse`: "Invalid java element").
 *
 * Then requests the rename to a name that no code has, and writes the new name in its place. Whether the new name means
 * something else is checked for all servers.
 */
export const renameDespiteHomonyms: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  try {
    return await requestRename(server, request, limits);
  } catch (error) {
    if (!isExpected(error, 'server.refused') || !error.message.endsWith(': Internal error.')) throw error;
    const standIn = `${request.newName}Unused`;
    const steps = await requestRename(server, { ...request, newName: standIn }, limits);
    return steps.map((step) => {
      // The file of a type has its name.
      if (step.do !== 'edit') throw error;
      const edits = step.edits.map((edit) => ({ ...edit, newText: edit.newText.replaceAll(standIn, request.newName) }));
      return { ...step, edits };
    });
  }
};
