/** Returns `text` with `&lt;` and `&gt;` as `<` and `>`: what some clients make of an argument that looks like a tag. */
export function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
