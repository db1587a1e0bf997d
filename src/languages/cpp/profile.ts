import type { Node } from 'web-tree-sitter';
import type {
  AttachedSyntax,
  Exposure,
  ImplicitCall,
  LanguageProfile,
  Lexis,
  NameRules,
  OverridingSyntax,
  ParsedProfile,
} from '../language-profile.ts';
import type { OutlineRules, SymbolKindName, SymbolRule } from '../outline-rules.ts';
import { character, double, signed, slashComments, slashes, slashStar, word } from '../shared-syntax.ts';
import { cppSignatures } from './signatures.ts';

/** Returns `true` if the declarator of a node, without pointers, is one of a function rather than of a pointer to one. */
function isFunction(node: Node): boolean {
  const declarator =
    node.childForFieldName('declarator') ?? (node.type === 'reference_declarator' ? node.firstNamedChild : null);
  if (declarator === null) return false;
  if (declarator.type === 'function_declarator') return declarator.firstNamedChild?.type !== 'parenthesized_declarator';
  return /^(?:pointer|reference|init)_declarator$/.test(declarator.type) && isFunction(declarator);
}

const functionKind = (kind: SymbolKindName) => (node: Node) => (isFunction(node) ? kind : undefined);

/** Declarations of variables, fields and functions; the type before the names may be defined in the same place. */
const declared: SymbolRule = { name: 'declarator', body: ['type'], isTransparent: true, range: 'declarator' };
/** A type with a body; without one it is only used. */
const typeWithBody: SymbolRule = {
  kind: 'class',
  requires: 'body',
  nameOf: (node) => node.childForFieldName('name')?.text ?? `(anonymous ${node.firstChild?.text ?? ''})`,
};

/** True if a file can be included twice because of the macro, which is of no other use. */
function isIncludeGuard(node: Node): boolean {
  const name = node.childForFieldName('name')?.text;
  return node.childForFieldName('value') === null && node.parent?.childForFieldName('name')?.text === name;
}

/** A macro is nested where it is written, although it belongs to no scope. */
const macro: SymbolRule = { range: 'declarator', body: [] };

/**
 * What C and C++ share. Lists what clangd lists, nothing that is inside a function, and macros. clangd reports structs as
 * classes, and the members of an enum as enums.
 */
const cOutline: OutlineRules = {
  symbols: {
    declaration: { ...declared, kind: 'variable', kindOf: functionKind('function') },
    field_declaration: { ...declared, kind: 'field', kindOf: functionKind('method') },
    function_definition: { kind: 'function', memberKind: 'method', name: 'declarator', body: [] },
    type_definition: { ...declared, kind: 'class' },
    struct_specifier: typeWithBody,
    union_specifier: typeWithBody,
    enum_specifier: { ...typeWithBody, kind: 'enum' },
    enumerator: { kind: 'enum', body: [] },
    preproc_def: { ...macro, kind: 'constant', where: (node) => !isIncludeGuard(node) },
    preproc_function_def: { ...macro, kind: 'function' },
  },
  enter: [
    ...['translation_unit', 'declaration_list', 'field_declaration_list', 'enumerator_list', 'linkage_specification'],
    ...['preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif', 'preproc_elifdef'],
  ],
  names: ['identifier', 'field_identifier', 'type_identifier'],
  patterns: {
    init_declarator: ['declarator'],
    pointer_declarator: ['declarator'],
    array_declarator: ['declarator'],
    function_declarator: ['declarator'],
    parenthesized_declarator: [],
  },
};

/** Constructors and destructors have no type. */
function kindOfFunction(node: Node): SymbolKindName | undefined {
  return node.childForFieldName('type') === null ? 'constructor' : undefined;
}

function kindOfMember(node: Node): SymbolKindName | undefined {
  const isStatic = node.children.some((child) => child?.type === 'storage_class_specifier' && child.text === 'static');
  return functionKind('method')(node) ?? (isStatic ? 'property' : undefined);
}

const cppOutline: OutlineRules = {
  ...cOutline,
  symbols: {
    ...cOutline.symbols,
    namespace_definition: { kind: 'namespace' },
    class_specifier: typeWithBody,
    function_definition: { ...cOutline.symbols.function_definition, kindOf: kindOfFunction },
    declaration: {
      ...cOutline.symbols.declaration,
      kindOf: (node) => kindOfFunction(node) ?? functionKind('function')(node),
    },
    field_declaration: { ...cOutline.symbols.field_declaration, kindOf: kindOfMember },
    alias_declaration: { kind: 'class', body: [] },
    concept_definition: { kind: 'class', body: [] },
  },
  outer: ['template_declaration'],
  names: [
    ...['identifier', 'field_identifier', 'type_identifier', 'namespace_identifier', 'nested_namespace_specifier'],
    ...['qualified_identifier', 'operator_name', 'operator_cast', 'destructor_name', 'template_function'],
  ],
  // A line may end between the parts of a name.
  trimmed: /(?<=::)\s+|\s+(?=::)/g,
  patterns: { ...cOutline.patterns, reference_declarator: [], structured_binding_declarator: [] },
  identifiers: ['identifier', 'field_identifier', 'type_identifier', 'namespace_identifier', 'statement_identifier'],
};

const cReserved = `auto break case char const continue default do double else enum extern float for goto if int long
register return short signed sizeof static struct switch typedef union unsigned void volatile while`;
const cppReserved = `${cReserved} alignas alignof asm bool catch class const_cast constexpr decltype delete dynamic_cast
explicit export false friend inline mutable namespace new noexcept nullptr operator private protected public
reinterpret_cast static_assert static_cast template this thread_local throw true try typeid typename using virtual
wchar_t`;

const include = String.raw`(?<=^|\n)[ \t]*#[ \t]*(?:include|import|error|warning|pragma)\b[^\n]*`;
const lexis: Lexis = {
  inert: [include, slashes, slashStar, String.raw`R"(?<mark>[^\s()\\]{0,16})\([\s\S]*?\)\k<mark>"`, double, character],
};
const attached: AttachedSyntax = { ...slashComments, annotation: /^\[\[|^@\w|^template\b/ };
const overriding: OverridingSyntax = {
  word: 'override',
  isBehind: true,
  optional: ' override ',
  absent: /only virtual member functions|does not override any/i,
};
/** Types whose objects nothing constructs. */
const simpleType =
  /\*\s*(?:const\s*)?$|\b(?:int|char|bool|float|double|long|short|unsigned|signed|wchar_t|char(?:8|16|32)_t|s?size_t|ptrdiff_t|u?int(?:_\w+)?\d*_t|enum|(?:std::)?(?:w?string(?:_view)?|byte|nullptr_t))\s*&?\s*$/;

const exposure: Exposure = {
  visible: { file: /\.(?:h|hh|hpp|hxx|inl|ipp|tpp)$/i },
  registered:
    /__attribute__|__declspec|\[\[(?!nodiscard|maybe_unused|deprecated|noreturn|likely|unlikely)|extern\s+"C"/,
  namedBy: /extern\s+"C"/,
  entry: /^(?:main|wmain|WinMain|wWinMain|DllMain)$/,
  // For example `WIN32_LEAN_AND_MEAN`.
  readByName: { file: /./, text: /#\s*define\b/, reader: 'what is included behind it may use it' },
  mayHaveEffects: (before, after) =>
    !/\bconstexpr\b/.test(before) && (/\w\s*\(/.test(after) || !simpleType.test(before)),
  // The named requirements of C++23.
  duckTyped: [
    {
      name: /^(?:\w+_(?:type|traits|category|concept)|(?:const_)?(?:reverse_)?iterator|(?:const_)?(?:pointer|reference)|type|value|c?r?(?:begin|end)|(?:max_)?size|s?size_hint|empty|swap|(?:push|pop|emplace)_(?:back|front)|front|back|data|insert(?:_or_assign|_after)?|emplace(?:_hint|_after)?|erase|extract|merge|clear|assign|append|resize|reserve|capacity|find|count|contains|at|get|c_str|length|(?:de)?allocate|rebind|construct|destroy|other|select_on_container_copy_construction|propagate_on_\w+|is_always_equal|is_transparent|(?:try_)?lock(?:_shared)?(?:_for|_until)?|unlock(?:_shared)?|promise_type|min|max|seed|discard|param|parse|format|eq|lt|compare|move|copy|now|is_steady|rep|period|duration|time_point|base|overflow|underflow|sync)$/,
      caller: 'templates of the standard library',
    },
  ],
};

const implicitCalls: readonly ImplicitCall[] = [
  { name: /^operator\b/, caller: 'operators' },
  { name: /^~/, caller: 'the end of a scope' },
  { name: /^(?:begin|end)$/, caller: 'a `for` over a range' },
  {
    name: /^(?:get_return_object(?:_on_allocation_failure)?|(?:initial|final)_suspend|unhandled_exception|return_(?:void|value)|yield_value|await_(?:ready|suspend|resume|transform))$/,
    caller: 'a coroutine',
  },
];
/** A definition outside its type: `Shape::area`, `Stack<T>::push`. */
const qualified = /^(?:[^\s:]+::)+(?<name>[^:]+)$/;
const cNames: NameRules = { language: 'C', pattern: word, reserved: cReserved };
const cppNames: NameRules = {
  language: 'C++',
  pattern: /^(?:~?[\p{L}_][\p{L}\p{N}_]*|operator.+)$/u,
  reserved: cppReserved,
};

export const c: ParsedProfile = {
  ids: ['c'],
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  outline: cOutline,
  lexis,
  names: cNames,
  attached,
  exposure,
};

export const cpp: ParsedProfile = {
  ids: ['cpp'],
  extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.hxx'],
  grammar: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  outline: cppOutline,
  nameForms: [qualified, signed],
  lexis,
  names: cppNames,
  signatures: cppSignatures,
  attached,
  overriding,
  implicitCalls,
  exposure,
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.(?:cpp|cc)$/,
};

/** Dialects without a grammar. */
export const dialects: readonly LanguageProfile[] = [
  { ids: ['objective-c'], lexis, names: cNames, attached },
  { ids: ['objective-cpp'], lexis, names: cppNames, attached, overriding, implicitCalls },
  { ids: ['cuda'], lexis, attached, overriding, implicitCalls },
  { ids: ['hip'], lexis, attached },
  { ids: ['opencl'], lexis },
  { ids: ['hlsl', 'glsl', 'msl'], lexis, attached: slashComments },
];
