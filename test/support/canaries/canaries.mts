/**
 * Secrets that are easy to find, the forms in which a service may give them back, and the search
 * for them. The search knows more forms than the package hides, and finds parts of a secret, too.
 */

/** With signs that links, JSON and base64 write in other ways. */
export const CANARIES = {
	apiKey: 'canary-key-7f/3+Qx9="Zk2mW5pT',
	signingSecret: 'canary-sign-4T8s/+vB1nL6=cRe',
	enteredKey: 'canary-entered-w3B7/p+Y5=tGh1',
	clientSecret: 'canary-oauth-R5j2/H8c"d+K0wyU',
	headerValue: 'canary-header-q7M3z+Y9/b1=gVa',
	authorizationHeader: 'canary-authorization-e4N6/s+D2=',
	callbackSecret: 'canary_callback-X3v9Lr5Wq1Hd7Kb2Jm8Tz6Ns4Pc',
	accessToken: 'canary-access-u2F8hG4k9Vd3',
	socialSecurityNumber: '912-83-7465',
};
export type Canary = keyof typeof CANARIES;

const NUMBER_PARTS = CANARIES.socialSecurityNumber.split('-');

/** Each form in which a service may give a text back. */
export function formsOf(secret: string): Record<string, string> {
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const escaped = [...secret].map(
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return {
		plain: `You sent ${secret}.`,
		base64: base64(secret),
		withinBase64: base64(`x:${secret}:y`),
		withinBase64Url: Buffer.from(`{"k":"${secret}"}`).toString('base64url'),
		inLink: `/path?given=${encodeURIComponent(secret)}&more=1`,
		inLinkInLowerCase: encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
		inJson: JSON.stringify({ headers: { ApiKey: secret } }),
		inJsonInJson: JSON.stringify(JSON.stringify({ ApiKey: secret })),
		escaped: `"${escaped.join('')}"`,
		inTwoLines: `${secret.slice(0, 12)}\r\n ${secret.slice(12)}`,
		inLines: secret.match(/.{1,4}/g)!.join('\n'),
	};
}

/** The forms of a social security number. */
export function numberForms(): Record<string, string | number> {
	const [one, two, three] = NUMBER_PARTS;
	return {
		dashes: `It is ${one}-${two}-${three}.`,
		spaces: `${one} ${two} ${three}`,
		bare: `${one}${two}${three}`,
		number: Number(`${one}${two}${three}`),
		inLink: `?ssn=${one}%20${two}%20${three}&plus=${one}+${two}+${three}`,
		inBase64: Buffer.from(`a${one}-${two}-${three}`).toString('base64'),
		bareInBase64: Buffer.from(`${one}${two}${three}`).toString('base64'),
	};
}

/** This many signs of a canary in a row are a find. */
const PART = 10;
const PARTS = Object.entries(CANARIES)
	.filter(([name]) => name !== 'socialSecurityNumber')
	.map(([name, secret]): [string, string[]] => {
		// What it begins with, "canary-key-", gives nothing away.
		const telling = secret.replace(/^canary[-_][a-z]+[-_]/, '').replace(/\s/g, '');
		const length = Math.min(PART, telling.length);
		return [name, windows(telling, length)];
	});
const NUMBER = new RegExp(NUMBER_PARTS.join('[^0-9A-Za-z]{0,3}'));

/**
 * The canaries in a text, in whatever form, whole or in part.
 * @param more secrets that the test didn't choose, by their names
 */
export function canariesIn(text: string, more: Record<string, string> = {}): string[] {
	const views = viewsOf(text);
	const others = Object.entries(more).map(([name, secret]): [string, string[]] => [
		name,
		windows(secret, PART),
	]);
	const found = [...PARTS, ...others]
		.filter(([, parts]) => views.some((view) => parts.some((part) => view.includes(part))))
		.map(([name]) => name);
	return views.some((view) => NUMBER.test(view)) ? [...found, 'socialSecurityNumber'] : found;
}

/** A text as it is, and with what links, JSON, lines and base64 write decoded. */
function viewsOf(text: string): string[] {
	const unescaped = text
		.replace(/\\+u([0-9a-f]{4})/gi, (_code, digits: string) =>
			String.fromCharCode(parseInt(digits, 16)),
		)
		.replace(/\\+[nrt]/g, '')
		.replace(/\\/g, '');
	const decoded = unescaped.replace(/%([0-9a-f]{2})/gi, (_code, digits: string) =>
		String.fromCharCode(parseInt(digits, 16)),
	);
	const base64 = (text.match(/[\w+/-]{12,}/g) ?? []).map((word) =>
		Buffer.from(word, 'base64').toString('latin1'),
	);
	return [text, decoded, decoded.replace(/\s/g, ''), base64.join('\n')];
}

function windows(text: string, length: number): string[] {
	return Array.from({ length: text.length - length + 1 }, (_, start) =>
		text.slice(start, start + length),
	);
}

/**
 * All texts that can be reached from a value, errors with their causes and hidden fields included.
 * @param leftOut names of fields that are another place
 */
export function textsIn(value: unknown, leftOut: readonly string[] = []): string {
	const seen = new Set<unknown>();
	const texts: string[] = [];
	const walk = (entry: unknown): void => {
		if (typeof entry === 'string' || typeof entry === 'number') texts.push(String(entry));
		if (typeof entry !== 'object' || entry === null || seen.has(entry) || Buffer.isBuffer(entry))
			return;
		seen.add(entry);
		for (const key of Reflect.ownKeys(entry)) {
			if (leftOut.includes(String(key))) continue;
			if (!Array.isArray(entry)) texts.push(String(key));
			walk((entry as Record<PropertyKey, unknown>)[key]);
		}
	};
	walk(value);
	return texts.join('\n\n');
}
