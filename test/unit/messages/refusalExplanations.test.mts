import { describe, expect, test } from '@jest/globals';

import { explainRefusal } from '../../../nodes/SignAndClose/messages/refusalExplanations.ts';
import type { Refusal } from '../../../nodes/SignAndClose/transport/failure/failure.ts';

/** What a person reads of every refusal by its status, word for word. */

const explained = (facts: Partial<Refusal>) =>
	explainRefusal({ code: 'refused', status: 422, asked: 'write', said: [], attempts: 1, ...facts });

const CORRECT_IT = 'Correct what it names and run the node again';
const UNDER_WAY =
	'Something else is there already or is changing at the same time. Retrieve it to see its state, then run the node again if this is still to be done';
const TOO_OFTEN =
	'If this happens often, run fewer workflows with this API key at the same time, or ask the service for a higher limit';

/** A status, what happened, and what to do. */
const STATUSES: Array<[status: number, message: string, remedy: string]> = [
	...[300, 302, 399].map((status): [number, string, string] => [
		status,
		'The service answered with a redirect',
		"Check 'Base URL' in the credential: it redirects to another address. The API key wasn't sent there",
	]),
	[
		400,
		"The service didn't accept a value",
		'Correct the parameter it names and run the node again',
	],
	[
		401,
		"The service didn't accept the API key",
		"Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'",
	],
	[
		403,
		"The service doesn't allow this with this API key",
		"Use a full-access key in 'API Key', or ask the service to enable the feature for your organization",
	],
	[
		404,
		"The service doesn't know this address",
		"Check 'Base URL' and 'Path Layout' in the credential; some services don't offer every operation",
	],
	[409, 'The service refused this because something else conflicts with it', UNDER_WAY],
	[
		413,
		'The file is too big for the service',
		'Split the file or reduce its size; the service accepts files of up to 30 MB',
	],
	[422, 'The service refused this', `${CORRECT_IT}; nothing was changed`],
	[429, 'The service is limiting requests', `Run the node again. ${TOO_OFTEN}`],
	...[199, 410, 499].map((status): [number, string, string] => [
		status,
		`The service refused the request (status ${status})`,
		CORRECT_IT,
	]),
	...[500, 503, 599].map((status): [number, string, string] => [
		status,
		`The service is temporarily unavailable (status ${status})`,
		'Run the node again in a few minutes',
	]),
];

/** Statuses whose message ends with what the service said; elsewhere it follows the remedy. */
const REPEATED = [199, 400, 403, 409, 410, 422, 499];

describe.each(STATUSES)('the status %i', (status, message, remedy) => {
	test('without any words says what happened and what to do', () => {
		expect(explained({ status })).toEqual({ message, remedy });
	});
	test('with words of the service repeats them once', () => {
		const shown = explained({ status, said: ['Not now.'] });
		if (!REPEATED.includes(status))
			expect(shown).toEqual({ message, remedy: `${remedy}. The service said: Not now` });
		else
			expect(shown).toEqual({
				message: `${message.replace(' because something else conflicts with it', '')}: Not now`,
				remedy,
			});
	});
});

describe('what follows the remedy', () => {
	const REMEDY = `${CORRECT_IT}; nothing was changed`;

	test('is what else the service said', () => {
		expect(explained({ said: ['First.', 'Second.', 'Third...'] })).toEqual({
			message: 'The service refused this: First',
			remedy: `${REMEDY}. The service also said: Second; Third...`,
		});
	});
	test('is the number of attempts, from two on', () => {
		expect(explained({ attempts: 0 }).remedy).toBe(REMEDY);
		expect(explained({ attempts: 2 }).remedy).toBe(`${REMEDY}. Tried 2 times`);
	});
	describe('is the trace, last, where only the service can act', () => {
		const traced = (facts: Partial<Refusal>) => explained({ trace: 'Root=1', ...facts }).remedy;

		test.each([
			[{ status: 500, said: ['One'], attempts: 3 }],
			[{ status: 503, attempts: 5 }],
			[{ status: 400 }],
			[{ status: 422 }],
			[{ status: 403 }],
			[{ status: 410 }],
		])('%j', (facts) => {
			expect(traced(facts)).toMatch(/\. Quote this to the service's support: Root=1$/);
		});
		test.each([
			[{ status: 422, said: ['Name is too long'] }],
			[{ status: 400, said: ['eNote Required'] }],
			[{ status: 401 }],
			[{ status: 404 }],
			[{ status: 409 }],
			[{ status: 413 }],
			[{ status: 429 }],
			[{ status: 302 }],
			[{ status: 403, asked: 'file' as const, linkWithoutKey: true }],
		])('not %j', (facts) => {
			expect(traced(facts)).not.toMatch(/Root=1/);
		});
	});
});

describe('a text that has a remedy of its own', () => {
	const EMAIL = "Correct the signer's 'Email', or that of one of the 'Contacts'";
	const TYPO = 'Typo in domain name';

	test.each([
		[400, `The service didn't accept a value: ${TYPO}`],
		[422, `The service refused this: ${TYPO}`],
		// These would blame the key or the ID.
		[401, `The service refused this: ${TYPO}`],
		[404, `The service refused this: ${TYPO}`],
	])('has it with the status %i', (status, message) => {
		expect(explained({ status, said: [TYPO] })).toEqual({ message, remedy: EMAIL });
	});
	test('has it beside other words of the service', () => {
		expect(explained({ status: 401, said: ['Strange', TYPO] })).toEqual({
			message: `The service refused this: ${TYPO}`,
			remedy: `${EMAIL}. The service also said: Strange`,
		});
	});
	test('has it once for two texts of the same remedy', () => {
		expect(explained({ said: [TYPO, 'Invalid email format'] }).remedy).toBe(
			`${EMAIL}. The service also said: Invalid email format`,
		);
	});
});

test('a redirect names the host it leads to', () => {
	expect(explained({ status: 302, redirectHost: 'www.example.com' }).remedy).toBe(
		"Check 'Base URL' in the credential: it redirects to www.example.com. The API key wasn't sent there",
	);
});

describe('a link without the key', () => {
	const EXPIRED = {
		remedy: 'Links expire after some minutes. Run the node again: it retrieves a new one',
	};
	test.each([400, 401, 403, 404, 410, 499])('is refused with the status %i', (status) => {
		expect(explained({ status, asked: 'file', linkWithoutKey: true })).toEqual({
			...EXPIRED,
			message: `The link to the file was refused (status ${status})`,
		});
	});
	test.each([302, 429, 500, 503])(
		'and the status %i is a passing state, as of any request',
		(status) => {
			const of = (linkWithoutKey: boolean) => explained({ status, asked: 'file', linkWithoutKey });
			expect(of(true)).toEqual(of(false));
		},
	);
});

describe('something that was not found', () => {
	const subject = { name: 'documentId', id: 'do_1' } as const;
	const CHECK =
		"Check the ID in 'Document', the 'Platform', and that the key's organization owns it";

	test('is named', () => {
		expect(explained({ status: 404, subject })).toEqual({
			message: "'Document' do_1 was not found",
			remedy: CHECK,
		});
	});
	test('may be an operation that the service lacks', () => {
		expect(explained({ status: 404, subject, undocumented: true }).remedy).toBe(
			`${CHECK}. If all of this is right, the service doesn't offer the operation`,
		);
	});
});

describe('a conflict', () => {
	test('about content is told as such', () => {
		expect(explained({ status: 409, asked: 'file' })).toEqual({
			message: "The content isn't ready yet",
			remedy: 'The service is still preparing it. Wait a minute and run the node again',
		});
	});
	test('of a read passes by itself', () => {
		expect(explained({ status: 409, asked: 'read', said: ['Locked'] })).toEqual({
			message: 'The service refused this: Locked',
			remedy: 'Something is changing at the same time. Wait a minute and run the node again',
		});
	});
});

describe('a limited request', () => {
	test('says when to come again', () => {
		expect(explained({ status: 429, retryAfterMs: 2000 }).remedy).toBe(
			`Run the node again in 2 seconds. ${TOO_OFTEN}`,
		);
		expect(explained({ status: 503, retryAfterMs: 1000 }).remedy).toBe(
			'Run the node again in 1 second',
		);
	});
	test('that was never sent says so', () => {
		expect(explained({ status: 429, attempts: 0, retryAfterMs: 60_000 }).remedy).toBe(
			`The request wasn't sent. Run the node again in 60 seconds. ${TOO_OFTEN}`,
		);
	});
});

test("a redirect of a link's own host names that host", () => {
	expect(
		explained({ status: 302, asked: 'file', linkHost: 'files.example.com', redirectHost: 'a.b' }),
	).toEqual({
		message:
			"A link of the service leads to files.example.com, which answered with a redirect that can't be followed",
		remedy: 'Run the node again: it retrieves a new link. If this continues, contact the service',
	});
});
