import { hideInText } from '../../values/secrets';
import { ServiceFailure, type Refusal } from './failure';

/*
 * Reads what the service says in an answer that isn't a success. Pure, so that tests pin it to
 * every body shape that was seen (docs/service/errors.md#error-bodies).
 */

/** A field that gives access, up to its value. JSON within JSON has backslashes. */
const BEARER =
	/((?:sdk_token|transaction_access_link|signing_key|client_secret)["'\\]*\s*[:=]\s*\[?["'\\]*)(?:[^\s"',;}\]\\]|\\\/)+/gi;
/** A field with a social security number, up to the number. */
const NUMBER =
	/((?:ssn|social_security_number)["'\\]*\s*[:=]\s*\[?["'\\]*)\d{3}[\s.-]?\d\d[\s.-]?\d{4}/gi;
/** A link: its protocol, its user, its host and path, its query. */
const LINK =
	/(https?:(?:\\?\/){2})(?:[^\s"'<>/?#@\\]*@)?((?:[^\s"'<>?#\\]|\\\/)*)(?:[?#](?:[^\s"'<>\\]|\\\/)*)?/gi;

const LONGEST_TEXT = 600;
const MOST_TEXTS = 10;
const DEEPEST = 4;

/** Keys under which bodies say what is wrong, the most telling first. `message` is often general. */
const SAYING = [
	'errors',
	'error',
	'fault',
	'invalid-params',
	'detail',
	'details',
	'reason',
	'error_description',
	'description',
	'error_message',
	'errormessage',
	'faultstring',
	'message',
	'msg',
];
/** Keys under which a single complaint names the field that it is about. */
const NAMING = ['field', 'name', 'param', 'parameter', 'attribute'];

/**
 * Collects the texts of an answer's body, whatever its shape: `{errors: [...]}`, `{errors: {field:
 * text | [text]}}`, `{message}`, `{error}`, a bare text (docs/service/errors.md#error-bodies), and
 * those that gateways and storages write: `{detail}`, `{reason}`, problem+json, XML.
 * @param clean removes secrets from a text, before a cut could leave a part of one
 * @returns each text once, in one line; web pages are left out
 */
export function extractMessages(
	body: unknown,
	clean: (text: string) => string = (text) => text,
): string[] {
	const found: string[] = [];
	collect(typeof body === 'string' ? (textOfXml(body) ?? body) : body, '', found, 0);
	return [...new Set(found.map((text) => toOneLine(clean(text))).filter((text) => text !== ''))];
}

/**
 * Whether the body of a success names an error all the same. Its `message` doesn't count: a service
 * says there, too, what it did (docs/service/errors.md#error-bodies).
 */
export function namesError(body: unknown): boolean {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
	const { errors, error } = body as Record<string, unknown>;
	return extractMessages({ errors, error }).length > 0;
}

/**
 * Reads code and text of the XML with which a storage refuses a link. Its other elements show how
 * the link was signed.
 */
function textOfXml(body: string): string | undefined {
	if (!/^\s*(<\?xml[^>]*>\s*)?<Error\b/.test(body)) return undefined;
	const parts = ['Code', 'Message'].map((name) =>
		new RegExp(`<${name}>([^<]*)</${name}>`)
			.exec(body)?.[1]
			.replace(/&(amp|lt|gt|quot|apos);/g, (_entity, entity: string) => ENTITIES[entity]),
	);
	return parts.filter((part) => part !== undefined && part !== '').join(': ') || undefined;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function collect(value: unknown, field: string, found: string[], depth: number): void {
	if (depth > DEEPEST || found.length >= MOST_TEXTS || value === null || value === undefined)
		return;
	if (typeof value === 'string' || typeof value === 'number') {
		// The key "request" stands for the whole request, which tells a person nothing.
		found.push(field === '' || field === 'request' ? String(value) : `${field}: ${value}`);
	} else if (Array.isArray(value)) {
		for (const entry of value) collect(entry, field, found, depth + 1);
	} else if (typeof value === 'object') {
		collectObject(value as Record<string, unknown>, field, found, depth);
	}
}

/** Collects what an object says; the entries of one that says nothing are fields by name. */
function collectObject(
	record: Record<string, unknown>,
	field: string,
	found: string[],
	depth: number,
): void {
	const before = found.length;
	const named = NAMING.map((key) => record[key]).find((name) => typeof name === 'string');
	// Gateways write their names in other letters: Message.
	const byName = new Map(Object.entries(record).map(([key, said]) => [key.toLowerCase(), said]));
	for (const key of SAYING) {
		const said = byName.get(key);
		if (key === 'errors' && isPlainObject(said)) collectFields(said, field, found, depth + 1);
		else collect(said, named ?? field, found, depth + 1);
	}
	if (found.length > before) return;
	if (typeof record.title === 'string') found.push(record.title);
	else if (depth > 0) collectFields(record, field, found, depth);
}

function collectFields(
	record: Record<string, unknown>,
	field: string,
	found: string[],
	depth: number,
): void {
	for (const [key, entry] of Object.entries(record))
		collect(entry, key === 'message' ? field : key, found, depth + 1);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How HTML and XML begin. Other texts may begin with `<` too, e.g. `<jane@example.com> is taken`. */
const PAGE =
	/^\s*<(?:!doctype|!--|\?xml|(?:html|head|body|title|meta|script|style|div|span|section|main|center|table|pre|form|font|h[1-6]|p|br|hr|b|i|a|img|ul|ol)(?=[\s/>]))/i;
/** XML that is one element, from its beginning to its end. */
const ELEMENT = /^\s*<([a-z][\w:.-]*)(?:\s[^<>]*)?(?:\/>|>[^]*<\/\1\s*>)\s*$/i;

/** One line of a text, cut when it is long; empty when the text is a web page. */
function toOneLine(text: string): string {
	if (PAGE.test(text) || ELEMENT.test(text)) return '';
	// n8n's lint forbids control characters in a pattern, so their Unicode class is named instead.
	const line = withoutBearers(text)
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/**
 * Creates the failure for an answer that isn't a success (docs/service/errors.md#statuses).
 * @param body the parsed JSON, or the text when it isn't JSON
 */
export function toRefusal(
	body: unknown,
	{ trace, ...facts }: Omit<Refusal, 'code' | 'said'>,
): ServiceFailure {
	const { status } = facts;
	const reason: Refusal = {
		...facts,
		code: 'refused',
		said: extractMessages(body),
		structured: typeof body === 'object' && body !== null,
		...(trace !== undefined && { trace: toOneLine(trace) }),
	};
	const final = status < 500 && status !== 429 && status !== 408;
	return new ServiceFailure(reason, { httpStatus: status, final });
}

/** Creates the failure for a success whose body isn't what the interface promises. */
export function unexpectedAnswer(status: number): ServiceFailure {
	return new ServiceFailure({ code: 'unexpectedAnswer' }, { httpStatus: status });
}

/**
 * Removes secrets from a text that came from outside, because a service may echo what it was sent
 * or what it answered.
 * @param secrets texts to remove, besides what gives access to whoever has it
 */
export function redact(text: string, secrets: readonly string[]): string {
	return hideInText(withoutBearers(text), secrets);
}

/**
 * Removes what gives access to whoever has it: a signer's link and token
 * (docs/service/signers.md#signer-answer), and the user and the query of any link, which sign it.
 */
function withoutBearers(text: string): string {
	return text.replace(BEARER, '$1***').replace(NUMBER, '$1***').replace(LINK, '$1$2');
}
