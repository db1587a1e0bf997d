import type { ProbedMember } from '../../servers/adapter.ts';

/** Nothing but itself and `any` accepts it, and it accepts nothing else. Compilers write it into their messages. */
const type = '{ comparedMember: never }';
const inMessage = /\bcomparedMember\b/;
/** Types that name each other are not only compared: what has to be renamed there is known. */
const aboutDeclared = /\bincorrectly (?:extends|implements)\b|\bsame property in base type\b/;

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
  text({ name, list, file }: ProbedMember): string {
    const isScript = /\.[cm]?jsx?$/.test(file);
    const value = isScript ? `/** @type {${type}} */ (/** @type {?} */ (0))` : `0 as unknown as ${type}`;
    if (list === 'class_body') return `${name} = ${value}; `;
    return list === 'object' ? `${name}: ${value}, ` : `${name}?: ${type}; `;
  },
  isReported: (message: string): boolean => inMessage.test(message) && !aboutDeclared.test(message),
};
