/**
 * Returns the regular expression that a text in slashes, with optional flags, stands for; `undefined` for other texts.
 *
 * @throws {SyntaxError} if it is invalid.
 */
export function slashedPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}
