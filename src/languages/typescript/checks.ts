import type { EditChecks } from '../../servers/edit-checks.ts';

/**
 * TypeScript compares types by their members, and strings with the names of members (`keyof`). tsserver 6.0 and
 * TypeScript 7.0 rename neither a member that must have the same name nor such a string. Covered by
 * `test/tools/symbolic-edit/renamed-strings.test.ts`.
 */
export const typescriptChecks: EditChecks = {
  hasStructuralTypes: true,
  // "… is declared but its value is never read", of one declaration or of all in a statement.
  unusedCodes: [6133, 6138, 6192, 6196, 6198, 6199],
};
