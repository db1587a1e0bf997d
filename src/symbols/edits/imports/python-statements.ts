import type { TextEdit } from '../../../text/apply-edits.ts';

/** The name of a module in parts, such as `['shop', 'helper']`. */
export type ModuleName = readonly string[];

/** The changes of a text, or the offset of a name that they do not cover. */
interface ModuleEdits {
  readonly edits: readonly TextEdit[];
  readonly unclear?: number;
}

/**
 * Returns the changes of a text in Python that make it refer to a module by its new name. `offsets` are those of the
 * last part of the module's name, wherever it means the module.
 */
export function moduleEdits(
  text: string,
  offsets: readonly number[],
  { from, to }: { from: ModuleName; to: ModuleName },
): ModuleEdits {
  const [oldName = '', newName = ''] = [from.at(-1), to.at(-1)];
  const isSamePackage = from.slice(0, -1).join('.') === to.slice(0, -1).join('.');
  const inPlace = (offset: number) => ({ start: offset, end: offset + oldName.length, text: newName });
  const binds = offsets.some((offset) => listAround(text, offset) !== undefined);
  if (binds && newName !== oldName && new RegExp(`(?<![.\\w])${newName}(?!\\w)`).test(text)) {
    return { edits: [], unclear: offsets[0] ?? 0 };
  }
  if (isSamePackage) return { edits: offsets.map(inPlace) };
  const edits: TextEdit[] = [];
  for (const offset of offsets) {
    const list = listAround(text, offset);
    const chain = /(?:\.*(?:\w+\.)+|\.+)?$/.exec(text.slice(0, offset))?.[0] ?? '';
    const isRelative = chain.startsWith('.');
    const end = offset + oldName.length;
    if (list !== undefined) {
      const own = withoutName(text, list, { offset, oldName, to });
      if (own === undefined) return { edits: [], unclear: offset };
      edits.push(...own);
    } else if (chain === '' && binds) edits.push(inPlace(offset));
    else if (isRelative || chain === [...from.slice(0, -1), ''].join('.')) {
      edits.push({ start: offset - chain.length, end, text: to.join('.') });
    } else return { edits: [], unclear: offset };
  }
  return { edits };
}

/** The statement `from module import names`. Offsets; `end` exclusive. */
interface ImportList {
  readonly start: number;
  readonly indent: string;
  readonly module: { readonly start: number; readonly end: number };
  readonly names: { readonly start: number; readonly end: number };
  readonly end: number;
}

/** Returns the statement whose imported names contain the one at an offset. */
function listAround(text: string, offset: number): ImportList | undefined {
  const before = /(?:^|\n)([ \t]*)from[ \t]+([.\w]+)[ \t]+import[ \t]*(?:\(([^()]*)|([^()\n]*))$/.exec(
    text.slice(0, offset),
  );
  if (before === null) return undefined;
  const [whole, indent = '', module = '', inBrackets] = before;
  const start = before.index + (whole.startsWith('\n') ? 1 : 0);
  const moduleStart = text.indexOf('from', start + indent.length) + 4;
  const at = text.indexOf(module, moduleStart);
  const namesStart = offset - (inBrackets ?? before[4] ?? '').length;
  const close = text.slice(offset).search(inBrackets === undefined ? /\n|$/ : /\)|$/) + offset;
  const end = inBrackets === undefined ? close : close + 1;
  return {
    start,
    indent,
    module: { start: at, end: at + module.length },
    names: { start: namesStart, end: close },
    end,
  };
}

/** Returns the edits that import one name of a list from elsewhere; `undefined` if the list has comments. */
function withoutName(
  text: string,
  list: ImportList,
  { offset, oldName, to }: { offset: number; oldName: string; to: ModuleName },
): TextEdit[] | undefined {
  const names = text.slice(list.names.start, list.names.end);
  if (/[#\\;]/.test(names)) return undefined;
  const [parent, newName = ''] = [to.slice(0, -1).join('.'), to.at(-1)];
  const keyword = parent === '' ? 'import ' : `from ${parent} import `;
  const parts = names.split(',').filter((part) => part.trim() !== '');
  const own = /^[^,]*/.exec(text.slice(offset, list.names.end))?.[0].trim() ?? oldName;
  const statement = keyword + newName + own.slice(oldName.length);
  if (parts.length === 1) return [{ start: list.start + list.indent.length, end: list.end, text: statement }];
  const others = parts.map((part) => part.trim()).filter((part) => part !== own);
  return [
    { start: list.start, end: list.start, text: `${list.indent}${statement}\n` },
    { start: list.names.start, end: list.names.end, text: others.join(', ') },
  ];
}
