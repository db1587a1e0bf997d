/** An element of an XML document, without attributes. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: OpenElement[];
}

const opaque = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Returns a root whose children are the elements of a document. Never fails: whatever is not well-formed is read as far
 * as it can be. Entities stay as they are.
 */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', text: '', children: [] };
  const open = [root];
  let at = 0;
  for (;;) {
    const tag = document.indexOf('<', at);
    const current = open.at(-1) ?? root;
    if (tag < 0) return root;
    current.text += document.slice(at, tag);
    const [begin, end] = opaque.find(([start]) => document.startsWith(start, tag)) ?? ['<', '>'];
    const close = document.indexOf(end, tag + begin.length);
    if (close < 0) return root;
    at = close + end.length;
    const content = document.slice(tag + begin.length, close);
    if (begin === '<![CDATA[') current.text += content;
    if (begin !== '<' || content.startsWith('!')) continue;
    if (content.startsWith('/')) {
      if (open.length > 1) open.pop();
      continue;
    }
    const element = { name: /^[^\s/]*/.exec(content)?.[0] ?? '', text: '', children: [] };
    current.children.push(element);
    if (!content.endsWith('/')) open.push(element);
  }
}

/** Returns the elements at a path of names below an element. */
export function elementsAt(element: XmlElement, ...names: readonly string[]): readonly XmlElement[] {
  return names.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** Returns the trimmed text of the first child with a name, `undefined` if there is none or it is empty. */
export function textOfChild(element: XmlElement | undefined, name: string): string | undefined {
  const text = element?.children.find((child) => child.name === name)?.text.trim();
  return text === '' ? undefined : text;
}
