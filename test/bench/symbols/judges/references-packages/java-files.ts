/** A package in Java whose references are marked. */
export const javaFiles = {
  'src/main/java/shop/Basket.java': `package shop;

import static shop.Amounts.total; // @total

import java.util.List;
import java.util.function.IntUnaryOperator;

public class Basket<T extends Comparable<T>> implements Priced {
    int size;
    final List<T> things = List.of();

    Basket() {
        this(1); // @Basket(int)
    }

    Basket(int size) {
        this.size = size; // @size
    }

    public int price() {
        return total(size); // @total @size
    }

    IntUnaryOperator twice() {
        int total = 2;
        String other = "total";
        return Amounts::twice; // @twice
    }
}
`,
  'src/main/java/shop/Priced.java': 'package shop;\n\ninterface Priced {\n    int price();\n}\n',
  'src/main/java/shop/Amounts.java': `package shop;

final class Amounts {
    /** Sums, see {@link #twice(int)}. */
    static int total(int n) {
        return twice(n); // @twice
    }

    static int twice(int n) {
        return 2 * n;
    }

    static int twice(long n) {
        return total((int) n); // @total
    }
}
`,
  'src/main/java/shop/Kind.java': `package shop;

enum Kind {
    SMALL,
    LARGE;

    record Label(String text, Kind kind) {
        String shown() {
            return text() + kind; // @text
        }
    }

    static int weight(Kind kind, Label label) {
        switch (kind) {
            case SMALL: // @SMALL
                return label.text().length(); // @text
            default:
                return kind == Kind.SMALL ? 1 : 2; // @SMALL
        }
    }
}
`,
  'src/test/java/shop/BasketTest.java': `package shop;

import shop.Basket; // @Basket

class BasketTest {
    Basket<String> basket = new Basket<>(3); // @Basket @Basket(int)
    int price = basket.price() + basket.size; // @price @size

    void check(Priced priced) {
        priced.price();
        java.util.function.Supplier<Basket<String>> make = Basket::new; // @Basket
    }
}
`,
};
