import type { Seed } from '../model.ts';
import { appended } from './appended.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Renames the public type of a file everywhere in it: a constructor has the name of its class. */
function renamedType(kind: string, pattern: RegExp): Seed {
  return {
    kind,
    ...across,
    apply(text) {
      const name = pattern.exec(text)?.[1];
      return name === undefined ? undefined : text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}Zq`);
    },
  };
}

/** A class with a method that does nothing but contain these statements, on one line. */
function stated(kind: string, statements: string): Seed {
  return appended(kind, `class SeededZq {\n  void seeded() { ${statements} }\n}`);
}

/** Kinds of errors in Java. What compilers report at either end of a body is on one line. */
export const javaSeeds: readonly Seed[] = [
  // Names and members.
  replaced('undefined name in a return statement', /^([ \t]+return) \w+;$/m, '$1 missingZq;'),
  appended('undefined method', 'class SeededZq {\n  int a = missingZq(1);\n}'),
  appended('undefined type', 'class SeededZq {\n  MissingZq a;\n}'),
  appended('undefined superclass', 'class SeededZq extends MissingZq {}'),
  appended('undefined annotation', '@MissingZq\nclass SeededZq {}'),
  appended('unknown member of an annotation', 'class SeededZq {\n  @SuppressWarnings(missing = "")\n  int a;\n}'),
  appended('unknown field', 'class SeededZq {\n  int a = "one".missing;\n}'),
  appended('unknown method', 'class SeededZq {\n  int a = "one".missing();\n}'),
  appended('unknown constant of an enumeration', 'enum SeededZq { A }\n\nclass ReadZq {\n  Object a = SeededZq.B;\n}'),
  appended('private member', 'class SeededZq {\n  private int a;\n}\n\nclass ReadZq {\n  int b = new SeededZq().a;\n}'),
  stated('unknown label', 'while (true) { break missingZq; }'),
  appended('instance member in a static method', 'class SeededZq {\n  int a;\n  static int b() { return a; }\n}'),
  // Declarations that others use.
  renamedType('renamed class', /^public (?:abstract |final )*class (\w+)/m),
  renamedType('renamed interface', /^public interface (\w+)/m),
  replaced(
    'renamed method',
    /^((?: {2}| {4})public (?:static )?[\w<>]+ )(?!equals|hashCode|toString)(\w+)\(/m,
    '$1$2Zq(',
    across,
  ),
  replaced('renamed constant', /^(\s+(?:public )?static final [\w<>]+ )(\w+)( =|;)/m, '$1$2Zq$3', across),
  replaced(
    'further parameter',
    /^((?: {2}| {4})public (?:static )?[\w<>]+ \w+)\((\w+ )/m,
    '$1(Thread addedZq, $2',
    across,
  ),
  replaced('further interface method', /^(public interface [^{}]*\{)$/m, '$1\n    int missingZq();', across),
  replaced(
    'further abstract method',
    /^(public abstract class [^{}]*\{)$/m,
    '$1\n    abstract int missingZq();',
    across,
  ),
  replaced('private method', /^( {2}| {4})public ((?:static )?[\w<>]+ \w+\()/m, '$1private $2', across),
  replaced('other result', /^((?: {2}| {4})public (?:static )?)(?:int|boolean|String) (\w+\()/m, '$1Thread $2', across),
  replaced(
    'checked exception',
    /^((?: {2}| {4})public (?:static )?[\w<>]+ \w+\([^()]*\)) \{$/m,
    '$1 throws Exception {',
    across,
  ),
  replaced('final class', /^public (class|abstract class) /m, 'public final class ', across),
  replaced('other package name', /^package ([\w.]+);/m, 'package $1.zq;', across),
  // Calls and types.
  appended('too few arguments', 'class SeededZq {\n  static int sum(int a, int b) { return a; }\n  int c = sum(1);\n}'),
  appended('too many arguments', 'class SeededZq {\n  static int sum(int a) { return a; }\n  int c = sum(1, 2);\n}'),
  appended(
    'wrong type of an argument',
    'class SeededZq {\n  static int sum(int a) { return a; }\n  int c = sum("one");\n}',
  ),
  appended(
    'ambiguous call',
    'class SeededZq {\n  void a(String s) {}\n  void a(Integer n) {}\n  void b() { a(null); }\n}',
  ),
  appended('wrong type of a variable', 'class SeededZq {\n  int a = "one";\n}'),
  appended('wrong type of a result', 'class SeededZq {\n  int a() { return "one"; }\n}'),
  appended('wrong operands', 'class SeededZq {\n  int a = 1 + true;\n}'),
  appended('lossy conversion', 'class SeededZq {\n  byte a = 300;\n}'),
  appended('null as a number', 'class SeededZq {\n  int a = null;\n}'),
  appended('impossible cast', 'class SeededZq {\n  Integer a = (Integer) "one";\n}'),
  appended('primitive type as an argument of a type', 'class SeededZq {\n  java.util.List<int> a;\n}'),
  appended('type argument that is not allowed', 'class SeededZq<T extends Number> {\n  SeededZq<String> a;\n}'),
  appended('lambda for a class', 'class SeededZq {\n  String a = () -> "one";\n}'),
  stated('condition that is not boolean', 'if (1) {}'),
  stated('loop over a number', 'for (int a : 1) {}'),
  appended('missing interface method', 'class SeededZq implements Runnable {}'),
  appended(
    'instance of an abstract class',
    'abstract class SeededZq {}\n\nclass MadeZq {\n  Object a = new SeededZq();\n}',
  ),
  appended('override of a final method', 'class SeededZq {\n  public final void notify() {}\n}'),
  appended('override with less access', 'class SeededZq {\n  String toString() { return ""; }\n}'),
  appended('override with another result', 'class SeededZq {\n  public int toString() { return 1; }\n}'),
  appended('annotated as an override', 'class SeededZq {\n  @Override public void missing() {}\n}'),
  appended('subclass of a final class', 'class SeededZq extends String {}'),
  appended('cyclic inheritance', 'class SeededZq extends SeededZq {}'),
  appended(
    'missing constructor of the superclass',
    'class SeededZq {\n  SeededZq(int a) {}\n}\n\nclass SubZq extends SeededZq {}',
  ),
  // Statements and declarations.
  appended('missing return', 'class SeededZq {\n  int a(int b) { if (b > 0) return b; }\n}'),
  stated('result of a void method', 'return 1;'),
  stated('unreachable statement', 'return; int a = 1;'),
  stated('use before assignment', 'int a; int b = a;'),
  stated('assignment to a constant', 'final int a = 1; a = 2;'),
  stated('changed variable in a lambda', 'int a = 1; a = 2; Runnable b = () -> System.out.println(a);'),
  stated('unreported exception', 'throw new Exception();'),
  stated('exception that nothing throws', 'try { } catch (java.io.IOException e) { }'),
  stated('duplicate variable', 'int a = 1; int a = 2;'),
  stated('duplicate case', 'switch (1) { case 1: case 1: }'),
  stated('break outside a loop', 'break;'),
  stated('value as a statement', 'int a = 1; a;'),
  appended('constant that is never assigned', 'class SeededZq { final int a; }'),
  appended('duplicate method', 'class SeededZq {\n  void a() {}\n  void a() {}\n}'),
  appended('duplicate class', 'class SeededZq {}\n\nclass SeededZq {}'),
  // Imports.
  replaced('import of a missing package', /^import /m, 'import missing.zq.Nothing;\nimport '),
  replaced('static import of a missing member', /^import /m, 'import static java.util.Collections.missingZq;\nimport '),
  replaced('removed import', /^import java\.(?:util|io)\.\w+;\n/m, ''),
  // Syntax.
  appended('unclosed brace', 'class SeededZq {\n  void a() {\n}', syntax),
  appended('superfluous brace', 'class SeededZq {\n}\n}', syntax),
  appended('unclosed parenthesis', 'class SeededZq {\n  int a = (1 + 2;\n}', syntax),
  appended('unclosed string', 'class SeededZq {\n  String a = "one;\n}', syntax),
  appended('unclosed comment', 'class SeededZq {}\n/* one', syntax),
  appended('empty character', "class SeededZq {\n  char a = '';\n}", syntax),
  appended('missing semicolon', 'class SeededZq {\n  int a = 1\n  int b = 2;\n}', syntax),
  appended('missing operand', 'class SeededZq {\n  int a = 1 +;\n}', syntax),
  appended('missing type of a result', 'class SeededZq {\n  seeded() {}\n}', syntax),
  appended('misspelled keyword', 'clas SeededZq {}', syntax),
  appended('reserved word as a name', 'class SeededZq {\n  int class = 1;\n}', syntax),
  appended('statement outside a method', 'class SeededZq {\n  return 1;\n}', syntax),
  appended('else without if', 'class SeededZq {\n  void a() {\n    else {}\n  }\n}', syntax),
  appended('try without catch', 'class SeededZq {\n  void a() {\n    try {}\n  }\n}', syntax),
  appended('character that is not allowed', 'class SeededZq {\n  int a = 1 # 2;\n}', syntax),
];
