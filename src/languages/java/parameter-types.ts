const ignored = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
/** Innermost first, so that it is replaced until nothing changes. */
const nested = /<[^<>]*>|@[\p{L}\p{N}_$.]+\s*\([^()]*\)/gu;
const bareAnnotation = /@[\p{L}\p{N}_$.]+/gu;
const parameter =
  /^(?:final\s+)?(?<type>.+?)(?<isVariable>\.\.\.)?\s*\b(?<name>[\p{L}_$][\p{L}\p{N}_$]*)(?<brackets>[[\]\s]*)$/su;

/**
 * Returns the types of a Java method's parameters as they are written, without type arguments; `undefined` if they are
 * not understood. `text` is that of the declaration from the end of its name.
 */
export function javaParameterTypes(text: string): readonly string[] | undefined {
  let rest = text.replace(ignored, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(nested, '');
  }
  const list = /^\s*\((?<list>[^()]*)\)/.exec(rest.replace(bareAnnotation, ''))?.groups?.list;
  if (list === undefined) return undefined;
  if (list.trim() === '') return [];
  const types = list.split(',').map((one) => typeOf(one.trim()));
  return types.every((type) => type !== undefined) ? types : undefined;
}

function typeOf(text: string): string | undefined {
  const { type, isVariable, brackets = '' } = parameter.exec(text)?.groups ?? {};
  return type === undefined
    ? undefined
    : `${type}${isVariable === undefined ? '' : '[]'}${brackets}`.replace(/\s/g, '');
}
