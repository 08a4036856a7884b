import { toBuffer } from './objects';

/* Text strings (7.9.2.2). */

/** Characters with their codes from a first one on. */
const listCharacters = (first: number, characters: string) =>
	[...characters].map((character, index): [number, string] => [first + index, character]);

/** The characters of PDFDocEncoding that Latin-1 hasn't there, from 0x18 and from 0x80 on (Annex D.3). */
const CHARACTERS = new Map([
	...listCharacters(0x18, '˘ˇˆ˙˝˛˚˜'),
	...listCharacters(0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€'),
]);

/** Begins and ends the code of a language. */
const ESCAPE = String.fromCharCode(0x1b);

const UTF16 = /^(?:\xfe\xff|\xff\xfe)/;

/** Decodes a text string, without the codes of languages in it. */
export function decodeTextString(bytes: Uint8Array): string {
	const buffer = toBuffer(bytes);
	const head = buffer.toString('latin1', 0, 3);
	if (UTF16.test(head)) {
		const text = new TextDecoder(head.startsWith('\xfe') ? 'utf-16be' : 'utf-16le').decode(buffer);
		return text
			.split(ESCAPE)
			.filter((_, index) => index % 2 === 0)
			.join('');
	}
	if (head === '\xef\xbb\xbf') return buffer.toString('utf8', 3);
	return [...bytes].map((code) => CHARACTERS.get(code) ?? String.fromCharCode(code)).join('');
}
