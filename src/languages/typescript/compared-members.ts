import type { ProbedMember } from '../../servers/adapter.ts';

/** Nothing but itself and `any` accepts it, and it accepts nothing else. Compilers write it into their messages. */
const type = '{ comparedMember: never }';
const inMessage = /\bcomparedMember\b/;
/** Types that name each other are not only compared: what has to be renamed there is known. */
const aboutDeclared = /\bincorrectly (?:extends|implements)\b|\bsame property in base type\b/;

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

type Form = 'class' | 'type' | 'object';

/**
 * tsserver 6.0 and TypeScript 7.0 report nothing if a member loses its name that another type has as an optional one:
 *
 * ```ts
 * class Server { onOpen() {} }               // renamed or deleted
 * listen(new Server());                      // function listen(options: { onOpen?(): void })
 * ```
 *
 * They do where the member has a type that fits no other. Covered by `test/languages/typescript/compared-members.test.ts`.
 */
export const comparedMember = {
  text({ name, heads, file }: ProbedMember): string | undefined {
    let form: Form | undefined;
    for (const head of heads) form = formOf(head, form);
    const isScript = /\.[cm]?jsx?$/.test(file);
    const value = isScript ? `/** @type {${type}} */ (/** @type {?} */ (0))` : `0 as unknown as ${type}`;
    switch (form) {
      case 'class':
        return `${name} = ${value}; `;
      case 'type':
        return `${name}?: ${type}; `;
      case 'object':
        return `${name}: ${value}, `;
      default:
        return undefined;
    }
  },
  isReported: (message: string): boolean => inMessage.test(message) && !aboutDeclared.test(message),
};

/** Returns what a declaration is, by its text up to its first member and the form of what contains it. */
function formOf(text: string, outer: Form | undefined): Form | undefined {
  const head = text.replaceAll(comments, ' ').trimEnd();
  if (!/[{,;}]$/.test(head)) return undefined;
  if (/\bclass\b/.test(head)) return 'class';
  if (/\b(?:interface|type)\s/.test(head) || outer === 'type') return 'type';
  if (/=|\breturn\b/.test(head) || outer === 'object') return 'object';
  // `variable: { member: string }`
  return /^[^({]*:\s*\{$/.test(head) ? 'type' : 'object';
}
