import type { TrapWorkspace } from '../model.ts';
import { javaMembers } from './java-members.ts';
import { javaTypes } from './java-types.ts';

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
  files: { ...project, ...javaTypes, ...javaMembers },
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
