import { mapConcurrently } from '../../base/concurrent.ts';
import type { Edits } from '../../edits/edits.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SignatureSite } from '../../syntax/signatures.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { exampleAlone } from '../../text/examples.ts';
import type { Place } from '../../text/place.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { spanOf } from '../model/text-range.ts';
import { exampleSyntaxOf } from './examples.ts';
import { whyTestIsUse } from './mentions.ts';
import type { Sited } from './signature-sites.ts';

/** Returns what names in examples are, without imports and types: each example is parsed as if it were the whole file. */
export async function exampleSites(
  edits: Edits,
  { active, places }: { active: ActiveServer; places: readonly Place[] },
): Promise<Sited[]> {
  const found = await mapConcurrently(places, 4, async (place): Promise<Sited[]> => {
    const draft = edits.open(place.file);
    const language = syntaxLanguageOf(active.spec, place.file);
    const start = spanOf(draft.lines, place.range)?.start ?? 0;
    const alone = exampleAlone(draft.text, start, exampleSyntaxOf(active, place.file));
    if (language === undefined || alone === undefined) return [];
    const [site] = await syntaxTrees.signatures(language, alone, [place.range.start]);
    if (site === undefined || site.is === 'import' || site.is === 'type') return [];
    const uncertain = { ...place, reason: whyTestIsUse };
    return [{ place: uncertain, draft, site: isOnOneLine(draft.text, site) ? site : manual }];
  });
  return found.flat();
}

/** The marks of lines between arguments do not move with these. */
const manual: SignatureSite = { is: 'other', reason: whyTestIsUse };

function isOnOneLine(text: string, site: SignatureSite): boolean {
  return site.is !== 'call' || !text.slice(site.list.start, site.list.end).includes('\n');
}
