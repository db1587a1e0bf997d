/** Files with method references: jdtls leads their names to the function type that the expression has. */
export const methodReferenceFiles: Readonly<Record<string, string>> = {
  'src/shop/Source.java': `package shop;

interface Source<T> {
    void push(T item);
}

class Words implements Source<String> {
    final int size;

    Words() {
        this(1);
    }

    Words(int size) {
        this.size = size;
    }

    @Override
    public void push(String item) {}

    static int parse(String text) {
        return 1;
    }

    static int parse(Object text) {
        return 2;
    }
}

class Others {
    void push(String item) {}
}
`,
  'src/shop/Method.java': `package shop;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

class Method {
    IntFunction<Words> made = Words::new;

    int use(Words words, Others others, List<String> texts) {
        texts.forEach(words::push);
        texts.forEach(others::push);
        texts.forEach(List.of()::contains);
        return call(Words::parse);
    }

    static <T> int call(ToIntFunction<T> action) {
        return 1;
    }
}
`,
};
