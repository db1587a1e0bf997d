import { parseDocument } from 'yaml';

/** Returns a YAML text with `value` under the top-level key `key`; comments and everything else stay as they are. */
export function setInYaml(text: string, key: string, value: string | number | boolean): string {
  const document = parseDocument(text);
  document.set(key, value);
  // Long lines of the user's are not folded.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
