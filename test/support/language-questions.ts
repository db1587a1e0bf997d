/** Arguments of a tool. */
export type Args = Readonly<Record<string, unknown>>;
/** A tool call with its whole expected answer, or with parts of it. */
export type Question = readonly [tool: string, args: Args, answer: string | readonly string[]];

/** Questions about each language's fixture. */
export const languageQuestions: Readonly<Record<'python' | 'typescript' | 'go', readonly Question[]>> = {
  python: [
    [
      'get_symbols_overview',
      { relative_path: 'shop/helper.py', depth: 1 },
      '{"Constant": ["CURRENCY"], "Function": [{"format_amount": {"Function": ["pad"]}}], "Class": [{"Basket": {"Method": ["__init__", "add", "total"]}}]}',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'Basket/total' },
      '[{"name_path": "Basket/total", "kind": "Method", "relative_path": "shop/helper.py", "body_location": {"start_line": 25, "end_line": 26}}]',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'double', include_body: true },
      ['"body": "def double(value: int) -> int:\\n    return value * 2"'],
    ],
    [
      'find_symbol',
      { name_path_pattern: 'format_amount', include_info: true },
      ['(cents: int) -> str', 'Renders an amount for people to read.'],
    ],
    [
      'find_referencing_symbols',
      { name_path: 'format_amount', relative_path: 'shop/helper.py' },
      ['"shop/checkout.py"', '"shop/receipt.py"', '"name_path": "Receipt/render"', '"shop/broken.py"'],
    ],
  ],
  typescript: [
    [
      'get_symbols_overview',
      { relative_path: 'src/helper.ts', depth: 1 },
      '{"Constant": ["CURRENCY"], "Function": [{"formatAmount": {"Function": ["pad"]}}], "Class": [{"Basket": {"Method": ["add", "total"]}}]}',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'Basket/total' },
      '[{"name_path": "Basket/total", "kind": "Method", "relative_path": "src/helper.ts", "body_location": {"start_line": 21, "end_line": 23}}]',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'double', include_body: true },
      ['"body": "export function double(value: number): number {\\n  return value * 2;\\n}"'],
    ],
    [
      'find_symbol',
      { name_path_pattern: 'formatAmount', include_info: true },
      ['(cents: number): string', 'Renders an amount for people to read.'],
    ],
    [
      'find_referencing_symbols',
      { name_path: 'formatAmount', relative_path: 'src/helper.ts' },
      ['"src/checkout.ts"', '"src/receipt.ts"', '"name_path": "Receipt/render"', '"src/broken.ts"'],
    ],
  ],
  go: [
    [
      'get_symbols_overview',
      { relative_path: 'shop/helper.go', depth: 1 },
      '{"Constant": ["Currency"], "Function": ["FormatAmount"], "Struct": ["Basket"], "Method": ["Basket/Add", "Basket/Total"]}',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'Total' },
      '[{"name_path": "Basket/Total", "kind": "Method", "relative_path": "shop/helper.go", "body_location": {"start_line": 27, "end_line": 33}}]',
    ],
    [
      'find_symbol',
      { name_path_pattern: 'FormatAmount', include_info: true },
      ['func FormatAmount(cents int) string', 'FormatAmount renders an amount for people to read.'],
    ],
    [
      'find_referencing_symbols',
      { name_path: 'FormatAmount', relative_path: 'shop/helper.go' },
      ['"shop/checkout.go"', '"shop/receipt.go"', '"name_path": "Receipt/Render"', '"broken/broken.go"'],
    ],
  ],
};
