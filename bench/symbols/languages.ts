import { cpp } from './languages/cpp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { typescript } from './languages/typescript.ts';
import type { BenchLanguage } from './model.ts';

/** All languages, in the order of the page. */
export const languages: readonly BenchLanguage[] = [go, typescript, python, rust, java, cpp];
