import { describe, expect, test } from '@jest/globals';

import {
	explainBaseUrl,
	explainNotSent,
	explainUnreachable,
} from '../../../nodes/SignAndClose/messages/connectionExplanations.ts';

/** What a person reads when no answer came, or when nothing was sent, word for word. */

/** A fault, what happened, and what to do. */
const FAULTS: Array<[fault: string, message: string, remedy: string]> = [
	...['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_HTTP_INVALID_HEADER_VALUE'].map(
		(fault): [string, string, string] => [
			fault,
			"The request has a character or an address that can't be sent",
			"Check 'Base URL', 'API Key' and the prefixes in the credential, and the ID that the node uses",
		],
	),
	[
		'ECONNREFUSED',
		'The service refused the connection',
		"Check 'Base URL' in the credential, and that the service is running",
	],
	...['ENOTFOUND', 'EAI_AGAIN'].map((fault): [string, string, string] => [
		fault,
		'The address of the service was not found',
		"Check the host name of 'Base URL' in the credential, and your network",
	]),
	[
		'ERR_SSL_WRONG_VERSION_NUMBER',
		"The service doesn't answer with encryption at this address",
		"Check the port and the https:// of 'Base URL' in the credential",
	],
	...[
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_X',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_HANDSHAKE',
		'EPROTO',
		'ERR_SSL_OTHER',
	].map((fault): [string, string, string] => [
		fault,
		"The service's certificate was not accepted",
		"Check that 'Base URL' in the credential is the service's own address",
	]),
	...['ETIMEDOUT', 'ECONNABORTED', 'ESTALLED'].map((fault): [string, string, string] => [
		fault,
		"The service didn't answer in time",
		'Run the node again in a few minutes',
	]),
	[
		'ANSWER_CUT',
		"The service's answer broke off",
		'Run the node again; check your network if it happens often',
	],
	[
		'ANSWER_SLOW',
		"The service's answer came too slowly",
		'Run the node again in a few minutes. Check your network if it happens often',
	],
	[
		'ANSWER_TOO_BIG',
		"The service's answer is too big",
		"Check 'Base URL' in the credential: something else may answer instead of the service",
	],
	...['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].map(
		(fault): [string, string, string] => [
			fault,
			'The connection to the service was cut',
			'Run the node again; check your network if it happens often',
		],
	),
	...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'].map(
		(fault): [string, string, string] => [
			fault,
			"n8n can't reach the service",
			'Check the network of the machine that runs n8n',
		],
	),
	[
		'EUNHEARDOF',
		"n8n can't reach the service",
		"Check 'Base URL' in the credential and your network",
	],
];

const explained = (fault: string, attempts = 1, doubt = false) =>
	explainUnreachable({ code: 'unreachable', fault, attempts }, doubt);

describe.each(FAULTS)('%s', (fault, message, remedy) => {
	test('says what happened and what to do, with the code', () => {
		expect(explained(fault)).toEqual({ message, remedy: `${remedy} (${fault})` });
	});
	test('in doubt, says that the outcome is unknown and to look it up', () => {
		const when = fault.startsWith('ANSWER_') ? '' : ' after the request was sent';
		expect(explained(fault, 3, true)).toEqual({
			message: `${message}${when}, so the outcome is unknown`,
			remedy: 'It may have been done: look at the service before you run the node again',
		});
	});
});

describe('an unreachable service', () => {
	test('was tried as often as it says, from two times on', () => {
		const { remedy } = explained('ECONNREFUSED');
		for (const attempts of [0, 1]) expect(explained('ECONNREFUSED', attempts).remedy).toBe(remedy);
		expect(explained('ECONNREFUSED', 2).remedy).toBe(
			"Check 'Base URL' in the credential, and that the service is running. Tried 2 times (ECONNREFUSED)",
		);
	});
	test.each([
		['socket hang up', 'Run the node again; check your network if it happens often'],
		['econnreset', 'Run the node again; check your network if it happens often'],
		['timeout of 5 ms exceeded', 'Run the node again in a few minutes'],
		['EHOSTDOWN secret.example.com', 'Check the network of the machine that runs n8n'],
		['secret EHOSTDOWN', 'Check the network of the machine that runs n8n'],
		['EHOSTDOWN_1', 'Check the network of the machine that runs n8n'],
		['AB', "Check 'Base URL' in the credential and your network"],
		[`E${'X'.repeat(40)}`, "Check 'Base URL' in the credential and your network"],
	])('with the fault %j, which is no plain code, does not repeat it', (fault, remedy) => {
		expect(explained(fault).remedy).toBe(remedy);
	});
	test.each(['EIO', 'ABC', `E${'X'.repeat(39)}`])('with the code %s repeats it', (fault) => {
		expect(explained(fault).remedy).toBe(
			`Check 'Base URL' in the credential and your network (${fault})`,
		);
	});
	test.each([
		['timeout of 5 ms exceeded', "The service didn't answer in time"],
		['Socket hang up', 'The connection to the service was cut'],
		['aborted', 'The connection to the service was cut'],
		// Only a code as a whole is one of ours.
		['MY_ANSWER_CUT', "n8n can't reach the service"],
		['ANSWER_CUTTER', "n8n can't reach the service"],
	])('with the fault %j: %s', (fault, message) => {
		expect(explained(fault).message).toBe(message);
	});
	test('whose fault only ends like one of an answer was sent the request first', () => {
		expect(explained('NO_ANSWER_', 1, true).message).toBe(
			"n8n can't reach the service after the request was sent, so the outcome is unknown",
		);
	});
});

describe('a request that n8n stopped', () => {
	test('because of its host names the host and the setting', () => {
		expect(explainNotSent({ code: 'notSent', blockedHost: '10.0.0.1', said: 'Blocked' })).toEqual({
			message: 'n8n blocks requests to 10.0.0.1, so nothing was sent',
			remedy:
				"Check 'Base URL' in the credential. If the service is in a private network, ask the administrator of n8n to add the host to N8N_SSRF_ALLOWED_HOSTNAMES",
		});
	});
	test.each([
		[undefined, ''],
		['The database is busy', ': The database is busy'],
		['See 1.2 of the manual. Then wait.', ': See 1.2 of the manual. Then wait'],
	])('for the reason %j repeats it without its final period', (said, reason) => {
		expect(explainNotSent({ code: 'notSent', said })).toEqual({
			message: `n8n stopped the request, so nothing was sent${reason}`,
			remedy: 'Run the node again. If it happens again, correct what n8n names',
		});
	});
	test.each(['Credential with ID "1" does not exist', 'No credentials'])(
		'because of the credential (%s) says to select it again',
		(said) => {
			expect(explainNotSent({ code: 'notSent', said }).remedy).toBe(
				'Select the credential in the node again, or create it again if somebody deleted it',
			);
		},
	);
});

test.each([
	['empty', "'Base URL' is empty. Enter the address of the service, e.g. https://api.example.com"],
	[
		'incomplete',
		"'Base URL' isn't a complete address. Start it with https://, e.g. https://api.example.com",
	],
	['notHttps', "'Base URL' must start with https://"],
	[
		'unencrypted',
		"'Base URL' must start with https://, because the API key would travel unencrypted otherwise",
	],
	[
		'hasUserInfo',
		"'Base URL' must not contain a user name or password. Put the key into 'API Key'",
	],
	['hasQuery', "'Base URL' must end after the host or path. Remove everything from '?' or '#' on"],
] as const)('a base URL with the fault %s: %s', (fault, sentence) => {
	expect(explainBaseUrl(fault)).toBe(sentence);
});

describe("the host of a link that isn't the service's", () => {
	const linkHost = 'files.example.com';
	test('is named, and nobody is sent to the credential', () => {
		for (const [fault] of FAULTS)
			expect(
				explainUnreachable({ code: 'unreachable', fault, attempts: 1, linkHost }, false),
			).toEqual({
				message: "A link of the service leads to files.example.com, and can't be opened",
				remedy: expect.stringMatching(
					/^Run the node again: it retrieves a new link\. If this continues, check that n8n can reach this host( \([A-Z_]+\))?$/,
				),
			});
	});
	test('may be blocked by n8n', () => {
		expect(explainNotSent({ code: 'notSent', blockedHost: linkHost, linkHost })).toEqual({
			message: 'n8n blocks requests to files.example.com, so nothing was sent',
			remedy:
				'A link of the service leads there. If it should, ask the administrator of n8n to add the host to N8N_SSRF_ALLOWED_HOSTNAMES',
		});
	});
});
