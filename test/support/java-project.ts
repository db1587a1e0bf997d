import { existsSync, readdirSync } from 'node:fs';
import { jdtlsPlace } from './jdtls.ts';

/** Files that make a project of Eclipse of the directory `src`, which JDT LS imports faster than one of a build tool. */
export const javaProject = {
  '.project':
    '<projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>',
  '.classpath':
    '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="target/classes"/></classpath>',
};

/** Absolute path of a JDK with sources: those of Debian have theirs in a package of their own. */
export const jdkWithSources = [process.env.JAVA_HOME ?? '', ...javaHomes()].find((home) =>
  existsSync(`${home}/lib/src.zip`),
);

function javaHomes(): string[] {
  const directory = '/usr/lib/jvm';
  return existsSync(directory) ? readdirSync(directory).map((name) => `${directory}/${name}`) : [];
}

const { env, whyNot } = jdtlsPlace();

/** Variables with which JDT LS runs and the sources of a JDK are found, or the reason why JDT LS is unavailable. */
export const jdtls = { env: { ...env, ...(jdkWithSources !== undefined && { JAVA_HOME: jdkWithSources }) }, whyNot };
