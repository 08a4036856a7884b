/** Values that look like chance, but are the same for the same text. */

/** A whole number from 0. */
export function numberOf(text: string, seed = 0): number {
	let hash = 0x811c9dc5 ^ seed;
	for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
	return (hash ^ (hash >>> 13)) >>> 0;
}

/** Small letters and digits. */
export function lettersOf(text: string, length: number, seed = 0): string {
	let letters = '';
	for (let part = 0; letters.length < length; part++)
		letters += numberOf(`${text}#${part}`, seed).toString(36);
	return letters.slice(0, length);
}

/** A text in the form of a UUID. */
export function uuidOf(text: string, seed = 0): string {
	const hex = Array.from({ length: 4 }, (_, part) =>
		numberOf(`${text}#${part}`, seed).toString(16).padStart(8, '0'),
	).join('');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
