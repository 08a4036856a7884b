/** The part of `npm run texts` that loads the node's sources: prints every text that a person can read. */
import { descriptionTexts } from './descriptionTexts.mts';
import { BESIDE, sourceTexts } from './sourceTexts.mts';

const texts = new Map<string, string[]>();
const all = [...descriptionTexts(), ...sourceTexts(), ...sourceTexts(BESIDE)];
for (const { where, text } of all)
	if (text.trim() !== '') texts.set(text, [...(texts.get(text) ?? []), where]);
for (const [index, [text, places]] of [...texts].entries()) {
	const more = places.length > 1 ? ` and ${places.length - 1} more` : '';
	process.stdout.write(`${index + 1}\t${text.replaceAll('\n', ' / ')}\t${places[0]}${more}\n`);
}
