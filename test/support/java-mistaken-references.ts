/**
 * Files in which jdtls 1.59 lists what is no reference to a symbol, leads a variable to a method, or leaves out what
 * follows a Unicode escape.
 */
export const mistakenJavaFiles: Readonly<Record<string, string>> = {
  'src/shop/Text.java':
    'package shop;\r\n\r\nclass Text {\r\n  String smile = "𝒳"; static String trim(String text) { return text; }\r\n\r\n  String a = "𝒳" + trim("ä");\r\n}\r\n',
  'src/shop/Escapes.java': String.raw`package shop;

class Escapes {
    String a = "\u0022 + Text.trim("a") + "Text.trim";
    String b = \uu0022Text.trim" + Text.trim("b");
    String c = Text.tr\u0069m("\\u0022") + "Text.trim";
    // \u000a String d = Text.trim("d") + "Text.trim";
}
`,
  // Outside the project of the build, so that nothing is resolved.
  'extra/Loose.java': String.raw`package shop;

class Loose {
    String a = "\u0022 + Text.trim("a") + "Text.trim";
    String b = Text.tr\u0069m("b");
}
`,
  'src/shop/Product.java': `package shop;

import java.lang.reflect.Method;
import java.util.Map;

class Product {
    enum Kind { NEW, OLD }

    private int modifiers;

    Kind kind = Kind.NEW;

    int getModifiers() {
        return modifiers;
    }

    int ofMethod(Method method) {
        return method.getModifiers() + getModifiers() + this.modifiers;
    }
}

class Pair<K, V> implements Map.Entry<K, V> {
    K key;
    V value;

    public K getKey() {
        return key;
    }

    public V getValue() {
        return value;
    }

    public V setValue(V value) {
        this.value = value;
        return value;
    }

    Object keyOf(Map.Entry<?, ?> entry) {
        return entry.getKey();
    }
}
`,
  // The import makes accessors possible that a tool generates.
  'src/shop/Row.java': `package shop;

import java.util.Map;
import lombok.Getter;

class Row<K, V> implements Map.Entry<K, V> {
    K key;
    V value;

    public K getKey() {
        return key;
    }

    public V getValue() {
        return value;
    }

    public V setValue(V value) {
        this.value = value;
        return value;
    }

    Object keyOf(Map.Entry<?, ?> entry) {
        return entry.getKey() == getKey();
    }
}
`,
  'src/shop/Imports.java': `package shop;

import javax.tools.JavaFileObject.Kind;

class Imports {
    Kind kind = Kind.SOURCE;
}
`,
  'src/shop/Builder.java': `package shop;

class Builder {
    Builder base(Object base) {
        return this;
    }

    Builder base(String base) {
        return base((Object) base);
    }

    boolean check(Object given) {
        Object base = given;
        if (!(base instanceof Integer) && base instanceof String) {
            return true;
        }
        return false;
    }
}
`,
};
