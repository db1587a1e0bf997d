/** The rules for names in a language. */
interface NameRules {
  /** Name of the language for messages. */
  readonly language: string;
  readonly pattern: RegExp;
  readonly reserved: ReadonlySet<string>;
}

const word = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const dollarWord = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

const cWords = `auto break case char const continue default do double else enum extern float for goto if int long
register return short signed sizeof static struct switch typedef union unsigned void volatile while`;
const cppWords = `${cWords} alignas alignof asm bool catch class const_cast constexpr decltype delete dynamic_cast
explicit export false friend inline mutable namespace new noexcept nullptr operator private protected public
reinterpret_cast static_assert static_cast template this thread_local throw true try typeid typename using virtual
wchar_t`;
const javaScriptWords = `await break case catch class const continue debugger default delete do else enum export extends
false finally for function if import in instanceof new null return super switch this throw true try typeof var void
while with yield let static implements interface package private protected public`;
const pythonWords = `False None True and as assert async await break class continue def del elif else except finally for
from global if import in is lambda nonlocal not or pass raise return try while with yield`;
const goWords = `break case chan const continue default defer else fallthrough for func go goto if import interface map
package range return select struct switch type var`;
const rustWords = `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do
final macro override priv try typeof unsized virtual yield`;
const javaWords = `abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new null package
private protected public return short static strictfp super switch synchronized this throw throws transient true try
void volatile while _`;
const phpWords = `abstract and array as break callable case catch class clone const continue declare default do echo else
elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach
function global goto if implements include include_once instanceof insteadof interface isset list match namespace new
or print private protected public readonly require require_once return static switch throw trait try unset use var
while xor yield`;

const rules: readonly (readonly [language: string, ids: readonly string[], pattern: RegExp, reserved: string])[] = [
  ['C', ['c', 'objective-c'], word, cWords],
  ['C++', ['cpp', 'objective-cpp'], /^(?:~?[\p{L}_][\p{L}\p{N}_]*|operator.+)$/u, cppWords],
  ['JavaScript', ['javascript', 'javascriptreact'], /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u, javaScriptWords],
  ['TypeScript', ['typescript', 'typescriptreact'], /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u, javaScriptWords],
  ['Python', ['python'], word, pythonWords],
  ['Go', ['go'], word, goWords],
  ['Rust', ['rust'], /^(?:r#|')?[\p{L}_][\p{L}\p{N}_]*$/u, rustWords],
  ['Java', ['java'], dollarWord, javaWords],
  ['PHP', ['php'], /^\$?[\p{L}_][\p{L}\p{N}_]*$/u, phpWords],
  [
    'Lua',
    ['lua', 'luau'],
    word,
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
  ],
  [
    'shell',
    ['shellscript'],
    /^[\p{L}_][\p{L}\p{N}_:.-]*$/u,
    'if then else elif fi do done case esac while until for in function select time',
  ],
  // Two spaces separate what stands in a line.
  [
    'Robot Framework',
    ['robotframework'],
    /^[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$/u,
    'IF ELSE END FOR WHILE TRY EXCEPT FINALLY RETURN BREAK CONTINUE VAR GROUP',
  ],
];

const byLanguage = new Map<string, NameRules>(
  rules.flatMap(([language, ids, pattern, reserved]) =>
    ids.map((id) => [id, { language, pattern, reserved: new Set(reserved.split(/\s+/)) }] as const),
  ),
);

/**
 * Returns why `name` is not a valid name of a symbol in a language (an LSP id), as the end of a sentence that begins
 * with the name; `undefined` if it is valid. For languages without rules, only whitespace and control characters are
 * invalid.
 */
export function nameProblem(name: string, languageId: string): string | undefined {
  const known = byLanguage.get(languageId);
  if (/[\s\p{Cc}]/u.test(name) && known?.pattern.test(name) !== true)
    return 'contains whitespace or a control character';
  if (known === undefined) return undefined;
  if (known.reserved.has(name)) return `is a reserved word in ${known.language}`;
  return known.pattern.test(name) ? undefined : `is not a valid identifier in ${known.language}`;
}
