/** Keys under which an IDE sends HTML. */
const htmlKeys: readonly string[] = ['documentation', 'quick_info'];

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** How documentation reads best as text: what a link leads to is of the IDE's own making. */
const selectors = [
  ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'a', options: { ignoreHref: true } },
  { selector: 'img', format: 'skip' },
  { selector: 'ul', options: { itemPrefix: '- ' } },
];

/** Returns `value` with the HTML in it as text, at any depth; where there is no text in it, its key is gone. */
export async function withPlainText(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(withPlainText));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, entry]) => {
      const isHtml = htmlKeys.includes(key) && typeof entry === 'string';
      return [key, isHtml ? await plainText(entry) : await withPlainText(entry)] as const;
    }),
  );
  return Object.fromEntries(entries.filter(([key, entry]) => !htmlKeys.includes(key) || entry !== ''));
}

async function plainText(html: string): Promise<string> {
  // Loaded with the first text: most sessions have no IDE.
  const { convert } = await import('html-to-text');
  return convert(html, { wordwrap: false, selectors }).trim();
}
