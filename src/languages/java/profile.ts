import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import {
  annotatedDefinitions,
  character,
  double,
  inClasses,
  signed,
  slashes,
  slashStar,
  tripleDouble,
} from '../shared-syntax.ts';
import { javaSignatures } from './signatures.ts';

/** What calls the methods that every object has. */
const objectCallers = 'Java itself and libraries, as members of `java.lang.Object`';

function kindOfField({ parent }: Node): SymbolKindName | undefined {
  const modifiers = parent?.firstNamedChild?.text ?? '';
  return /\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers) ? 'constant' : undefined;
}

/** Lists what jdtls lists: nothing that is inside a method. */
const outline: OutlineRules = {
  symbols: {
    package_declaration: { kind: 'package', name: '.', body: [] },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class', body: ['parameters', 'body'] },
    interface_declaration: { kind: 'interface' },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_constant: { kind: 'enumMember', body: [] },
    method_declaration: { kind: 'method', body: [] },
    annotation_type_element_declaration: { kind: 'method', body: [] },
    constructor_declaration: { kind: 'constructor', body: [] },
    compact_constructor_declaration: { kind: 'constructor', body: [] },
    'field_declaration>variable_declarator': { kind: 'field', kindOf: kindOfField, body: [] },
    'constant_declaration>variable_declarator': { kind: 'constant', body: [] },
    'formal_parameters>formal_parameter': { kind: 'field', body: [] },
  },
  enter: [
    ...['program', 'class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'annotation_type_body'],
    'formal_parameters',
  ],
  outer: ['field_declaration', 'constant_declaration'],
  names: ['identifier', 'scoped_identifier'],
  patterns: { package_declaration: [] },
  leading: { block_comment: /^\/\*\*/ },
  identifiers: ['identifier', 'type_identifier'],
};

const reserved = `abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new null package
private protected public return short static strictfp super switch synchronized this throw throws transient true try
void volatile while _`;

export const profile: ParsedProfile = {
  ids: ['java'],
  extensions: ['.java'],
  grammar: 'tree-sitter-java/tree-sitter-java.wasm',
  patternContexts: inClasses,
  outline,
  nameForms: [signed],
  lexis: { inert: [slashes, slashStar, tripleDouble, double, character], hasUnicodeEscapes: true },
  names: { language: 'Java', pattern: /^[\p{L}_$][\p{L}\p{N}_$]*$/u, reserved },
  attached: annotatedDefinitions,
  examples: { begin: /^\s*\*.*<pre>/, line: /^\s*\*(?!\/) ?/, end: /<\/pre>/ },
  signatures: javaSignatures,
  overriding: {
    word: 'Override',
    before: /@(?:\w+\.)*$/,
    absent: /must override or implement/,
    optional: '@Override ',
  },
  exposure: {
    visible: { text: /\bpublic\b/, memberText: /^(?![\s\S]*\bprivate\b)/ },
    publishedBy: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    registered:
      /@(?!(?:\w+\.)*(?:Override|Deprecated|SuppressWarnings|SafeVarargs|FunctionalInterface|Nullable|NonNull|NotNull|Nonnull|VisibleForTesting|Beta|Incubating|Experimental|Internal|Generated|CheckReturnValue|CanIgnoreReturnValue|GwtCompatible|GwtIncompatible|J2ktIncompatible|J2ObjCIncompatible|ThreadSafe|Immutable|GuardedBy|Contract|Pure|Serial|Native|Documented|Retention|Target|Inherited|ParametricNullness|ParametersAreNonnullByDefault|ApiStatus|API)\b)[\w.]+/,
    // Beans and tables.
    namedBy:
      /@(?:Bean|Component|Service|Repository|Controller|RestController|Named|Entity|Column)\b(?!\(\s*(?:name\s*=\s*|value\s*=\s*)?")/,
    entry: /^(?:main|premain|agentmain)$/,
    entryMember: /^main$/,
  },
  implicitCalls: [
    { name: /^(?:toString|hashCode|clone|finalize)$/, rest: /^\(\s*\)/, caller: objectCallers },
    { name: /^equals$/, rest: /^\(\s*(?:final\s+)?(?:java\.lang\.)?Object\s+\w+\s*\)/, caller: objectCallers },
    { name: /^(?:(?:read|write)Object|readObjectNoData|readResolve|writeReplace)$/, caller: 'serialization' },
    { name: /^(?:serialVersionUID|serialPersistentFields)$/, rest: /^\s*=/, caller: 'serialization' },
  ],
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.java$/,
};
