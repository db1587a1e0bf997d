/** Type arguments in `<>`, `::<>` or `[]`, or the sign of a macro, between the name of a function and its arguments. */
const callAfter = /^\s*(?:!|\?\.|(?:::|\.)?<[^<>(){};]*(?:<[^<>(){};]*>[^<>(){};]*)*>|\[[^\][(){};]*\])?\s*\(/u;
const maxTypeChars = 300;

/** True if arguments in parentheses follow the name that ends at `offset`. */
export function isCalledAt(text: string, offset: number): boolean {
  return callAfter.test(text.slice(offset, offset + maxTypeChars));
}
