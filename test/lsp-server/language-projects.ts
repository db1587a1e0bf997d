import { whyNoClangd } from '../support/clangd.ts';
import { javaProject, jdtls } from '../support/java-project.ts';
import { cargoProject, rustAnalyzer } from '../support/rust.ts';
import { whyNoGo } from '../support/skip.ts';

/** A project of two files in one language, with the questions that every language gets. */
export interface LanguageProject {
  readonly files: Readonly<Record<string, string>>;
  readonly languageId: string;
  /** The file that declares a type with a method, and a type that implements it. */
  readonly declares: string;
  /** The file that uses the type. */
  readonly uses: string;
  readonly type: RegExp;
  readonly method: RegExp;
  /** A call of the method in `uses`, and all places of the method. */
  readonly call: RegExp;
  readonly places: readonly string[];
  /** Further symbols whose names contain that of the type. */
  readonly namesakes?: readonly string[];
  readonly hover: string;
  /** The same method, where a type implements it. */
  readonly implementation: string;
  /** A local variable in `uses`, and all its places. */
  readonly local: RegExp;
  readonly localPlaces: readonly string[];
  /** What replaces the name of the method in its declaration to break the file that uses it, and the new problem. */
  readonly broken: readonly [from: RegExp, to: string];
  readonly problem: RegExp;
  /** Variables with which the language server runs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly whyNot?: string | undefined;
}

export const languageProjects: Readonly<Record<string, LanguageProject>> = {
  Python: {
    languageId: 'python',
    files: {
      'shapes.py':
        'class Shape:\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return 4\n',
      'use.py':
        'from shapes import Shape\n\n\ndef measure(shape: Shape) -> int:\n    result = shape.area()\n    return result\n',
    },
    ...{ declares: 'shapes.py', uses: 'use.py', type: /class (Shape):/, method: /def (area)[^\n]*\n {8}return 0/ },
    call: /shape\.(area)/,
    places: ['shapes.py:1:8', 'use.py:4:19'],
    hover: 'area() -> int',
    implementation: 'shapes.py:6:8',
    ...{ local: /(result) =/, localPlaces: ['use.py:4:4', 'use.py:5:11'] },
    broken: [/area/g, 'size'],
    problem: /Cannot access attribute "area"/,
  },
  TypeScript: {
    languageId: 'typescript',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" } }\n',
      'shapes.ts':
        'export interface Shape {\n  area(): number;\n}\n\nexport class Square implements Shape {\n  area(): number {\n    return 4;\n  }\n}\n',
      'use.ts':
        "import type { Shape } from './shapes.ts';\n\nexport function measure(shape: Shape): number {\n  const result = shape.area();\n  return result;\n}\n",
    },
    ...{ declares: 'shapes.ts', uses: 'use.ts', type: /interface (Shape)/, method: /(area)\(\): number;/ },
    call: /shape\.(area)/,
    places: ['shapes.ts:1:2', 'shapes.ts:5:2', 'use.ts:3:23'],
    hover: 'Shape.area(): number',
    implementation: 'shapes.ts:5:2',
    ...{ local: /const (result)/, localPlaces: ['use.ts:3:8', 'use.ts:4:9'] },
    broken: [/area/g, 'size'],
    problem: /Property 'area' does not exist/,
  },
  Go: {
    languageId: 'go',
    whyNot: whyNoGo(),
    files: {
      'go.mod': 'module shapes\n\ngo 1.24\n',
      'shapes.go':
        'package shapes\n\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{}\n\nfunc (s Square) Area() int {\n\treturn 4\n}\n',
      'use.go': 'package shapes\n\nfunc Measure(shape Shape) int {\n\tresult := shape.Area()\n\treturn result\n}\n',
    },
    ...{ declares: 'shapes.go', uses: 'use.go', type: /type (Shape)/, method: /\t(Area)\(\) int/ },
    call: /shape\.(Area)/,
    places: ['shapes.go:3:1', 'shapes.go:8:16', 'use.go:3:17'],
    hover: 'Area() int',
    implementation: 'shapes.go:8:16',
    ...{ local: /(result) :=/, localPlaces: ['use.go:3:1', 'use.go:4:8'] },
    broken: [/Area/g, 'Size'],
    problem: /shape\.Area undefined/,
  },
  Rust: {
    languageId: 'rust',
    ...rustAnalyzer(),
    files: {
      ...cargoProject,
      'src/lib.rs': 'pub mod shapes;\npub mod using;\n',
      'src/shapes.rs':
        'pub trait Shape {\n    fn area(&self) -> i32;\n}\n\npub struct Square;\n\nimpl Shape for Square {\n    fn area(&self) -> i32 {\n        4\n    }\n}\n',
      'src/using.rs':
        'use crate::shapes::Shape;\n\npub fn measure(shape: &dyn Shape) -> i32 {\n    let result = shape.area();\n    result\n}\n',
    },
    ...{
      declares: 'src/shapes.rs',
      uses: 'src/using.rs',
      type: /trait (Shape)/,
      method: /fn (area)\(&self\) -> i32;/,
    },
    call: /shape\.(area)/,
    places: ['src/shapes.rs:1:7', 'src/shapes.rs:7:7', 'src/using.rs:3:23'],
    namesakes: ['src/shapes.rs impl Shape for Square'],
    hover: 'fn area(&self) -> i32',
    implementation: 'src/shapes.rs:7:7',
    ...{ local: /let (result)/, localPlaces: ['src/using.rs:3:8', 'src/using.rs:4:4'] },
    // Without `cargo check`, unknown names are not reported.
    broken: [/area\(&self\)/g, 'area(&self, scale: i32)'],
    problem: /expected 1 argument, found 0/,
  },
  'C++': {
    languageId: 'cpp',
    whyNot: whyNoClangd(),
    files: {
      'shapes.h':
        '#pragma once\n\nclass Shape {\npublic:\n  virtual int area() const = 0;\n};\n\nclass Square : public Shape {\npublic:\n  int area() const override { return 4; }\n};\n',
      'use.cpp':
        '#include "shapes.h"\n\nint measure(const Shape &shape) {\n  int result = shape.area();\n  return result;\n}\n',
    },
    ...{ declares: 'shapes.h', uses: 'use.cpp', type: /class (Shape) /, method: /virtual int (area)/ },
    call: /shape\.(area)/,
    places: ['shapes.h:4:14', 'use.cpp:3:21'],
    hover: 'int area() const',
    implementation: 'shapes.h:9:6',
    ...{ local: /int (result)/, localPlaces: ['use.cpp:3:6', 'use.cpp:4:9'] },
    broken: [/area/g, 'size'],
    problem: /[Nn]o member named 'area'/,
  },
  Java: {
    languageId: 'java',
    ...jdtls,
    files: {
      ...javaProject,
      'src/shop/Shape.java':
        'package shop;\n\npublic interface Shape {\n  int area();\n}\n\nclass Square implements Shape {\n  public int area() {\n    return 4;\n  }\n}\n',
      'src/shop/Use.java':
        'package shop;\n\nclass Use {\n  int measure(Shape shape) {\n    int result = shape.area();\n    return result;\n  }\n}\n',
    },
    ...{
      declares: 'src/shop/Shape.java',
      uses: 'src/shop/Use.java',
      type: /interface (Shape)/,
      method: / {2}int (area)\(\);/,
    },
    call: /shape\.(area)/,
    places: ['src/shop/Shape.java:3:6', 'src/shop/Use.java:4:23'],
    hover: 'int shop.Shape.area()',
    implementation: 'src/shop/Shape.java:7:13',
    ...{ local: /int (result)/, localPlaces: ['src/shop/Use.java:4:8', 'src/shop/Use.java:5:11'] },
    broken: [/area/g, 'size'],
    problem: /method area\(\) is undefined/,
  },
};
