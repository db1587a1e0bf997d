/**
 * Files in which jdtls 1.59 lists what is no reference to a symbol, leads a variable to a method, or leaves out what
 * follows a Unicode escape.
 */
export const mistakenJavaFiles: Readonly<Record<string, string>> = {
  'src/shop/Text.java':
    'package shop;\r\n\r\nclass Text {\r\n  String smile = "𝒳"; static String trim(String text) { return text; }\r\n\r\n  String a = "𝒳" + trim("ä");\r\n}\r\n',
  // With a byte order mark, which the compiler rejects, jdtls finds no reference at all, also in other files.
  'src/shop/Bom.java': '\uFEFFpackage shop; class Bom { String c = Text.trim("𝒳"); }\n',
  'src/shop/Escapes.java': String.raw`package shop;

class Escapes {
    String a = "\u0022 + Text.trim("a") + "Text.trim";
    String b = \uu0022Text.trim" + Text.trim("b");
    String c = Text.tr\u0069m("\\u0022") + "Text.trim";
    // \u000a String d = "Text.trim";
}
`,
  'src/shop/Product.java': `package shop;

import java.lang.reflect.Method;

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
