/** Files about members, other forms of types, source directories and changes. */
export const javaMembers: Readonly<Record<string, string>> = {
  'src/main/java/traps/inner/Outer.java': `package traps.inner;

class Outer {
  int count; // !inner

  class Inner { // !inner-type
    int count;

    int sum() {
      return count + Outer.this.count; // @inner
    }
  }

  Runnable anonymous = new Runnable() {
    int count;
    public void run() {
      count++;
      Outer.this.count++; // @inner
    }
  };

  static int read(Outer outer) {
    Outer.Inner inner = outer.new Inner(); // @inner-type
    return inner.count + outer.count; // @inner
  }
}

class Other {
  static class Inner {}
  Inner own = new Inner();
  Outer.Inner foreign; // @inner-type
}
`,

  'src/main/java/traps/records/Point.java': `package traps.records;

record Point(int x, int y) { // !record !component
  Point { // ?record ?component
    if (x < 0) throw new IllegalArgumentException(); // ?component
  }

  Point(int both) { this(both, both); } // ?record
  int sum() { return x + y(); } // @component

  static int use(Point point) { // @record
    Point other = new Point(1, 2); // @record
    return point.x() + other.x + java.util.stream.Stream.of(point).mapToInt(Point::x).sum(); // @component @record
  }
}

record Other(int x) {
  int twice() { return 2 * x() + x; }
}
`,
  'src/main/java/traps/enums/Color.java': `package traps.enums;

enum Color {
  RED { // !constant
    @Override int code() { return 1; }
  },
  GREEN;

  int code() { return 0; }
}

enum Other { RED }

class Use {
  int codeOf(Color color) {
    switch (color) {
      case RED: // @constant
        return Color.RED.code(); // @constant
      default:
        return Other.RED.ordinal();
    }
  }

  int arrow(Color color) {
    return switch (color) {
      case RED -> 1; // @constant
      case GREEN -> 2;
    };
  }

  Object named = Color.valueOf("RED");
}
`,

  'src/main/java/traps/lambdas/Tasks.java': `package traps.lambdas;

import java.util.function.IntUnaryOperator;

class Tasks {
  static int step(int n) { return n + 1; } // !lambda

  static int run(IntUnaryOperator step) { return step.applyAsInt(1); }

  int all = run(Tasks::step) + // @lambda
    run(step -> step) +
    run(n -> step(n)) + // @lambda
    run(step -> step(step)); // @lambda
}

interface Action { // !functional
  int apply(int n); // !functional-method

  static int twice(Action action) { return action.apply(action.apply(1)); } // @functional @functional-method

  Action one = n -> n; // @functional ?functional-method
  int two = twice(n -> n + one.apply(n)); // @functional-method
}
`,

  'src/main/java/traps/annotations/Rule.java': `package traps.annotations;

@interface Rule { // !annotation
  String value(); // !annotation-member
  int level() default 1;
}
`,
  'src/main/java/traps/annotations/Use.java': `package traps.annotations;

@Rule("type") // @annotation ?annotation-member
class Use {
  @Rule(value = "field", level = 2) int field; // @annotation @annotation-member
  @traps.annotations.Rule(value = "method") // @annotation @annotation-member
  void method(@Rule("parameter") int n) {} // @annotation ?annotation-member
  String value = Use.class.getAnnotation(Rule.class).value(); // @annotation @annotation-member
}
`,
  'src/main/java/traps/annotations/package-info.java': `@Rule("package") // @annotation ?annotation-member
package traps.annotations;
`,

  'src/main/java/traps/roots/Basket.java': `package traps.roots;

class Basket { // !roots
  static int size() { return Helper.help(); } // !roots-method
}

class Helper {
  static int help() { return 1; }
}
`,
  'src/test/java/traps/roots/BasketTest.java': `package traps.roots;

class BasketTest {
  int size = Basket.size(); // @roots @roots-method
  /** See {@link Basket#size()}. */ // ?roots ?roots-method
  Basket basket = new Basket(); // @roots
}
`,
  'generated/main/java/traps/roots/BasketFactory.java': `// This file was generated for a trap. Do not edit.
package traps.roots;

class BasketFactory {
  static Basket make() { return new Basket(); } // @roots
  int size = Basket.size(); // @roots @roots-method
}
`,

  'src/main/java/traps/crlf/Text.java':
    'package traps.crlf;\r\n\r\nclass Text {\r\n  String smile = "𝒳"; static String trim(String text) { return text; } // !crlf\r\n\r\n  String a = "𝒳" + trim("ä"); // @crlf\r\n}\r\n',
  // The compiler rejects a byte order mark.
  'src/main/java/traps/crlf/Bom.java':
    '\uFEFFpackage traps.crlf; class Bom { String c = Text.trim("𝒳"); // ?crlf\n  String b = Text.trim("b") + Text.trim("c"); // ?crlf\n}\n',
  'src/main/java/traps/crlf/Escapes.java':
    'package traps.crlf;\n\nclass Escapes {\n  String d = "\\u0022 + Text.trim("e"); // @crlf\n  String e = "Text.trim"; // Text.trim\n}\n',

  'src/main/java/traps/shadowed/Total.java': `package traps.shadowed;

class Total {
  int total; // !shadowed

  int total() { return total; } // @shadowed
  int sum(int total) { return total + this.total; } // @shadowed
  int again() {
    int total = this.total; // @shadowed
    total++;
    total: while (true) break total;
    return total + total();
  }

  static class Derived extends Total {
    int total;
    int both() { return total + super.total + ((Total) this).total; } // @shadowed
  }
}
`,

  'src/main/java/traps/changed/Count.java': `package traps.changed;

class Count {
  static int count() { return 1; } // !changed
}
`,
  'src/main/java/traps/changed/Use.java': `package traps.changed;

class Use {
  int one = Count.count(); // @changed
}
`,

  'src/main/java/traps/broken/Parts.java': `package traps.broken;

class Parts {
  static int part(int n) { return n; }
}
`,
  'src/main/java/traps/broken/Use.java': `package traps.broken; // !broken-use

class Use {
  int whole = Parts.part(1);
}
`,

  'src/main/java/traps/killed/Used.java': `package traps.killed;

class Used {
  static int used() { return 1; } // !killed
  int user = used(); // @killed
}
`,
  'src/main/java/traps/killed/Other.java': `package traps.killed;

class Other {
  int other = Used.used() + Used.used(); // @killed
}
`,
};
