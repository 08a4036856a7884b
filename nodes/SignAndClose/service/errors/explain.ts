import { ServiceFailure } from './failure';

/**
 * Any answer -> what happened, what the service said, what to do. Pure, so that tests pin it to
 * every body shape of gaps.md §9.
 */

const LONGEST_TEXT = 600;

/** Service texts that deserve a remedy of our own (gaps.md §9). */
const REMEDIES: Array<[RegExp, string]> = [
	[/need at least 1 signer/i, "Add a signer with an e-mail address in 'Signer'"],
	[/customer email not present/i, "Fill in the 'Email' of every signer"],
	[
		/no signer designations/i,
		"Add 'Designations' to the documents that are only signed, so that the service knows where",
	],
	[
		/transaction has expired/i,
		'Create the transaction anew, or set a later expiry while it is a draft',
	],
	[
		/enote required/i,
		"Add the eNote with 'eNote: Add' before sending, or set 'Paper Note Consent'",
	],
	[/invalid value for transaction_type/i, "Choose a 'Transaction Type' from the list"],
	[/typo in domain name/i, "Correct the signer's 'Email'"],
	[/file is too big/i, 'Split the file or reduce its size; the service takes files up to 30 MB'],
	[
		/already been completed by at least 1 signer/i,
		'A signer has finished, so this can no longer be changed',
	],
	[/cannot be edited at this time/i, 'Recall the transaction to a draft first, then change it'],
	[/invalid subscription/i, "Choose events in 'Trigger On' that this service offers"],
];

/**
 * The texts of an answer's body, whatever its shape: {errors: [..]}, {errors: {field: text |
 * [text]}}, {message}, {error}, a bare string (gaps.md §9).
 */
export function extractMessages(body: unknown): string[] {
	const found: string[] = [];
	collect(body, '', found, 0);
	return [...new Set(found.map(tidy).filter((text) => text !== ''))];
}

function collect(value: unknown, field: string, found: string[], depth: number): void {
	if (depth > 4 || found.length >= 10 || value === null || value === undefined) return;
	if (typeof value === 'string' || typeof value === 'number') {
		// "request" names the whole request, which tells a person nothing.
		found.push(field === '' || field === 'request' ? String(value) : `${field}: ${value}`);
	} else if (Array.isArray(value)) {
		for (const entry of value) collect(entry, field, found, depth + 1);
	} else if (typeof value === 'object') {
		const record = value as Record<string, unknown>;
		if (depth === 0) {
			// A message beside errors is general; the errors tell.
			for (const key of ['errors', 'error', 'message']) collect(record[key], '', found, depth + 1);
		} else {
			for (const [key, entry] of Object.entries(record))
				collect(entry, key === 'message' ? field : key, found, depth + 1);
		}
	}
}

function tidy(text: string): string {
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(text)) return '';
	// eslint's no-control-regex is why this is written with a class of its own.
	const line = text
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

export interface AnswerFacts {
	status: number;
	/** Parsed JSON where it was JSON, else the text. */
	body: unknown;
	/** Display name of the parameter that holds the id in the path, with the id. */
	subject?: { label: string; id: string };
	/** Where a 3xx points to, host only. */
	redirectHost?: string;
	/** Milliseconds the service asks to wait. */
	retryAfterMs?: number;
	/** X-Amz-Trace-Id: what the service's support asks for (gaps.md §9). */
	trace?: string;
	/** Attempts made. */
	attempts: number;
	/** The interface document has no such path: a service may lack it. */
	undocumented?: boolean;
}

/**
 * Turns an answer that is no success into a failure with its remedy (interface.md §7, gaps.md §9).
 */
export function explainAnswer(facts: AnswerFacts): ServiceFailure {
	const said = extractMessages(facts.body);
	const own = said
		.map((text) => REMEDIES.find(([pattern]) => pattern.test(text))?.[1])
		.find((remedy) => remedy !== undefined);
	const { happened, remedy } = describeStatus(facts, said);
	const parts = [own ?? remedy];
	if (said.length > 0 && !happened.includes(said[0]))
		parts.push(`The service said: ${said.join('; ')}`);
	if (facts.attempts > 1) parts.push(`Tried ${facts.attempts} times`);
	if (facts.trace !== undefined)
		parts.push(`Quote this to the service's support: ${tidy(facts.trace)}`);
	return new ServiceFailure(happened, {
		remedy: parts.join('. '),
		httpStatus: facts.status,
		parameter: facts.status === 404 ? facts.subject?.label : undefined,
		final: facts.status < 500 && facts.status !== 429 && facts.status !== 408,
	});
}

function describeStatus(facts: AnswerFacts, said: string[]): { happened: string; remedy: string } {
	const { status, subject } = facts;
	const reason = said.length > 0 ? `: ${said[0]}` : '';
	if (status >= 300 && status < 400) {
		return {
			happened: 'The service answered with a redirect',
			remedy: `Check 'Base URL' in the credential: it points to an address that forwards${facts.redirectHost ? ` to ${facts.redirectHost}` : ''}. The API key was not sent there`,
		};
	}
	switch (status) {
		case 400:
			return {
				happened: `The service did not accept a value${reason}`,
				remedy: 'Correct the parameter that is named and run the node again',
			};
		case 401:
			return {
				happened: 'The service did not accept the API key',
				remedy:
					"Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'",
			};
		case 403:
			return {
				happened: `The service does not allow this with this API key${reason}`,
				remedy:
					"Use a full-access key in 'API Key', or ask the service to enable the feature for your organization",
			};
		case 404:
			return subject
				? {
						happened: `'${subject.label}' ${subject.id} was not found`,
						remedy: `Check the ID in '${subject.label}', the 'Platform', and that the key's organization owns it${facts.undocumented ? '. If it is there, this service does not offer the operation' : ''}`,
					}
				: {
						happened: 'The service does not know this address',
						remedy:
							"Check 'Base URL' and 'Path Layout' in the credential; some services do not offer every operation",
					};
		case 409:
			return {
				happened: 'The content is not ready yet',
				remedy: 'The service is still preparing it. Wait a minute and run the node again',
			};
		case 413:
			return {
				happened: 'The file is too big for the service',
				remedy: 'Split the file or reduce its size; the service takes files up to 30 MB',
			};
		case 422:
			return {
				happened: `The service refused this${reason}`,
				remedy: 'Correct what is named and run the node again; nothing was changed',
			};
		case 429: {
			const wait =
				facts.retryAfterMs === undefined
					? ''
					: ` in ${Math.ceil(facts.retryAfterMs / 1000)} seconds`;
			return {
				happened: 'The service asks for fewer requests',
				remedy: `Run the node again${wait}, or send fewer items at once`,
			};
		}
		default:
			return status >= 500
				? {
						happened: `The service is not able to answer at the moment (status ${status})`,
						remedy: 'Run the node again in a few minutes',
					}
				: {
						happened: `The service refused the request (status ${status})${reason}`,
						remedy: 'Correct what is named and run the node again',
					};
	}
}

/**
 * An answer with a good status whose body is not what the interface promises, e.g. a login page.
 */
export function explainNoJson(status: number): ServiceFailure {
	return new ServiceFailure('The answer is not the data the service should send', {
		remedy:
			"Check 'Base URL' in the credential: a web page or a proxy answered in the service's place",
		httpStatus: status,
	});
}

const FAULTS: Array<[RegExp, string, string]> = [
	[
		/ECONNREFUSED/,
		'The service refused the connection',
		"Check 'Base URL' in the credential, and that the service is running",
	],
	[
		/ENOTFOUND|EAI_AGAIN/,
		'The address of the service was not found',
		"Check the host name of 'Base URL' in the credential, and your network",
	],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|SSL/,
		"The service's certificate was not accepted",
		"Check that 'Base URL' in the credential is the service's own address",
	],
	[
		/ETIMEDOUT|ECONNABORTED|ESTALLED|timeout/i,
		'The service did not answer in time',
		'Run the node again in a few minutes',
	],
	[
		/ECONNRESET|EPIPE|socket hang up|aborted|ERR_STREAM/i,
		'The connection to the service was cut',
		'Run the node again; check your network if it happens often',
	],
	[
		/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/,
		'The service can not be reached from here',
		'Check the network of the machine that runs n8n',
	],
];

/**
 * A network fault in own words. The library's error is not kept: it holds the request with its
 * headers.
 */
export function explainFault(code: string, attempts: number, inDoubt: boolean): ServiceFailure {
	const [, happened, remedy] = FAULTS.find(([pattern]) => pattern.test(code)) ?? [
		undefined,
		'The service could not be reached',
		"Check 'Base URL' in the credential and your network",
	];
	const tried = attempts > 1 ? `. Tried ${attempts} times` : '';
	return new ServiceFailure(
		inDoubt
			? `${happened} after the request was sent, so it is not known whether the service has done it`
			: happened,
		{
			remedy: inDoubt
				? 'Look it up at the service before running the node again, so that nothing is done twice'
				: `${remedy}${tried}${/^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : ''}`,
			inDoubt,
		},
	);
}

/** Removes secrets from a text that came from outside: a service may echo what it was sent. */
export function redact(text: string, secrets: readonly string[]): string {
	let clean = text;
	for (const secret of secrets) {
		// Anything shorter could be a word of the text.
		if (secret.length >= 4) clean = clean.split(secret).join('***');
	}
	return clean;
}
