/*
 * Finds and hides secrets. Two places use it: texts of failures, and everything that the nodes
 * output. A service may echo what it was sent, in any field and in another form.
 */

/** What stands for a secret. */
const HIDDEN = '***';

/** A secret that texts are searched for, in one of its forms. */
type Needle = string | RegExp;

/** Signs between the parts of a social security number: 123-45-6789, 123 45 6789, 123%2045%206789. */
const BETWEEN = String.raw`(?:[\s.+\-/\u2010-\u2015]|%20|%2[BDbd]){0,3}`;
const NINE_DIGITS = /^(\d{3})(\d\d)(\d{4})$/;

/**
 * The forms in which a secret may come back: as it is, in capitals or small letters, as JSON and
 * links write it, over several lines, in base64, and a number of nine digits with or without signs
 * between its parts or its leading zeros.
 */
function buildNeedles(secret: string): Needle[] {
	const parts = NINE_DIGITS.exec(secret)?.slice(1);
	if (parts !== undefined)
		return [
			new RegExp(parts.join(BETWEEN), 'g'),
			// As a number it loses its leading zeros.
			...(secret.startsWith('0') ? [new RegExp(`(?<!\\d)${Number(secret)}(?!\\d)`, 'g')] : []),
			...['', '-', ' '].flatMap((sign) => listBase64Forms(parts.join(sign))),
		];
	return [buildPattern(secret), ...listCases(secret).flatMap(listBase64Forms)];
}

/** The line ends that may cut a text into lines, in JSON as well. */
const LINE_END = String.raw`(?:\s|\\+[nrt])*`;

/**
 * Finds a secret in capitals or small letters, one whose characters JSON or links have escaped, and
 * one that is cut into lines.
 */
function buildPattern(secret: string): RegExp {
	const characters = Array.from(secret, (character) => {
		const forms = listCases(character).flatMap((form) => [
			(/["/\\]/.test(form) ? String.raw`\\*` : '') +
				form.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`),
			Buffer.from(form).toString('hex').replace(/../g, '%$&'),
			Array.from({ length: form.length }, (_, index) => {
				const code = form.charCodeAt(index).toString(16).padStart(4, '0');
				return String.raw`\\+u${code}`;
			}).join(''),
		]);
		return `(?:${forms.join('|')})`;
	});
	return new RegExp(characters.join(LINE_END), 'gi');
}

/** A text as it is, in capitals and in small letters. */
const listCases = (text: string) => [...new Set([text, text.toUpperCase(), text.toLowerCase()])];

/**
 * What base64 makes of a secret. The text before it decides how it's cut into groups of three bytes,
 * so there are three forms; the characters at their ends depend on what stands beside the secret.
 */
function listBase64Forms(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const forms = [0, 1, 2].flatMap((before) => {
		const all = Buffer.concat([Buffer.alloc(before), bytes]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return [all.toString('base64'), all.toString('base64url')].map((form) =>
			form.slice(start, end),
		);
	});
	return [...new Set(forms)];
}

/** The needles of secrets that were made, by the list that has them: a run asks for the same list often. */
const made = new WeakMap<readonly string[], Map<string, Needle[]>>();

/**
 * The needles of several secrets, the longest first: one secret can be the beginning of another.
 * @param shortest the fewest characters of a secret that is searched for
 */
function listNeedles(secrets: readonly string[], shortest: number): Needle[] {
	const needlesBySecret = made.get(secrets) ?? new Map<string, Needle[]>();
	made.set(secrets, needlesBySecret);
	for (const secret of secrets)
		if (!needlesBySecret.has(secret)) needlesBySecret.set(secret, buildNeedles(secret));
	return secrets
		.filter((secret) => secret.length >= shortest)
		.sort((left, right) => right.length - left.length)
		.flatMap((secret) => needlesBySecret.get(secret) ?? []);
}

function without(text: string, needles: readonly Needle[]): string {
	let clean = text;
	for (const needle of needles)
		if (typeof needle !== 'string') clean = clean.replace(needle, HIDDEN);
		else if (clean.includes(needle)) clean = clean.split(needle).join(HIDDEN);
	return clean;
}

/** Shorter ones could be words of the text. */
const SHORTEST_IN_TEXTS = 4;

/**
 * Hides secrets in the text of a failure.
 * @param secrets those shorter than four characters stay
 */
export function hideInText(text: string, secrets: readonly string[]): string {
	return without(text, listNeedles(secrets, SHORTEST_IN_TEXTS));
}

/** Fields whose value is a secret (docs/service/webhooks.md#webhook-fields, docs/service/documents.md#document-fields). */
const SECRET_FIELD = /^(signing_?key|client_?secret|authorization_?header|api_?key)$/i;
/** Fields with a social security number (docs/service/closings.md#enote-fields). */
const NUMBER_FIELD = /^(ssn|social_?security(_?number)?)$/i;
/** Digits of a social security number that may be shown. */
const SHOWN_DIGITS = 4;
/**
 * The shortest secret that outputs are searched for. A shorter one, such as a signing key "1234",
 * could be a part of any number or word, which the next node needs as it is.
 */
const SHORTEST_IN_OUTPUTS = 8;

/** Deeper levels are hidden as a whole. No answer has as many. */
const DEEPEST = 200;

/**
 * Hides secrets in an output: in all of its texts and names, and the values of fields that hold a
 * secret by their name. Files, which are base64, are searched like any text.
 * @param secrets the API key, the signing key, and what was entered as a secret
 * @returns the same object when there is nothing to hide
 */
export function hideSecrets<T>(value: T, secrets: readonly string[]): T {
	const needles = listNeedles(secrets, SHORTEST_IN_OUTPUTS);
	const numbers = new Set(secrets.filter((secret) => NINE_DIGITS.test(secret)).map(Number));
	/** The names of fields as they are shown: there are few of them, and each comes often. */
	const names = new Map<string, string>();
	const hideInName = (name: string) => {
		const result = names.get(name) ?? without(name, needles);
		names.set(name, result);
		return result;
	};
	const hide = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string')
			return value.length < SHORTEST_IN_OUTPUTS ? value : without(value, needles);
		if (typeof value === 'number') return numbers.has(value) ? HIDDEN : value;
		if (typeof value !== 'object' || value === null) return value;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(value)) {
			const result = value.map((entry) => hide(entry, depth + 1));
			return result.every((entry, index) => entry === value[index]) ? value : result;
		}
		if (!isPlain(value)) return value;
		let isSame = true;
		const result = Object.entries(value).map(([name, entry]) => {
			const hidden = isSecret(name, entry) ? HIDDEN : hide(entry, depth + 1);
			isSame &&= hidden === entry && hideInName(name) === name;
			return [hideInName(name), hidden];
		});
		return isSame ? value : (Object.fromEntries(result) as unknown);
	};
	return hide(value, 0) as T;
}

/** Whether a value is an object without a class; others, e.g. dates, hold no text of the service. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSecret(name: string, value: unknown): boolean {
	if (value === null || value === undefined || value === '' || typeof value === 'boolean')
		return false;
	return SECRET_FIELD.test(name)
		? value !== HIDDEN
		: NUMBER_FIELD.test(name) && String(value).replace(/\D/g, '').length > SHOWN_DIGITS;
}
