import type { TrapWorkspace } from '../model.ts';

/** An Eclipse project is the form that every language server reads offline. */
const project = {
  '.project': `<?xml version="1.0" encoding="UTF-8"?>
<projectDescription>
  <name>traps</name>
  <buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
  <natures><nature>org.eclipse.jdt.core.javanature</nature></natures>
</projectDescription>
`,
  '.classpath': `<?xml version="1.0" encoding="UTF-8"?>
<classpath>
  <classpathentry kind="src" path="src/main/java"/>
  <classpathentry kind="src" path="src/test/java"/>
  <classpathentry kind="src" path="generated/main/java"/>
  <classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>
  <classpathentry kind="output" path="target/classes"/>
</classpath>
`,
  '.settings/org.eclipse.jdt.core.prefs': `eclipse.preferences.version=1
org.eclipse.jdt.core.compiler.codegen.targetPlatform=17
org.eclipse.jdt.core.compiler.compliance=17
org.eclipse.jdt.core.compiler.source=17
`,
  '.settings/org.eclipse.core.resources.prefs': 'eclipse.preferences.version=1\nencoding/<project>=UTF-8\n',
} as const;

/** Traps of Java: one package per difficulty, in three source directories. */
export const javaTraps: TrapWorkspace = {
  files: {
    ...project,

    'src/main/java/traps/overloads/Parser.java': `package traps.overloads;

public class Parser {
  static int parse(String text) { return 1; } // !overload
  static int parse(Object text) { return 2; }
  static int parse(int number) { return 3; }
  static int parse(String... texts) { return 4; }

  int all() {
    return parse("1") + // @overload
      parse(1) +
      parse(new Object()) +
      parse("1", "2") +
      parse((Object) "1") +
      parse((String) null) + // @overload
      Parser.<String>call(Parser::parse); // @overload
  }

  static <T> int call(java.util.function.ToIntFunction<T> action) { return 5; }
}
`,
    'src/main/java/traps/overloads/Constructed.java': `package traps.overloads;

class Constructed {
  Constructed() { this(1); } // @constructor
  Constructed(int size) {} // !constructor

  static class Derived extends Constructed {
    Derived() { super(2); } // @constructor
    Derived(String name) {}
  }

  Constructed same() { return new Constructed(); }
  Constructed other() { return new Constructed(3) {}; } // @constructor
  java.util.function.IntFunction<Constructed> made = Constructed::new; // @constructor
}
`,

    'src/main/java/traps/equal/first/Price.java': `package traps.equal.first;

public class Price { // !equal
  public static Price of(Price other) { // @equal !equal-method
    return Price.of(other); // @equal @equal-method
  }
}
`,
    'src/main/java/traps/equal/second/Price.java': `package traps.equal.second;

public class Price {
  public static Price of(Price other) {
    return Price.of(other);
  }
}
`,
    'src/main/java/traps/equal/Use.java': `package traps.equal;

import traps.equal.first.Price; // @equal

class Use {
  Price one = Price.of(null); // @equal @equal-method
  traps.equal.second.Price two = traps.equal.second.Price.of(null);
  static int sum(Price price) { return 1; } // @equal !equal-overload
  static int sum(traps.equal.second.Price price) { return 2; }
  int both = sum(one) + // @equal-overload
    sum(two);
}
`,

    'src/main/java/traps/statics/Amounts.java': `package traps.statics;

public class Amounts {
  public static final int TOTAL = 1; // !static-field
  public static int twice(int n) { return 2 * n + TOTAL; } // !static-method @static-field
  public static String twice(String text) { return text + text; }
}
`,
    'src/main/java/traps/statics/Use.java': `package traps.statics;

import static traps.statics.Amounts.TOTAL; // @static-field
import static traps.statics.Amounts.twice; // ?static-method

class Use {
  int number = twice(TOTAL); // @static-method @static-field
  String text = twice("");
  int TOTAL() { return Inherited.TOTAL; } // @static-field
}

class Inherited extends Amounts {
  int all = twice(1); // @static-method
}
`,
    'src/main/java/traps/statics/wildcard/Wildcard.java': `package traps.statics.wildcard;

import static traps.statics.Amounts.*;

class Wildcard {
  int number = twice(TOTAL); // @static-method @static-field
}
`,

    'src/main/java/traps/generics/Source.java': `package traps.generics;

interface Source<T> {
  void push(T item); // !generic ?bridge

  default Source<T> with(T item) {
    push(item); // @generic ?bridge
    return this;
  }
}

class Words implements Source<String> {
  @Override public void push(String item) {} // !bridge ?generic

  static void use(Source<Integer> numbers, Words words, Source<String> texts) {
    numbers.push(1); // @generic ?bridge
    words.push(""); // @bridge ?generic
    texts.push(""); // @generic ?bridge
    java.util.List.of("").forEach(words::push); // @bridge ?generic
    java.util.List.of(1).forEach(numbers::push); // @generic ?bridge
    new Unrelated().push("");
  }
}

class Unrelated {
  void push(String item) {}
}
`,

    'src/main/java/traps/dispatch/Store.java': `package traps.dispatch;

public interface Store { // !dispatch
  void save(String key); // !dispatch-method
}

interface Remote extends Store { // ?dispatch
  String url();
}

class Memory implements Store { // @dispatch
  public void save(String key) {} // @dispatch-method
  void save(int key) {}
}

class Cached extends Memory { // @dispatch
  @Override public void save(String key) { super.save(key); } // @dispatch-method
}

class Inheriting extends Cached {} // @dispatch

abstract class Shape { // !abstract
  abstract int area(); // !abstract-method
  int twice() { return 2 * area(); }
}

class Square extends Shape { // @abstract
  int area() { return 1; } // @abstract-method
}

class Unrelated {
  public void save(String key) {}
  int area() { return 2; }
}
`,
    'src/main/java/traps/dispatch/Others.java': `package traps.dispatch;

record Kept(String url) implements Remote { // @dispatch
  public void save(String key) {} // @dispatch-method
}

enum Fixed implements Store { // @dispatch
  ONE,
  TWO { // ?dispatch
    @Override public void save(String key) {} // @dispatch-method
  };

  public void save(String key) {} // @dispatch-method
}

class Users {
  Store anonymous = new Store() { // @dispatch
    public void save(String key) {} // @dispatch-method
  };
  Store lambda = key -> {}; // ?dispatch ?dispatch-method

  Shape local() {
    class Local extends Shape { // @abstract
      int area() { return 3; } // @abstract-method
    }
    return new Local();
  }

  static class Nested extends Square { // @abstract
    @Override int area() { return 4; } // @abstract-method
  }
}
`,
    'src/test/java/traps/dispatch/FakeStore.java': `package traps.dispatch;

class FakeStore implements Store { // @dispatch
  public void save(String key) {} // @dispatch-method
}
`,

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
  },
  traps: [
    { name: 'overloads', asks: 'references', mark: 'overload', namePath: 'Parser/parse[0]' },
    { name: 'constructors', asks: 'references', mark: 'constructor', namePath: 'Constructed/Constructed[1]' },
    { name: 'equal names in two packages', asks: 'references', mark: 'equal', namePath: 'Price' },
    { name: 'equal members in two packages', asks: 'references', mark: 'equal-method', namePath: 'Price/of' },
    { name: 'overloads for types of equal names', asks: 'references', mark: 'equal-overload', namePath: 'Use/sum[0]' },
    { name: 'static import of a field', asks: 'references', mark: 'static-field', namePath: 'Amounts/TOTAL' },
    { name: 'static import of overloads', asks: 'references', mark: 'static-method', namePath: 'Amounts/twice[0]' },
    { name: 'method of a generic type', asks: 'references', mark: 'generic', namePath: 'Source/push' },
    { name: 'method behind a bridge', asks: 'references', mark: 'bridge', namePath: 'Words/push' },
    { name: 'interface dispatch', asks: 'implementations', mark: 'dispatch', namePath: 'Store' },
    { name: 'method of an interface', asks: 'implementations', mark: 'dispatch-method', namePath: 'Store/save' },
    { name: 'abstract class', asks: 'implementations', mark: 'abstract', namePath: 'Shape' },
    { name: 'method of an abstract class', asks: 'implementations', mark: 'abstract-method', namePath: 'Shape/area' },
    { name: 'field of an outer class', asks: 'references', mark: 'inner', namePath: 'Outer/count' },
    { name: 'inner class', asks: 'references', mark: 'inner-type', namePath: 'Outer/Inner' },
    { name: 'record', asks: 'references', mark: 'record', namePath: 'Point' },
    { name: 'component of a record', asks: 'references', mark: 'component', namePath: 'Point/x' },
    { name: 'constant of an enumeration', asks: 'references', mark: 'constant', namePath: 'Color/RED' },
    { name: 'method in lambdas', asks: 'references', mark: 'lambda', namePath: 'Tasks/step' },
    { name: 'functional interface', asks: 'references', mark: 'functional', namePath: 'Action' },
    {
      name: 'method of a functional interface',
      asks: 'references',
      mark: 'functional-method',
      namePath: 'Action/apply',
    },
    { name: 'annotation', asks: 'references', mark: 'annotation', namePath: 'Rule' },
    { name: 'member of an annotation', asks: 'references', mark: 'annotation-member', namePath: 'Rule/value' },
    { name: 'tests and generated files', asks: 'references', mark: 'roots', namePath: 'Basket' },
    {
      name: 'method in tests and generated files',
      asks: 'references',
      mark: 'roots-method',
      namePath: 'Basket/size',
    },
    { name: 'CRLF, BOM and characters outside the BMP', asks: 'references', mark: 'crlf', namePath: 'Text/trim' },
    { name: 'shadowed name', asks: 'references', mark: 'shadowed', namePath: 'Total/total[0]' },
    {
      name: 'file changed between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'Count/count',
      rewritten: {
        'src/main/java/traps/changed/Use.java': `package traps.changed;

class Use {
  // A further line.
  int two = Count.count() + 1; // @changed

  int three = Count.count(); // @changed
}
`,
      },
    },
    {
      name: 'declaration moved between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'Count/count',
      rewritten: {
        'src/main/java/traps/changed/Count.java': `package traps.changed;

class Count {
  static int before = 0;

  static int count() { return before; } // !changed
}
`,
      },
    },
    {
      name: 'error in another file than the changed one',
      asks: 'diagnostics',
      mark: 'broken-use',
      rewritten: {
        'src/main/java/traps/broken/Parts.java': `package traps.broken;

class Parts {
  static int part(String n) { return n.length(); }
}
`,
        'src/main/java/traps/broken/Use.java': `package traps.broken; // !broken-use

class Use {
  int whole = Parts.part(1); // @broken-use
}
`,
      },
    },
    {
      name: 'server killed during the call',
      asks: 'references',
      mark: 'killed',
      namePath: 'Used/used',
      killsServer: true,
    },
  ],
};
