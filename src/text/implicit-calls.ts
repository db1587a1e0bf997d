/** Members that the language, its runtime or its standard library calls, and no code of a project names. */
interface ImplicitCalls {
  readonly name: RegExp;
  /** Matches the text behind the name, if members of the name with other parameters are not called. */
  readonly rest?: RegExp;
  /** What calls them, in plain words. */
  readonly caller: string;
}

const script: readonly ImplicitCalls[] = [
  { name: /^(?:toString|toLocaleString|valueOf|then|constructor|\[?Symbol\.\w+\]?)$/, caller: 'JavaScript itself' },
  { name: /^toJSON$/, caller: '`JSON.stringify`' },
  {
    name: /^(?:(?:connected|disconnected|adopted|connectedMove|attributeChanged)Callback|observedAttributes|form(?:Associated|Disabled|Reset|StateRestore)(?:Callback)?)$/,
    caller: 'the browser, if they are those of a custom element',
  },
];

/** gopls lists the interfaces of the packages that a project uses, among them those that declare most of these. */
const go: readonly ImplicitCalls[] = [
  {
    name: /^(?:Marshal|Unmarshal)(?:JSON|Text|Binary|XML|XMLAttr|YAML|TOML)(?:To|From)?$|^Append(?:Text|Binary)$/,
    caller: 'encoding packages',
  },
  { name: /^Gob(?:Encode|Decode)$/, caller: '`encoding/gob`' },
  { name: /^(?:String|GoString)$/, rest: /^\(\s*\)\s*string\b/, caller: '`fmt`' },
  { name: /^Format$/, rest: /^\(\s*\w*\s*fmt\.State\b/, caller: '`fmt`' },
  {
    name: /^Scan$/,
    rest: /^\(\s*\w*\s*(?:any|interface\s*\{\s*\}|fmt\.ScanState\b)/,
    caller: '`fmt` and `database/sql`',
  },
  { name: /^Value$/, rest: /^\(\s*\)\s*\(\s*(?:\w+\s+)?driver\.Value\b/, caller: '`database/sql`' },
  { name: /^Error$/, rest: /^\(\s*\)\s*string\b/, caller: 'code that handles errors' },
  { name: /^Unwrap$/, rest: /^\(\s*\)\s*(?:\[\])?error\b/, caller: '`errors`' },
  { name: /^Is$/, rest: /^\(\s*\w*\s*error\s*\)\s*bool\b/, caller: '`errors.Is`' },
  { name: /^As$/, rest: /^\(\s*\w*\s*(?:any|interface\s*\{\s*\})\s*\)\s*bool\b/, caller: '`errors.As`' },
  { name: /^LogValue$/, rest: /^\(\s*\)\s*slog\.Value\b/, caller: '`log/slog`' },
];

const php: readonly ImplicitCalls[] = [
  {
    name: /^__(?:construct|destruct|call|callStatic|get|set|isset|unset|sleep|wakeup|serialize|unserialize|toString|invoke|set_state|clone|debugInfo)$/i,
    caller: 'PHP itself',
  },
  { name: /^jsonSerialize$/, caller: '`json_encode`' },
];

const cpp: readonly ImplicitCalls[] = [
  { name: /^operator\b/, caller: 'operators' },
  { name: /^~/, caller: 'the end of a scope' },
  { name: /^(?:begin|end)$/, caller: 'a `for` over a range' },
  {
    name: /^(?:get_return_object(?:_on_allocation_failure)?|(?:initial|final)_suspend|unhandled_exception|return_(?:void|value)|yield_value|await_(?:ready|suspend|resume|transform))$/,
    caller: 'a coroutine',
  },
];

/** By LSP language id. */
const calls: Readonly<Record<string, readonly ImplicitCalls[]>> = {
  python: [{ name: /^__\w+__$/, caller: 'Python itself' }],
  javascript: script,
  javascriptreact: script,
  typescript: script,
  typescriptreact: script,
  go,
  java: [
    {
      name: /^(?:(?:read|write)Object|readObjectNoData|readResolve|writeReplace)$/,
      caller: 'serialization',
    },
  ],
  php,
  cpp,
  'objective-cpp': cpp,
  cuda: cpp,
  csharp: [
    {
      name: /^(?:GetEnumerator|GetAsyncEnumerator|GetAwaiter|Deconstruct|Dispose|DisposeAsync)$/,
      caller: 'a statement of C#',
    },
  ],
  ruby: [
    {
      name: /^(?:initialize(?:_copy|_clone|_dup)?|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|method_added|to_(?:s|str|a|ary|h|hash|proc|i|int|f|r|c|sym|path|io)|inspect|coerce|each|hash|eql\?|<=>|==|===|call|deconstruct(?:_keys)?|marshal_(?:dump|load))$/,
      caller: 'Ruby itself',
    },
  ],
  dart: [
    { name: /^(?:toString|noSuchMethod|hashCode|call|operator\b.*)$/, caller: 'Dart itself' },
    { name: /^toJson$/, caller: '`jsonEncode`' },
  ],
  lua: [{ name: /^__\w+$/, caller: 'Lua itself' }],
};

/**
 * Returns what calls the members of a type that have a name, although no code names them; `undefined` if nothing does.
 * `language` is an LSP id, `rest` the text behind the name.
 */
export function implicitCaller(language: string, name: string, rest: string): string | undefined {
  return calls[language]?.find((one) => one.name.test(name) && one.rest?.test(rest) !== false)?.caller;
}
