import { findEnding, guessTypeByName } from './fileFormats';

/* Names under which files can be stored everywhere. */

/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=[. ]|$)/i;
const MOST_CHARACTERS = 120;
/** File systems take up to 255 bytes, and a character has up to four. */
const MOST_BYTES = 240;

/**
 * Makes a name that is safe as a file name everywhere: no folders, no reserved characters or names,
 * no dot or space at its end, at most 120 characters and 240 bytes, and the ending of its type.
 * @param room how many characters to leave for what comes behind it
 */
export function toSafeFileName(name: string, ending: string, room = ending.length): string {
	const clean = name
		.slice(0, 10 * MOST_CHARACTERS)
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\s<>:"/\\|?*]+/gu, ' ')
		.replace(/^[. ]+|[. ]+$/g, '')
		.replace(DEVICES, '_$&');
	const stem = clean.toLowerCase().endsWith(ending)
		? clean.slice(0, clean.length - ending.length)
		: clean;
	const characters = [...(stem || 'file')].slice(0, MOST_CHARACTERS - room);
	while (Buffer.byteLength(characters.join('')) > MOST_BYTES - room) characters.pop();
	const whole = `${characters.join('')}${ending}`;
	// A name that was cut may end in what Windows takes away.
	return whole.replace(/[. ]+$/, '');
}

/** Room for an ending, and for a number that tells a name from others. */
const ROOM = 24;

/**
 * The names of one folder. No two of them are the same to any file system, whatever case and forms of
 * letters it ignores, and whichever format a file turns out to have.
 */
export class DistinctNames {
	private readonly taken = new Set<string>();

	/** Keeps the name of a file that is there already. */
	keep(name: string): void {
		this.taken.add(buildNameKey(name));
	}

	/**
	 * Makes a safe name that no other file has, with a number if it needs one.
	 * @param ending the ending that the file keeps if nobody knows its format, with its dot
	 * @returns the name with that ending, and without those of formats that are known
	 */
	make(name: string, ending = ''): string {
		const stem = toSafeFileName(withoutEnding(toSafeFileName(name, '')), '', ROOM);
		const isTaken = (candidate: string) => this.taken.has(buildNameKey(candidate));
		let distinct = stem;
		for (let number = 2; isTaken(distinct) || isTaken(distinct + ending); number++)
			distinct = `${stem} (${number})`;
		for (const candidate of [distinct, distinct + ending]) this.keep(candidate);
		return distinct + ending;
	}
}

/** What two names have in common that a file system may take for the same. */
function buildNameKey(name: string): string {
	return withoutEnding(name).normalize('NFKC').toUpperCase().toLowerCase();
}

/** A name without the endings of known formats. */
export function withoutEnding(name: string): string {
	const ending = findEnding(guessTypeByName(name));
	return ending === '' ? name : withoutEnding(name.slice(0, name.length - ending.length));
}
