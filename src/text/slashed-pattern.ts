/**
 * Returns the regular expression that a text in slashes, with optional flags, stands for; `undefined` for other texts.
 * `flags` are added.
 *
 * @throws {SyntaxError} if it is invalid.
 */
export function slashedPattern(text: string, flags = ''): RegExp | undefined {
  const [, source, own = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, own + flags);
}
