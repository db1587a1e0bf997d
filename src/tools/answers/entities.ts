/** Decodes `&lt;` and `&gt;`: some clients escape arguments that look like tags. */
export function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
