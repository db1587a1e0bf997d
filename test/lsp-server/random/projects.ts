import { spawnSync } from 'node:child_process';
import { whyNoGo } from '../../support/skip.ts';

/** A project that random sessions change. */
export interface RandomProject {
  readonly languageId: string;
  readonly extension: string;
  readonly whyNot?: string | undefined;
  /**
   * True if the server loads packages after a change, and answers without them for a moment. Where texts are unsaved, so that
   * nothing is compared with the text, gopls may also leave out a package whose directory is new: sessions end saved.
   */
  readonly reloads?: true;
  /** False for a text that a session does not end with: the server's answers depend on earlier texts then. */
  parses?(text: string): boolean;
  readonly files: Readonly<Record<string, string>>;
  /** Lines that are inserted anywhere: some are valid there, some break the file. */
  readonly lines: readonly string[];
  /** What replaces an identifier. */
  readonly names: readonly string[];
}

/** What is typed inside of lines, in every language. */
export const fragments = ['é', '🧾', '  ', '(', ')', '"', '.', 'x', '\u2028', 'ß = ﷺ', '\t'] as const;

const python: RandomProject = {
  languageId: 'python',
  extension: 'py',
  files: {
    'shapes.py':
      'class Shape:\n    """Größe 🧾"""\n\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return len("🧾é") + side()\n\n\ndef side() -> int:\n    return 4\n',
    'use.py':
      'from shapes import Shape, side\n\n\ndef measure(shape: Shape) -> int:\n    größe = shape.area(); text = "🧾", side()\n    return größe\n',
    'more.py':
      'import shapes\nfrom use import measure\n\n\ndef total() -> int:\n    return measure(shapes.Square()) + shapes.side()  # 🧾 side\n',
    'pack/__init__.py': '',
    'pack/inner.py':
      'from shapes import Shape\r\n\r\n\r\nclass Circle(Shape):\r\n    def area(self) -> int:\r\n        return 3\r\n',
  },
  lines: [
    'def side(): return "🧾"',
    'from shapes import Square',
    'from missing import nothing',
    '    def area(self) -> int: return 1',
    'größe = "ﷺ"; side()',
    '"""',
    '# 🧾 area',
    'class Shape: pass',
    '    return missing_name',
    'print(side(), Shape)',
  ],
  names: ['area', 'side', 'Shape', 'measure', 'größe', 'self', 'new_name'],
};

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** tsserver proposes other names in a broken text if it was whole before. */
const typescript: RandomProject = {
  languageId: 'typescript',
  extension: 'ts',
  parses: (text) => {
    try {
      return transpiler.scan(text) !== undefined;
    } catch {
      return false;
    }
  },
  files: {
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" } }\n',
    'shapes.ts':
      'export interface Shape {\n  /** Größe 🧾 */\n  area(): number;\n}\n\nexport class Square implements Shape {\n  area(): number {\n    return "🧾é".length + side();\n  }\n}\n\nexport function side(): number {\n  return 4;\n}\n',
    'use.ts':
      "import { type Shape, side } from './shapes.js';\n\nexport function measure(shape: Shape): number {\n  const größe = shape.area(), text = '🧾' + side();\n  return größe + text.length;\n}\n",
    'more.ts':
      "import * as shapes from './shapes.js';\nimport { measure } from './use.js';\n\nexport const total = (): number => measure(new shapes.Square()) + shapes.side(); // 🧾 side\n",
    'pack/inner.ts':
      "import type { Shape } from '../shapes.js';\r\n\r\nexport class Circle implements Shape {\r\n  area(): number {\r\n    return 3;\r\n  }\r\n}\r\n",
  },
  lines: [
    'export function side() { return "🧾"; }',
    "import { Square } from './shapes.js';",
    "import { nothing } from './missing.js';",
    '  area(): number { return 1; }',
    'const größe = "ﷺ" + side();',
    '// 🧾 area',
    'interface Shape { extra?: string }',
    '  return missingName;',
    'console.log(side(), größe);',
  ],
  names: ['area', 'side', 'Shape', 'measure', 'größe', 'shapes', 'newName'],
};

const go: RandomProject = {
  languageId: 'go',
  extension: 'go',
  whyNot: whyNoGo(),
  reloads: true,
  parses: (text) => spawnSync('gofmt', { input: text }).status === 0,
  files: {
    'go.mod': 'module shapes\n\ngo 1.24\n',
    'shapes.go':
      'package shapes\n\n// Shape has a Größe 🧾.\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{}\n\nfunc (s Square) Area() int {\n\treturn len("🧾é") + Side()\n}\n\nfunc Side() int {\n\treturn 4\n}\n',
    'use.go':
      'package shapes\n\nfunc Measure(shape Shape) int {\n\tgröße, text := shape.Area(), "🧾"; Side()\n\treturn größe + len(text)\n}\n',
    'more.go': 'package shapes\n\nfunc Total() int {\n\treturn Measure(Square{}) + Side() // 🧾 Side\n}\n',
    'pack/inner.go':
      'package pack\r\n\r\nimport "shapes"\r\n\r\ntype Circle struct{}\r\n\r\nfunc (c Circle) Area() int {\r\n\treturn shapes.Measure(c)\r\n}\r\n',
  },
  lines: [
    'func Side() string { return "🧾" }',
    'import "fmt"',
    'import "missing/nothing"',
    'func (s Square) Extra() int { return 1 }',
    'var größe = "ﷺ" + Side()',
    '/*',
    '// 🧾 Area',
    'type Shape interface{ Extra() }',
    '\treturn missingName',
    'var _ = Measure(Square{})',
  ],
  names: ['Area', 'Side', 'Shape', 'Measure', 'größe', 'shapes', 'NewName'],
};

export const randomProjects = { Python: python, TypeScript: typescript, Go: go } as const;
