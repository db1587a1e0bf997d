/** What may stand around a name in a pattern: anchors, a keyword that declares, a qualifier, a parenthesis. */
const before = String.raw`(?:\^|\\b|\\<|\\s[*+]?|\s)*`;
const keyword = String.raw`(?:(?:(?:export|pub|public|private|static|async|abstract)(?: |\\s[+*]?))*(?:class|const|def|enum|fn|func|function|interface|let|struct|trait|type|var)(?: |\\s[+*]?)+)?`;
const qualifier = String.raw`(?:[A-Za-z_$][\w$]*(?:::|->|\\?\.))*\\?\.?`;
const after = String.raw`(?:(?:\\b|\\>|\\s[*+]?|\s)*(?:\\?[(:={<].*|\$)?)`;
const named = new RegExp(`^${before}${keyword}${qualifier}([A-Za-z_$][\\w$]{2,})${after}$`);

const maxNames = 3;

/** Returns the names that patterns search for; what is more than names is left out. */
export function searchedNames(patterns: readonly string[]): readonly string[] {
  const parts = patterns.filter(({ length }) => length < 200).flatMap((pattern) => pattern.split(/\\?\|/));
  const names = parts.flatMap((part) => named.exec(part)?.[1] ?? []);
  return [...new Set(names)].slice(0, maxNames);
}
