import { toBuffer } from '../syntax/objects';

/* Text strings (7.9.2.2). */

/** The characters of PDFDocEncoding that Latin-1 hasn't there, from 0x18 and from 0x80 on (Annex D.3). */
const ACCENTS = '˘ˇˆ˙˝˛˚˜';
const SIGNS = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€';

const UTF16 = /^(?:\xfe\xff|\xff\xfe)/;

/** Decodes a text string, without the codes of languages in it. */
export function decodeTextString(bytes: Uint8Array): string {
	const buffer = toBuffer(bytes);
	const head = buffer.toString('latin1', 0, 3);
	if (UTF16.test(head)) {
		const text = new TextDecoder(head.startsWith('\xfe') ? 'utf-16be' : 'utf-16le').decode(buffer);
		return text.replace(/\x1b[^\x1b]*\x1b/g, '');
	}
	if (head === '\xef\xbb\xbf') return buffer.toString('utf8', 3);
	return buffer
		.toString('latin1')
		.replace(/[\x18-\x1f]/g, (sign) => ACCENTS[sign.charCodeAt(0) - 0x18])
		.replace(/[\x80-\xa0]/g, (sign) => SIGNS[sign.charCodeAt(0) - 0x80]);
}
