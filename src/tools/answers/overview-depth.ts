/** Languages in which the top level of a file is one class, so that its members are what one asks for. */
const oneClassPerFile = ['.java', '.kt'];

/** Returns how many levels of members an overview of a file shows; -1 asks for what suits its language. */
export function overviewDepth(path: string, asked: number): number {
  if (asked !== -1) return asked;
  return oneClassPerFile.some((suffix) => path.endsWith(suffix)) ? 1 : 0;
}
