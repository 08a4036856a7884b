import { ServiceFailure, type Refusal } from './failure';

/*
 * Reads what the service says in an answer that isn't a success. Pure, so that tests pin it to
 * every body shape that was seen (docs/service/errors.md#error-bodies).
 */

const LONGEST_TEXT = 600;
const MOST_TEXTS = 10;
const DEEPEST = 4;

/**
 * Collects the texts of an answer's body, whatever its shape: `{errors: [...]}`, `{errors: {field:
 * text | [text]}}`, `{message}`, `{error}`, a bare text (docs/service/errors.md#error-bodies).
 * @returns each text once, in one line; web pages are left out
 */
export function extractMessages(body: unknown): string[] {
	const found: string[] = [];
	collect(body, '', found, 0);
	return [...new Set(found.map(toOneLine).filter((text) => text !== ''))];
}

function collect(value: unknown, field: string, found: string[], depth: number): void {
	if (depth > DEEPEST || found.length >= MOST_TEXTS || value === null || value === undefined)
		return;
	if (typeof value === 'string' || typeof value === 'number') {
		// The key "request" stands for the whole request, which tells a person nothing.
		found.push(field === '' || field === 'request' ? String(value) : `${field}: ${value}`);
	} else if (Array.isArray(value)) {
		for (const entry of value) collect(entry, field, found, depth + 1);
	} else if (typeof value === 'object') {
		const record = value as Record<string, unknown>;
		if (depth === 0) {
			// `message` is general where there are `errors`, so the errors come first.
			for (const key of ['errors', 'error', 'message']) collect(record[key], '', found, depth + 1);
		} else {
			for (const [key, entry] of Object.entries(record))
				collect(entry, key === 'message' ? field : key, found, depth + 1);
		}
	}
}

/** One line of a text, cut when it is long; empty when the text is a web page. */
function toOneLine(text: string): string {
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(text)) return '';
	// n8n's lint forbids control characters in a pattern, so their Unicode class is named instead.
	const line = text
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
 * Removes secrets from a text that came from outside, because a service may echo what it was sent.
 */
export function redact(text: string, secrets: readonly string[]): string {
	let clean = text;
	for (const secret of secrets) {
		// A shorter secret could be a word of the text.
		if (secret.length >= 4) clean = clean.split(secret).join('***');
	}
	return clean;
}
