import type { Language } from '../symbols/model.ts';
import type { Task } from './model.ts';

type Subject = Pick<Task, 'name' | 'language' | 'package'>;

function subjects(language: Language): (pack: string, name: string) => Subject {
  return (pack, name) => ({ language, package: pack, name: `${language}: ${name}` });
}

const go = subjects('go');
const python = subjects('python');
const typescript = subjects('typescript');
const java = subjects('java');
const rust = subjects('rust');
const cpp = subjects('cpp');

/**
 * All tasks. In at least half of them other declarations must have the same name, or uses exist that a language server does
 * not resolve.
 */
export const tasks: readonly Task[] = [
  { ...go('chi 5.2.3', 'method among homonyms'), kind: 'rename', symbol: 'context.go#Context/Reset', newName: 'Clear' },
  {
    ...go('chi 5.2.3', 'interface and its only type'),
    kind: 'rename',
    symbol: 'chi.go#Router/Mount',
    newName: 'Attach',
  },
  {
    ...go('pflag 1.0.5', 'interface and all values'),
    kind: 'rename',
    symbol: 'flag.go#Value/Type',
    newName: 'TypeName',
  },
  {
    ...go('cobra 1.8.1', 'method of a large type'),
    kind: 'rename',
    symbol: 'command.go#Command/Name',
    newName: 'FirstWord',
    unresolved: ['command.go:564', 'command.go:565', 'command.go:568', 'command.go:571', 'command.go:609'],
  },
  {
    ...go('logrus 1.9.3', 'interface of plug-ins'),
    kind: 'rename',
    symbol: 'formatter.go#Formatter/Format',
    newName: 'Render',
  },
  {
    ...go('cobra 1.8.1', 'method that a template calls'),
    kind: 'rename',
    symbol: 'command.go#Command/NamePadding',
    newName: 'NameWidth',
    unresolved: ['command.go:565', 'command.go:568', 'command.go:571'],
  },
  {
    ...go('cobra 1.8.1', 'delete a method that a template calls'),
    kind: 'delete',
    symbol: 'command.go#Command/HasExample',
    unresolved: ['command.go:559'],
  },
  {
    ...go('cobra 1.8.1', 'delete an unused method'),
    kind: 'delete',
    symbol: 'bash_completionsV2.go#Command/GenBashCompletionFileV2',
  },
  { ...go('cobra 1.8.1', 'delete a method that sorting calls'), kind: 'delete', symbol: 'doc/util.go#byName/Less' },
  { ...go('cobra 1.8.1', 'move a function'), kind: 'move', symbol: 'cobra.go#ld', to: 'distance.go' },
  {
    ...go('cobra 1.8.1', 'list users of a method'),
    kind: 'affected',
    symbol: 'command.go#Command/CommandPath',
    unresolved: ['command.go:556', 'command.go:580', 'command.go:582'],
  },
  {
    ...go('chi 5.2.3', 'list users of an interface method'),
    kind: 'affected',
    symbol: 'chi.go#Routes/Match',
    isOverridden: true,
  },
  {
    ...go('chi 5.2.3', 'add a parameter to an interface method'),
    kind: 'signature',
    symbol: 'chi.go#Routes/Match',
    change: { add: 'strict bool', value: 'false' },
  },
  {
    ...go('cobra 1.8.1', 'swap parameters of one type'),
    kind: 'signature',
    symbol: 'cobra.go#ld',
    change: { order: ['t', 's', 'ignoreCase'] },
  },

  {
    ...python('marshmallow 3.23.1', 'hook with many overrides'),
    kind: 'rename',
    symbol: 'src/marshmallow/fields.py#Field/_serialize',
    newName: '_dump',
    unresolved: [
      'src/marshmallow/fields.py:345',
      'src/marshmallow/fields.py:720',
      'src/marshmallow/fields.py:782',
      'src/marshmallow/fields.py:860',
      'src/marshmallow/fields.py:1615',
      'src/marshmallow/fields.py:1627',
      'src/marshmallow/fields.py:1897',
      'src/marshmallow/fields.py:1912',
      'src/marshmallow/fields.py:1922',
      'src/marshmallow/fields.py:2112',
    ],
  },
  {
    ...python('click 8.2.1', 'method that types override'),
    kind: 'rename',
    symbol: 'src/click/types.py#ParamType/convert',
    newName: 'from_text',
    unresolved: [
      'src/click/types.py:90',
      'src/click/types.py:521',
      'tests/test_types.py:32',
      'tests/test_types.py:49',
      'tests/test_types.py:62',
      'tests/test_types.py:139',
      'tests/test_types.py:144',
      'tests/test_types.py:169',
      'tests/test_types.py:175',
      'tests/test_types.py:182',
      'tests/test_types.py:200',
      'tests/test_types.py:207',
      'tests/test_types.py:214',
      'tests/test_types.py:230',
      'tests/test_types.py:244',
    ],
  },
  {
    ...python('flask 3.1.0', 'method of an interface'),
    kind: 'rename',
    symbol: 'src/flask/sessions.py#SessionInterface/open_session',
    newName: 'begin_session',
    unresolved: ['src/flask/ctx.py:386', 'src/flask/testing.py:164'],
  },
  {
    ...python('rich 13.9.4', 'method among homonyms'),
    kind: 'rename',
    symbol: 'rich/style.py#Style/combine',
    newName: 'merge',
    unresolved: ['rich/text.py:757:25'],
  },
  {
    ...python('boltons 25.0.0', 'function among homonyms'),
    kind: 'rename',
    symbol: 'boltons/iterutils.py#chunked',
    newName: 'in_chunks',
  },
  {
    ...python('rich 13.9.4', 'property that a string names'),
    kind: 'rename',
    symbol: 'rich/file_proxy.py#FileProxy/rich_proxied_file',
    newName: 'rich_file',
    unresolved: ['rich/console.py:762'],
  },
  {
    ...python('rich 13.9.4', 'delete a property that a string names'),
    kind: 'delete',
    symbol: 'rich/file_proxy.py#FileProxy/rich_proxied_file',
    unresolved: ['rich/console.py:762'],
  },
  {
    ...python('click 8.2.1', 'function that tests replace'),
    kind: 'rename',
    symbol: 'src/click/_compat.py#isatty',
    newName: 'is_terminal',
    unresolved: [
      ...[38, 70, 82, 93, 206, 283, 304, 321].map((line) => `tests/test_termui.py:${line}`),
      ...[333, 451].map((line) => `tests/test_utils.py:${line}`),
      'tests/test_utils.py:372:41',
    ],
  },
  {
    ...python('click 8.2.1', 'delete an unused function'),
    kind: 'delete',
    symbol: 'src/click/termui.py#raw_terminal',
  },
  {
    ...python('marshmallow 3.23.1', 'move a function'),
    kind: 'move',
    symbol: 'src/marshmallow/utils.py#pluck',
    to: 'src/marshmallow/pluck.py',
  },
  {
    ...python('marshmallow 3.23.1', 'move a module'),
    kind: 'move file',
    file: 'src/marshmallow/orderedset.py',
    to: 'src/marshmallow/ordered.py',
  },
  {
    ...python('click 8.2.1', 'add a parameter to a function that tests replace'),
    kind: 'signature',
    symbol: 'src/click/_compat.py#isatty',
    change: { add: 'default', value: 'False' },
    unresolved: [
      ...[38, 70, 82, 93, 206, 283, 304, 321].map((line) => `tests/test_termui.py:${line}`),
      ...[333, 451].map((line) => `tests/test_utils.py:${line}`),
      'tests/test_utils.py:372:41',
    ],
  },
  {
    ...python('boltons 25.0.0', 'rename a parameter that a documentation test passes'),
    kind: 'signature',
    symbol: 'boltons/iterutils.py#chunked',
    change: { rename: 'count', to: 'limit' },
    unresolved: ['boltons/iterutils.py:297'],
  },

  {
    ...typescript('immer 10.1.1', 'property of an interface'),
    kind: 'rename',
    symbol: 'src/core/scope.ts#ImmerScope/drafts_',
    newName: 'open_',
  },
  {
    ...typescript('mobx 6.13.5', 'method of an interface'),
    kind: 'rename',
    symbol: 'src/core/observable.ts#IObservable/onBUO',
    newName: 'onUnobserved',
  },
  {
    ...typescript('rxjs 7.8.2', 'interface, classes and object literals'),
    kind: 'rename',
    symbol: 'src/internal/types.ts#SchedulerLike/schedule',
    newName: 'enqueue',
  },
  {
    ...typescript('noble-hashes 1.7.1', 'abstract method'),
    kind: 'rename',
    symbol: 'src/utils.ts#Hash/digestInto',
    newName: 'digestTo',
  },
  {
    ...typescript('table-core 8.21.3', 'function among homonyms'),
    kind: 'rename',
    symbol: 'src/utils.ts#flattenBy',
    newName: 'flattenWith',
  },
  {
    ...typescript('mobx 6.13.5', 'property that a list of keys names'),
    kind: 'rename',
    symbol: 'src/core/globalstate.ts#MobXGlobals/allowStateReads',
    newName: 'mayReadState',
    unresolved: ['src/core/globalstate.ts:14'],
  },
  {
    ...typescript('immer 10.1.1', 'delete an unused function'),
    kind: 'delete',
    symbol: 'src/types/types-external.ts#never_used',
  },
  {
    ...typescript('mobx 6.13.5', 'delete a method that an interface requires'),
    kind: 'delete',
    symbol: 'src/core/computedvalue.ts#ComputedValue/onBecomeStale_',
  },
  {
    ...typescript('immer 10.1.1', 'move a function'),
    kind: 'move',
    symbol: 'src/utils/common.ts#shallowCopy',
    to: 'src/utils/copy.ts',
  },
  {
    ...typescript('immer 10.1.1', 'move a module'),
    kind: 'move file',
    file: 'src/core/scope.ts',
    to: 'src/core/open-scopes.ts',
  },
  {
    ...typescript('mobx 6.13.5', 'list users of a method of an interface'),
    kind: 'affected',
    symbol: 'src/core/derivation.ts#IDerivation/onBecomeStale_',
    isOverridden: true,
  },
  {
    ...typescript('mobx 6.13.5', 'add a parameter to a method of an interface'),
    kind: 'signature',
    symbol: 'src/core/derivation.ts#IDerivation/onBecomeStale_',
    change: { add: 'isForced: boolean', value: 'false' },
  },
  {
    ...typescript('immer 10.1.1', 'swap parameters'),
    kind: 'signature',
    symbol: 'src/utils/common.ts#shallowCopy',
    change: { order: ['strict', 'base'] },
  },

  {
    ...java('gson 2.10.1', 'abstract method with nameless classes'),
    kind: 'rename',
    symbol: 'src/main/java/com/google/gson/TypeAdapter.java#TypeAdapter/read',
    newName: 'parse',
  },
  {
    ...java('jsoup 1.18.3', 'method that lambdas implement'),
    kind: 'rename',
    symbol: 'src/main/java/org/jsoup/select/NodeVisitor.java#NodeVisitor/head',
    newName: 'enter',
  },
  {
    ...java('commons-cli 1.9.0', 'method among homonyms'),
    kind: 'rename',
    symbol: 'src/main/java/org/apache/commons/cli/Option.java#Option/getKey',
    newName: 'lookupKey',
  },
  {
    ...java('commons-csv 1.12.0', 'delete a method that an interface requires'),
    kind: 'delete',
    symbol: 'src/main/java/org/apache/commons/csv/CSVRecord.java#CSVRecord/iterator',
  },
  {
    ...java('commons-cli 1.9.0', 'delete an unused method'),
    kind: 'delete',
    symbol: 'src/main/java/org/apache/commons/cli/Options.java#Options/addRequiredOption',
  },
  {
    ...java('commons-cli 1.9.0', 'delete a field that serialization reads'),
    kind: 'delete',
    symbol: 'src/main/java/org/apache/commons/cli/Option.java#Option/serialVersionUID',
    unresolved: ['java.io.ObjectStreamClass'],
  },
  {
    ...java('commons-cli 1.9.0', 'list users of an overridden method'),
    kind: 'affected',
    symbol: 'src/main/java/org/apache/commons/cli/CommandLineParser.java#CommandLineParser/parse[0]',
    isOverridden: true,
  },
  {
    ...java('commons-cli 1.9.0', 'add a parameter to a static method'),
    kind: 'signature',
    symbol: 'src/main/java/org/apache/commons/cli/Util.java#Util/stripLeadingHyphens',
    change: { add: 'final int most', value: '2' },
  },
  {
    ...java('commons-cli 1.9.0', 'move a static method'),
    kind: 'move',
    symbol: 'src/main/java/org/apache/commons/cli/Util.java#Util/stripLeadingAndTrailingQuotes',
    to: 'src/main/java/org/apache/commons/cli/OptionValidator.java',
  },
  {
    ...java('gson 2.10.1', 'move a type to another package'),
    kind: 'move file',
    file: 'src/main/java/com/google/gson/internal/PreJava9DateFormatProvider.java',
    to: 'src/main/java/com/google/gson/internal/bind/PreJava9DateFormatProvider.java',
  },

  {
    ...rust('similar 2.6.0', 'method of a trait'),
    kind: 'rename',
    symbol: 'src/algorithms/hook.rs#DiffHook/equal',
    newName: 'same',
  },
  { ...rust('semver 1.0.27', 'field'), kind: 'rename', symbol: 'src/lib.rs#Version/pre', newName: 'prerelease' },
  {
    ...rust('textwrap 0.16.2', 'method that macros call'),
    kind: 'rename',
    symbol: 'src/word_separators.rs#impl WordSeparator/find_words',
    newName: 'words_of',
    unresolved: ['src/word_separators.rs:332', 'src/word_separators.rs:344'],
  },
  {
    ...rust('semver 1.0.27', 'delete an unused method'),
    kind: 'delete',
    symbol: 'src/lib.rs#impl Version/cmp_precedence',
  },
  {
    ...rust('similar 2.6.0', 'move a module with snapshots'),
    kind: 'move file',
    file: 'src/udiff.rs',
    to: 'src/unified.rs',
    unresolved: [
      'src/snapshots/similar__udiff__unified_diff.snap:1',
      'src/snapshots/similar__udiff__unified_diff_newline_hint.snap:1',
      'src/snapshots/similar__udiff__unified_diff_newline_hint-2.snap:1',
    ],
  },
  {
    ...rust('similar 2.6.0', 'move a function'),
    kind: 'move',
    symbol: 'src/algorithms/utils.rs#common_prefix_len',
    to: 'src/algorithms/prefixes.rs',
  },
  {
    ...rust('similar 2.6.0', 'list users of a method of a trait'),
    kind: 'affected',
    symbol: 'src/algorithms/hook.rs#DiffHook/finish',
    isOverridden: true,
  },
  {
    ...rust('similar 2.6.0', 'add a parameter to a method of a trait'),
    kind: 'signature',
    symbol: 'src/algorithms/hook.rs#DiffHook/equal',
    change: { add: 'depth: usize', value: '0' },
  },
  {
    ...rust('textwrap 0.16.2', 'swap parameters'),
    kind: 'signature',
    symbol: 'src/core.rs#break_words',
    change: { order: ['line_width', 'words'] },
  },

  {
    ...cpp('tinyxml2 9.0.0', 'virtual method'),
    kind: 'rename',
    symbol: 'tinyxml2.h#tinyxml2/XMLNode/ShallowClone',
    newName: 'CopyAlone',
  },
  {
    ...cpp('box2d 2.4.1', 'pure virtual method'),
    kind: 'rename',
    symbol: 'include/box2d/b2_shape.h#b2Shape/GetChildCount',
    newName: 'CountChildren',
  },
  {
    ...cpp('tinyxml2 9.0.0', 'list users of a virtual method'),
    kind: 'affected',
    symbol: 'tinyxml2.h#tinyxml2/XMLNode/ShallowEqual',
    isOverridden: true,
  },
  {
    ...cpp('tinyxml2 9.0.0', 'delete an override'),
    kind: 'delete',
    symbol: 'tinyxml2.h#tinyxml2/XMLText/ShallowEqual',
  },
  {
    ...cpp('tinyxml2 9.0.0', 'static method'),
    kind: 'rename',
    symbol: 'tinyxml2.h#tinyxml2/XMLUtil/SetBoolSerialization',
    newName: 'SetWrittenBools',
  },
  {
    ...cpp('tinyxml2 9.0.0', 'move a source file'),
    kind: 'move file',
    file: 'tinyxml2.h',
    to: 'include/tinyxml2.h',
  },
  {
    ...cpp('tinyxml2 9.0.0', 'add a parameter to a virtual method'),
    kind: 'signature',
    symbol: 'tinyxml2.h#tinyxml2/XMLNode/ShallowClone',
    change: { add: 'bool withNames', value: 'true' },
  },
  {
    ...cpp('tinyxml2 9.0.0', 'swap parameters of one type'),
    kind: 'signature',
    symbol: 'tinyxml2.h#tinyxml2/XMLUtil/SetBoolSerialization',
    change: { order: ['writeFalse', 'writeTrue'] },
  },
];
