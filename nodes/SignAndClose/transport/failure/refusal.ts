import type { IDataObject } from 'n8n-workflow';

import { asObject, isObject, parseIfJson } from '../../values/json';
import { hideInText } from '../../values/secrets';
import { getHeader, type Answer } from '../http/answer';
import { readRequestedPause } from '../http/retry';
import { mayPass, OK } from '../http/statuses';
import {
	ServiceFailure,
	type IdName,
	type Refusal,
	type RefusalFacts,
	type RefusedCall,
} from './failure';

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

/** What a storage says in XML. Its other elements show how the link was signed. */
const STORAGE = /<Error\b[^]*?<Code>([^<]*)<[^]*?<Message>([^<]*)</;
/** How pages begin, and other XML ends: `<jane@example.com> is taken` is neither. */
const PAGE = /^\s*<(?:[!?]|(?:html|head|body|title|h\d|p|pre|center)\b|[^]*>\s*$)/i;

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
	const [, code, message] = (typeof body === 'string' && STORAGE.exec(body)) || [];
	const texts = collectTexts(code === undefined ? body : `${code}: ${message}`);
	const lines = texts.slice(0, MOST_TEXTS).map((text) => toOneLine(clean(text)));
	return [...new Set(lines.filter((line) => line !== ''))];
}

/**
 * Whether the body of a success names an error all the same. Its `message` doesn't count: a service
 * says there, too, what it did (docs/service/errors.md#error-bodies).
 */
export function namesError(body: unknown): boolean {
	const { errors, error } = asObject(body);
	return extractMessages({ errors, error }).length > 0;
}

/** The texts in a value, each with the name of the field that it is about. */
function collectTexts(value: unknown, field = '', depth = 0): string[] {
	if (depth > DEEPEST) return [];
	if (typeof value === 'string' || typeof value === 'number')
		// The key "request" stands for the whole request, which tells a person nothing.
		return [field === '' || field === 'request' ? String(value) : `${field}: ${value}`];
	if (Array.isArray(value)) return value.flatMap((entry) => collectTexts(entry, field, depth + 1));
	if (!isObject(value)) return [];
	const about = NAMING.map((key) => value[key]).find((name) => typeof name === 'string') ?? field;
	// Gateways write their names in other letters: Message.
	const byName = new Map(
		Object.entries(value).map(([key, messages]) => [key.toLowerCase(), messages]),
	);
	const messages = SAYING.flatMap((key) => {
		const texts = byName.get(key);
		return key === 'errors' && isObject(texts)
			? collectFields(texts, field, depth + 1)
			: collectTexts(texts, about, depth + 1);
	});
	if (messages.length > 0) return messages;
	if (typeof value.title === 'string') return [value.title];
	// The entries of an object that says nothing are fields by name.
	return depth > 0 ? collectFields(value, field, depth) : [];
}

function collectFields(fields: IDataObject, field: string, depth: number): string[] {
	return Object.entries(fields).flatMap(([key, entry]) =>
		collectTexts(entry, key === 'message' ? field : key, depth + 1),
	);
}

/** One line of a text, cut when it is long; empty when the text is a web page. */
function toOneLine(text: string): string {
	if (PAGE.test(text)) return '';
	// n8n's lint forbids control characters in a pattern, so their Unicode class is named instead.
	const line = withoutBearers(text)
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
	return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/**
 * Creates the failure for an answer that isn't a success.
 * @param path the IDs in the path; the last one is what the call was about
 * @param clean removes secrets from the body and the headers
 */
export function readRefusal(
	answer: Answer,
	{ path = {}, ...call }: RefusedCall & { path?: { [name in IdName]?: string } },
	clean: (text: string) => string,
): ServiceFailure {
	const { status, headers, body } = answer;
	const [subject] = Object.entries(path).reverse();
	const location = getHeader(headers, 'location') ?? '';
	const trace = getHeader(headers, 'x-amz-trace-id');
	return toRefusal(parseIfJson(typeof body === 'string' ? clean(body) : body), {
		status,
		subject: subject && { name: subject[0] as IdName, id: subject[1] },
		redirectHost: URL.canParse(location) ? new URL(location).host : undefined,
		retryAfterMs: readRequestedPause(answer, Date.now()),
		trace: trace && toOneLine(clean(trace)),
		...call,
	});
}

/**
 * Creates the failure for an answer that isn't a success (docs/service/errors.md#statuses).
 * @param body the parsed JSON, or the text when it isn't JSON
 */
export function toRefusal(body: unknown, facts: RefusalFacts): ServiceFailure {
	const { status } = facts;
	const reason: Refusal = {
		...facts,
		code: 'refused',
		details: extractMessages(body),
		structured: typeof body === 'object' && body !== null,
	};
	return new ServiceFailure(reason, { httpStatus: status, final: !mayPass(status) });
}

/** Creates the failure for a success whose body isn't what the interface promises. */
export function buildUnexpectedAnswer(status = OK): ServiceFailure {
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
