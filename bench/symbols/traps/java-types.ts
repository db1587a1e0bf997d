/** Files about packages, overloads, imports and types that implement others. */
export const javaTypes: Readonly<Record<string, string>> = {
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
};
