import type { BaseUrlFault } from '../transport/failure/failure';
import { EXECUTION_STOPPED } from '../transport/failure/networkFault';
import { joinSentences } from '../values/words';
import type { Words } from './failures';
import type { Texts } from './situation';

/* Says what happened on the way to the service, and what to do: no answer, or nothing sent. */

/** How often a request was sent, if more than once. */
export const describeAttempts = (count: number) => count > 1 && `Tried ${count} times`;

/** How a message about a write ends whose outcome is unknown. */
export const UNKNOWN_OUTCOME = ', so the outcome is unknown';
/** The remedy for it. */
export const LOOK_IT_UP =
	'It may have been done: look at the service before you run the node again';

/** What happened, and what to do, where somebody has stopped the execution. */
export const STOPPED: Words = [
	'The execution was stopped',
	'Run the workflow again to do the rest',
];

const CHECK_URL = "Check 'Base URL' in the credential and your network";
const CHECK_PORT =
	"Check the address and the port of 'Base URL' in the credential. If both are right, run the node again in a few minutes: the service may be down";
const WAIT = 'Run the node again in a few minutes. Check your network if it happens often';

/** Patterns of network fault codes, each with what happened and what to do. The first one counts. */
const FAULTS: Array<[RegExp, string, string]> = [
	[new RegExp(`^${EXECUTION_STOPPED}$`), ...STOPPED],
	[
		/^ERR_(INVALID|UNESCAPED|HTTP_INVALID)/,
		"The request has a character or an address that can't be sent",
		"Check 'Base URL', 'API Key' and the prefixes in the credential, and the ID that the node uses",
	],
	[/ECONNREFUSED/, 'Nothing answers at this address', CHECK_PORT],
	[/ENOTFOUND|EAI_AGAIN/, 'The address of the service was not found', CHECK_URL],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|SSL/,
		"The service doesn't answer with encryption and a valid certificate",
		"Check that 'Base URL' in the credential is the service's own address and port",
	],
	[/ETIMEDOUT|ECONNABORTED|ESTALLED|timeout/i, "The service didn't answer in time", WAIT],
	[/^ANSWER_CUT$/, "The service's answer broke off", WAIT],
	[/^ANSWER_SLOW$/, "The service's answer came too slowly", WAIT],
	[
		/^ANSWER_TOO_BIG$/,
		"The service's answer is too big",
		"Check 'Base URL' in the credential: something else may answer instead of the service",
	],
	[
		/ECONNRESET|EPIPE|socket hang up|aborted|ERR_STREAM/i,
		'The connection to the service was cut',
		WAIT,
	],
	[/(?:)/, "n8n can't reach the service", CHECK_URL],
];

/** What is wrong with the credential's base URL, and what to do. */
const BASE_URL_FAULTS: Record<BaseUrlFault, Words> = {
	empty: [
		"'Base URL' in the credential is empty",
		'Enter the address of the service, e.g. https://api.example.com',
	],
	incomplete: [
		"'Base URL' in the credential isn't a complete address",
		'Start it with https://, e.g. https://api.example.com',
	],
	notHttps: ["'Base URL' in the credential doesn't start with https://", 'Start it with https://'],
	unencrypted: [
		"'Base URL' in the credential doesn't start with https://",
		'Start it with https://: the API key would travel unencrypted otherwise',
	],
	hasUserInfo: [
		"'Base URL' in the credential contains a user name or password",
		"Remove it, and put the key into 'API Key'",
	],
	hasQuery: [
		"'Base URL' in the credential goes on after the host or path",
		"Remove everything from '?' or '#' on",
	],
};

/** Texts about the way to the service: the credential, and what stopped a request. */
export const CONNECTION_TEXTS = {
	/** No answer came. */
	unreachable({ fault, attempts, host, linkHost }, _situation, isUnknown) {
		const [, happened, remedy] = FAULTS.find(([pattern]) => pattern.test(fault))!;
		// The service chooses the host of a link, so nothing in the credential can be wrong.
		const isLink = linkHost !== undefined;
		const message = isLink
			? `A link of the service leads to ${linkHost}, and can't be opened`
			: happened.replace('this address', (words) => host ?? words);
		if (isUnknown) {
			// An answer comes after the request in any case.
			const when = fault.startsWith('ANSWER_') ? '' : ' after the request was sent';
			return [`${message}${when}${UNKNOWN_OUTCOME}`, LOOK_IT_UP];
		}
		// Anything that isn't a plain code may hold a host name or a secret, so it isn't shown.
		const code = /^[A-Z_]{3,40}$/.test(fault) && fault;
		const next = isLink
			? 'Run the node again: it retrieves a new link. If this continues, check that n8n can reach this host'
			: remedy;
		return [message, next, joinSentences(code, describeAttempts(attempts))];
	},
	/** What n8n or a person stopped before anything was sent. */
	notSent({ blockedHost, details, linkHost, isStopped }) {
		if (isStopped) return [`${STOPPED[0]} before the request was sent`, STOPPED[1]];
		if (blockedHost !== undefined)
			return [
				`n8n blocks requests to ${blockedHost}, so nothing was sent`,
				`${linkHost === undefined ? "Check 'Base URL' in the credential. If the service is in a private network" : 'A link of the service leads there. If it should'}, ask the administrator of n8n to add the host to N8N_SSRF_ALLOWED_HOSTNAMES`,
			];
		const reason = details === undefined ? '' : `: ${details.replace(/\.$/, '')}`;
		return [
			`n8n stopped the request, so nothing was sent${reason}`,
			/credential/i.test(details ?? '')
				? 'Select the credential in the node again, or create it again if somebody deleted it'
				: 'Run the node again. If it happens again, correct what n8n names',
		];
	},
	unexpectedAnswer: () => [
		"The response isn't valid service data",
		"Check 'Base URL' in the credential: a web page or a proxy answered instead of the service",
	],
	unusableBaseUrl: ({ fault }) => BASE_URL_FAULTS[fault],
	missingApiKey: () => [
		"'API Key' is empty in the credential",
		'Enter the key that the service generated for your organization',
	],
	unusableApiKey: () => [
		"'API Key' in the credential has a character that can't be sent",
		'Copy the key from the service again. It has only Latin letters without accents, digits and signs',
	],
	foreignOrigin: ({ origin, target }) => [
		`The API key is for ${origin} and wasn't sent to ${target ?? "an address that can't be read"}`,
		"Use an address of the service, or correct 'Base URL' in the credential",
	],
} satisfies Partial<Texts>;
