/*
 * Makes texts that hold foreign words fit to be read: names and IDs that somebody entered, and what
 * a service said.
 */

const LONGEST = 4_000;

/** Line ends and other control characters, those of a terminal among them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Characters that turn the direction of what follows, and so hide what a text says. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Halves of characters, which can't be stored. */
const HALVES = /\p{Cs}/gu;
/** What a browser takes for the beginning of an element. */
const ELEMENT = /<(?=[a-z/!?])/gi;

/**
 * Makes a text one line of plain text. n8n shows descriptions and hints as HTML, and others show
 * logs in a terminal, so a foreign text must not become markup or control either.
 * @param maximum how many characters to keep. Of a longer text the middle is left out, because a
 *   sentence of ours surrounds the foreign words
 */
export function toPlainText(text: string, maximum = LONGEST): string {
	const line = shorten(text, maximum * 2)
		.replace(CONTROLS, ' ')
		.replace(DIRECTIONS, '')
		.replace(ELEMENT, '‹');
	return shorten(line, maximum).replace(HALVES, '\uFFFD');
}

/** Decodes what a link writes as percent codes. Any other `%` stays as it is. */
export const decodePercentCodes = (text: string): string =>
	text.replace(/(?:%[\da-f]{2})+/gi, (codes) => {
		try {
			return decodeURIComponent(codes);
		} catch {
			return codes;
		}
	});

function shorten(text: string, maximum: number): string {
	const half = Math.floor(maximum / 2);
	return text.length <= maximum ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}
