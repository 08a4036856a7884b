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
const SOCIAL_SECURITY_NUMBER = /^(\d{3})(\d\d)(\d{4})$/;

/**
 * The forms in which a secret may come back: as it is, as JSON and links write it, over several
 * lines, in base64, and a number of nine digits with or without signs between its parts or its
 * leading zeros.
 */
function needlesOf(secret: string): Needle[] {
	const parts = SOCIAL_SECURITY_NUMBER.exec(secret)?.slice(1);
	if (parts !== undefined)
		return [
			new RegExp(parts.join(BETWEEN), 'g'),
			// As a number it loses its leading zeros.
			...(secret.startsWith('0') ? [new RegExp(`(?<!\\d)${Number(secret)}(?!\\d)`, 'g')] : []),
			...['', '-', ' '].flatMap((sign) => base64Of(parts.join(sign))),
		];
	return [secret, writtenDifferently(secret), ...base64Of(secret)];
}

/** The line ends that may cut a text into lines, in JSON as well. */
const LINE_END = String.raw`(?:\s|\\+[nrt])*`;

/** Finds a secret whose characters JSON or links have escaped, and one that is cut into lines. */
function writtenDifferently(secret: string): RegExp {
	const characters = Array.from(secret, (character) => {
		const plain = character.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`);
		const escaped = Array.from({ length: character.length }, (_, index) => {
			const code = character.charCodeAt(index).toString(16).padStart(4, '0');
			return String.raw`\\+u` + inAnyCase(code);
		}).join('');
		return `(?:${/["/\\]/.test(character) ? String.raw`\\*` : ''}${plain}|${inAnyCase(percent(character))}|${escaped})`;
	});
	return new RegExp(characters.join(LINE_END), 'g');
}

/** A pattern for hexadecimal digits in upper or lower case. */
function inAnyCase(digits: string): string {
	return digits.replace(/[a-f]/gi, (digit) => `[${digit.toUpperCase()}${digit.toLowerCase()}]`);
}

function percent(character: string): string {
	return [...Buffer.from(character)]
		.map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
		.join('');
}

/**
 * What base64 makes of a secret. The text before it decides how it's cut into groups of three bytes,
 * so there are three forms; the characters at their ends depend on what stands beside the secret.
 */
function base64Of(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const forms = [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), bytes]);
		return all
			.toString('base64')
			.slice(Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3));
	});
	return [...new Set(forms.flatMap((form) => [form, toUrlAlphabet(form)]))];
}

const toUrlAlphabet = (form: string) => form.replace(/\+/g, '-').replace(/\//g, '_');

/**
 * Makes the needles of several secrets, the longest first: one secret can be the beginning of
 * another. A run searches each of its items for the same list, so the needles of a secret are made
 * once, when it's new in the list.
 * @param shortest the fewest characters of a secret that is searched for
 */
function needlesFrom(shortest: number): (secrets: readonly string[]) => Needle[] {
	const known = new WeakMap<readonly string[], Map<string, Needle[]>>();
	return (secrets) => {
		const made = known.get(secrets) ?? new Map<string, Needle[]>();
		known.set(secrets, made);
		return secrets
			.filter((secret) => secret.length >= shortest)
			.sort((one, other) => other.length - one.length)
			.flatMap((secret) => {
				const needles = made.get(secret) ?? needlesOf(secret);
				made.set(secret, needles);
				return needles;
			});
	};
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
const needlesForTexts = needlesFrom(SHORTEST_IN_TEXTS);

/**
 * Hides secrets in the text of a failure.
 * @param secrets those shorter than four characters stay
 */
export function hideInText(text: string, secrets: readonly string[]): string {
	return without(text, needlesForTexts(secrets));
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
const needlesForOutputs = needlesFrom(SHORTEST_IN_OUTPUTS);

/**
 * Hides secrets in an output: in all of its texts and names, and the values of fields that hold a
 * secret by their name. Files, which are base64, are searched like any text.
 * @param secrets the API key, the signing key, and what was entered as a secret
 * @returns the same object when there is nothing to hide
 */
export function hideSecrets<T>(value: T, secrets: readonly string[]): T {
	const numbers = secrets.filter((secret) => SOCIAL_SECURITY_NUMBER.test(secret)).map(Number);
	return new Hiding(needlesForOutputs(secrets), new Set(numbers)).hide(value, 0) as T;
}

/** Deeper levels are hidden as a whole. No answer has as many. */
const DEEPEST = 200;

/** One search through an output. Most have no secret, so nothing is copied before one is found. */
class Hiding {
	/** What the names of fields are: there are few of them, and each comes often. */
	private readonly names = new Map<
		string,
		{ shown: string; kind: 'secret' | 'number' | 'other' }
	>();

	constructor(
		private readonly needles: readonly Needle[],
		private readonly numbers: ReadonlySet<number>,
	) {}

	hide(value: unknown, depth: number): unknown {
		if (typeof value === 'string')
			return value.length < SHORTEST_IN_OUTPUTS ? value : without(value, this.needles);
		if (typeof value === 'number') return this.numbers.has(value) ? HIDDEN : value;
		if (typeof value !== 'object' || value === null) return value;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(value)) return this.list(value, depth);
		return isPlain(value) ? this.fields(value, depth) : value;
	}

	private list(value: unknown[], depth: number): unknown[] {
		let copy: unknown[] | undefined;
		for (let index = 0; index < value.length; index++) {
			const shown = this.hide(value[index], depth + 1);
			if (shown !== value[index]) (copy ??= [...value])[index] = shown;
		}
		return copy ?? value;
	}

	private fields(value: Record<string, unknown>, depth: number): Record<string, unknown> {
		const names = Object.keys(value);
		let copy: Array<[string, unknown]> | undefined;
		for (let index = 0; index < names.length; index++) {
			const name = names[index];
			const shown = this.nameOf(name).shown;
			const field = this.field(name, value[name], depth);
			if (shown !== name || field !== value[name])
				copy ??= names.slice(0, index).map((before) => [before, value[before]]);
			copy?.push([shown, field]);
		}
		return copy === undefined ? value : Object.fromEntries(copy);
	}

	private field(name: string, value: unknown, depth: number): unknown {
		const { kind } = this.nameOf(name);
		return kind !== 'other' && isSecret(kind, value) ? HIDDEN : this.hide(value, depth + 1);
	}

	private nameOf(name: string): { shown: string; kind: 'secret' | 'number' | 'other' } {
		let known = this.names.get(name);
		if (known === undefined) {
			const kind = SECRET_FIELD.test(name)
				? 'secret'
				: NUMBER_FIELD.test(name)
					? 'number'
					: 'other';
			known = { shown: without(name, this.needles), kind };
			this.names.set(name, known);
		}
		return known;
	}
}

/** Whether a value is an object without a class; others, e.g. dates, hold no text of the service. */
function isPlain(value: object): value is Record<string, unknown> {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSecret(kind: 'secret' | 'number', value: unknown): boolean {
	if (value === null || value === undefined || value === '' || typeof value === 'boolean')
		return false;
	return kind === 'secret'
		? value !== HIDDEN
		: String(value).replace(/\D/g, '').length > SHOWN_DIGITS;
}
