import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { test } from 'vitest';

import { descriptionTexts } from './descriptionTexts.mts';
import { BESIDE, sourceTexts } from './sourceTexts.mts';

/** Not a test: writes every text that a person can read, for scripts/texts.mjs, which names the file. */

test('every text is listed once, with its number and where it is', () => {
	const texts = new Map<string, string[]>();
	const all = [...descriptionTexts(), ...sourceTexts(), ...sourceTexts(BESIDE)];
	for (const { where, text } of all)
		if (text.trim() !== '') texts.set(text, [...(texts.get(text) ?? []), where]);
	const lines = [...texts].map(([text, places], index) => {
		const more = places.length > 1 ? ` and ${places.length - 1} more` : '';
		return `${index + 1}\t${text.replaceAll('\n', ' / ')}\t${places[0]}${more}`;
	});
	const file = process.env.SIGN_AND_CLOSE_TEXTS!;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${lines.join('\n')}\n`);
});
