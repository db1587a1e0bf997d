import { go } from './languages/go.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { typescript } from './languages/typescript.ts';
import type { BenchLanguage } from './model.ts';

/** All languages, in the order of the page. */
export const languages: readonly BenchLanguage[] = [go, typescript, python, rust];
