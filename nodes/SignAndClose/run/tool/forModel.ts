import type { IDataObject } from 'n8n-workflow';

/* What a model gets to read of an output. */

/**
 * Links, and files in the text of the answer. Whoever has a link of a signer can sign, and a model may
 * repeat in a chat whatever it has read.
 */
const LINK_OR_FILE = /^\s*(https?:|data:)/i;

/** Fields that are a key to something, whatever they hold. */
const KEY_FIELD = /(^|_)(token|links?|ur[il]s?|pin)$/i;

/** From this many characters on, a text without spaces in the letters of base64 is a file. */
const LONG = 1_000;
const BASE64 = /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/;

/** Returns an output without links, pictures and other files. */
export function forModel(json: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(json)
			.filter(([name, value]) => !isHidden(name, value))
			.map(([name, value]) => [name, inside(value)]),
	);
}

function inside(value: IDataObject[string]): IDataObject[string] {
	if (Array.isArray(value))
		return (value as Array<IDataObject[string]>)
			.filter((entry) => !isHidden('', entry))
			.map(inside) as IDataObject[];
	return isObject(value) ? forModel(value) : value;
}

function isHidden(name: string, value: unknown): boolean {
	if (typeof value !== 'string') return KEY_FIELD.test(name) && value !== null && value !== false;
	return (
		KEY_FIELD.test(name) || LINK_OR_FILE.test(value) || (value.length >= LONG && BASE64.test(value))
	);
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !(value instanceof Date);
}
