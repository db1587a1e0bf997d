import { extensionIn } from '../../base/paths.ts';

/** Extensions of languages whose files usually contain a single class, so that its members are of interest. */
const oneClassPerFile = ['.java', '.kt'];

/** Returns the number of member levels in the overview of a file; -1 selects the default of its language. */
export function overviewDepth(path: string, requested: number): number {
  if (requested !== -1) return requested;
  return extensionIn(path, oneClassPerFile) !== undefined ? 1 : 0;
}
