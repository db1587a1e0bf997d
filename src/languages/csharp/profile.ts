import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import {
  braces,
  bracketedDefinitions,
  character,
  double,
  inClasses,
  signed,
  slashes,
  slashStar,
  tripleDouble,
} from '../shared-syntax.ts';

const outline: OutlineRules = {
  symbols: {
    namespace_declaration: { kind: 'namespace' },
    file_scoped_namespace_declaration: { kind: 'namespace', body: ['*'] },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    struct_declaration: { kind: 'struct' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_member_declaration: { kind: 'enumMember', body: [] },
    delegate_declaration: { kind: 'function', body: [] },
    method_declaration: { kind: 'method', body: [] },
    constructor_declaration: { kind: 'constructor', body: [] },
    destructor_declaration: {
      kind: 'method',
      nameOf: (node) => `~${node.childForFieldName('name')?.text ?? ''}`,
      body: [],
    },
    operator_declaration: {
      kind: 'operator',
      nameOf: (node) => `operator ${node.childForFieldName('operator')?.text ?? ''}`,
      body: [],
    },
    indexer_declaration: { kind: 'property', nameOf: () => 'this[]', body: [] },
    property_declaration: { kind: 'property', body: [] },
    event_declaration: { kind: 'event', body: [] },
    'field_declaration>variable_declaration': { body: ['*'] },
    'event_field_declaration>variable_declaration': { body: ['*'] },
    variable_declarator: {
      kind: 'field',
      kindOf: ({ parent }) =>
        parent?.parent?.type === 'event_field_declaration'
          ? 'event'
          : /\bconst\b/.test(parent?.parent?.text ?? '')
            ? 'constant'
            : undefined,
      body: [],
    },
  },
  enter: [
    'compilation_unit',
    'declaration_list',
    'enum_member_declaration_list',
    'field_declaration',
    'event_field_declaration',
  ],
  names: ['identifier', 'qualified_name'],
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['csharp'],
  extensions: ['.cs'],
  grammar: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  patternContexts: inClasses,
  outline,
  nameForms: [signed],
  lexis: {
    inert: [slashes, slashStar, `@"(?:""|[^"])*"?`, character],
    templates: [tripleDouble, String.raw`\$@?${double}`, double],
    holes: braces,
  },
  attached: bracketedDefinitions,
  overriding: { word: 'override', absent: /suitable \w+ found to override/ },
  implicitCalls: [
    {
      name: /^(?:GetEnumerator|GetAsyncEnumerator|GetAwaiter|Deconstruct|Dispose|DisposeAsync)$/,
      caller: 'a statement of C#',
    },
  ],
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.cs$/,
};
