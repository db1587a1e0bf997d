// Questions about Java code: what is expected of each server, in this language.
import { java as spec } from '../../../src/languages/java/servers.ts';
import { methodReferenceFiles } from '../../support/java-method-references.ts';
import { mistakenJavaFiles } from '../../support/java-mistaken-references.ts';
import { javaProject } from '../../support/java-project.ts';
import { jdtlsPlace } from '../../support/jdtls.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import type { Tested } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';

// Without the sources of a JDK, the declaration of a library's member is in no file.
const java: Tested = { spec, whyNot: undefined, ...jdtlsPlace() };

testHierarchies(java, 'java', [
  {
    of: ['Amounts/formatAmount[0]', 'src/shop/Amounts.java'],
    kind: 'callers',
    expected: [
      'src/shop/Broken.java Broken 5',
      'src/shop/Checkout.java Checkout/checkout 6',
      '  src/shop/Checkout.java Checkout/sale 11',
      'src/shop/Receipt.java Receipt/render 6',
    ],
  },
  {
    of: ['Checkout/checkout', 'src/shop/Checkout.java'],
    kind: 'callees',
    expected: [
      'src/shop/Amounts.java Amounts/formatAmount[0] 11',
      '  src/shop/Amounts.java Amounts/formatAmount[1] 16',
      'src/shop/Basket.java Basket/total 15',
      'src/shop/Discount.java Discount/apply 5',
    ],
  },
  {
    of: ['Discount', 'src/shop/Discount.java'],
    kind: 'subtypes',
    expected: ['src/shop/Discount.java Discount/HalfOff 8', 'src/shop/Discount.java Discount/Flat 16'],
  },
  {
    of: ['/Discount/Flat', 'src/shop/Discount.java'],
    kind: 'supertypes',
    expected: ['src/shop/Discount.java Discount 3'],
    outside: ['Object'],
  },
]);

testShortAnswers(java, {
  directory: 'src/shop',
  helper: 'src/shop/Amounts.java',
  user: 'src/shop/Checkout.java',
  popular: 'Amounts/formatAmount[0]',
  method: 'Basket/total',
  discount: ['src/shop/Discount.java', 'Discount/apply'],
});

testCrossCheck(java, {
  files: {
    ...javaProject,
    'src/shop/Shelf.java': `package shop;

import java.util.HashMap;
import java.util.Map;

public class Shelf<T> {
    private final Map<String, T> things = new HashMap<>();

    public T get(String name) {
        return things.get(name);
    }

    public int size() {
        return things.size();
    }
}
`,
    'src/shop/User.java': `package shop;

class User {
    String read(Shelf<String> shelf) {
        return shelf.get("a");
    }
}
`,
    ...methodReferenceFiles,
    ...mistakenJavaFiles,
  },
  questions: [
    { symbol: 'Words/push', file: 'src/shop/Source.java', lines: { 'src/shop/Method.java': [10] } },
    { symbol: 'Others/push', file: 'src/shop/Source.java', lines: { 'src/shop/Method.java': [11] } },
    { symbol: 'Words/parse[0]', file: 'src/shop/Source.java', lines: {}, open: ['src/shop/Method.java:13'] },
    {
      symbol: 'Words/Words[1]',
      file: 'src/shop/Source.java',
      lines: { 'src/shop/Source.java': [10] },
      open: ['src/shop/Method.java:7'],
    },
    // A class with a type parameter.
    { symbol: 'Shelf', file: 'src/shop/Shelf.java', lines: { 'src/shop/User.java': [3] } },
    // Methods of these names are called in classes without sources.
    { symbol: 'Shelf/get', file: 'src/shop/Shelf.java', lines: { 'src/shop/User.java': [4] } },
    { symbol: 'Shelf/size', file: 'src/shop/Shelf.java', lines: {} },
    // Unicode escapes that end a string, and in names.
    {
      symbol: 'Text/trim',
      file: 'src/shop/Text.java',
      lines: { 'extra/Loose.java': [3], 'src/shop/Escapes.java': [3, 4, 5, 6], 'src/shop/Text.java': [5] },
      open: ['extra/Loose.java:4'],
    },
    // Calls of what looks like an accessor, of a library and of the class itself.
    { symbol: 'Product/modifiers', file: 'src/shop/Product.java', lines: { 'src/shop/Product.java': [13, 17] } },
    { symbol: 'Row/key', file: 'src/shop/Row.java', lines: { 'src/shop/Row.java': [10] } },
    // The import of a library's type.
    { symbol: 'Product/Kind', file: 'src/shop/Product.java', lines: { 'src/shop/Product.java': [10, 10] } },
    // A variable of the same name.
    { symbol: 'Builder/base[0]', file: 'src/shop/Builder.java', lines: { 'src/shop/Builder.java': [8] } },
  ],
  outside: {
    file: 'src/shop/Shelf.java',
    regex: 'things\\.(get)',
    is: "is declared outside the project's sources: `jdt://contents/java.base/java.util/Map.class`",
  },
});

testTypesOfNames(java, {
  files: {
    ...javaProject,
    'src/main/java/shop/Basket.java': 'package shop;\n\npublic class Basket {\n  int size = 0;\n}\n',
    'src/main/java/shop/Use.java':
      'package shop;\n\nclass Use {\n  int made(Basket given) {\n    var own = given;\n    return own.size;\n  }\n}\n',
  },
  file: 'src/main/java/shop/Use.java',
  types: {
    'var (own)': ['src/main/java/shop/Basket.java Basket'],
    'made\\(Basket (given)': ['src/main/java/shop/Basket.java Basket'],
  },
});

testUnused(java, {
  files: {
    ...javaProject,
    'src/main/java/shop/Shop.java': `package shop;

class Shop {
  private int size = 0;

  private int total() {
    return 1;
  }

  private int weigh() {
    return 2;
  }

  @Override
  public String toString() {
    return "";
  }

  @Registered
  private void found() {}

  public static void main(String[] args) {
    System.out.println(new Shop().total());
  }
}

class Lonely {}

@interface Registered {}
`,
  },
  found: [
    'unused: Shop/weigh',
    'unused: Lonely',
    'undecided: Shop/toString: it overrides or implements a member of another type (`@Override`), and calls of that member may run it',
    'undecided: Shop/found: something may find it by `@Registered`',
  ],
});
