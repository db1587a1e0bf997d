import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { withUnionMembers } from './union-members.ts';

export const adapter: LanguageAdapter<SymbolScope> = { withFurtherSymbols: withUnionMembers };
