// Sources for the tests of the judge of edits: lines with `@rename` are those that an edit changes.
/** Configuration of the packages in TypeScript. */
export const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
  },
  include: ['src'],
});

/** Returns a base class and an override, whose line ends with `mark`. */
export const shapes = (mark: string) => `class Shape:
    def area(self):  # @rename
        return 0.0

    def report(self):
        return f"area {self.area()}"  # @rename


class Square(Shape):
    def area(self):${mark}
        return 4.0
`;

/** Returns an interface that only `v.(I)` asks for, and a method that implements it, whose line ends with `mark`. */
export const optional = (mark: string) => `package opt

type flusher interface{ Flush() } // @rename

type buffer struct{ lines []string }

func (b *buffer) Flush() { b.lines = nil }${mark}

func Done(v any) {
	if f, ok := v.(flusher); ok {
		f.Flush() // @rename
	}
}
`;

/** Returns a function and a parameter with its name, whose call ends with `mark`. */
export const injected = (mark: string) => ({
  'tsconfig.json': tsconfig,
  'src/user.ts':
    'export function fetchUser(id: number): string { // @rename\n  return `user ${id}`;\n}\nexport type FetchUser = typeof fetchUser; // @rename\n',
  'src/greet.ts': `import { type FetchUser, fetchUser } from './user'; // @rename

export function greeter(fetchUser: FetchUser) {
  return (id: number) => fetchUser(id);${mark}
}
export const greet = greeter(fetchUser); // @rename
`,
});

/** Returns a base class and an override, whose line ends with `mark`. */
export const javaShapes = (mark: string) => `class Shapes {
  static class Base {
    int hook() { return 0; } // @rename
    int go() { return hook(); } // @rename
  }
  static class Child extends Base {
    int hook() { return 1; }${mark}
  }
}
`;

/** Returns a base class and an override, whose line ends with `mark`. */
export const cppShapes = (mark: string) => `struct Base {
  virtual int hook() { return 0; } // @rename
  int go() { return hook(); } // @rename
};
struct Child : Base {
  int hook() { return 1; }${mark}
};
int main() { return Child().go(); }
`;
/** Compilation database of `a.cpp`. */
export const database = JSON.stringify([
  { directory: '.', file: 'a.cpp', arguments: ['g++', '-std=c++17', '-c', 'a.cpp', '-o', 'a.o'] },
]);
