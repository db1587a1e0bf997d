/** Keys under which an IDE sends HTML. */
const htmlKeys: readonly string[] = ['documentation', 'quick_info'];

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Rendering of documentation as text. Link targets are dropped: they are internal to the IDE. */
const selectors = [
  ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'a', options: { ignoreHref: true } },
  { selector: 'img', format: 'skip' },
  { selector: 'ul', options: { itemPrefix: '- ' } },
];

/** Returns `value` with its HTML converted to text, at any depth; keys whose HTML has no text are removed. */
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
  // Loaded on demand: most sessions have no IDE.
  const { convert } = await import('html-to-text');
  return convert(html, { wordwrap: false, selectors }).trim();
}
