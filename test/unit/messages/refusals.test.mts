import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import {
	ServiceFailure,
	type Refusal,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** What a person reads of a refusal by its status, and what else follows. */

const explained = (facts: Partial<Refusal>, operation?: string) =>
	explain(
		new ServiceFailure({
			...{ code: 'refused', status: 422, purpose: 'write', details: [], attempts: 1 },
			...facts,
		}),
		operation === undefined ? undefined : { operation, properties: [] },
	);

const STATUSES: Array<[status: number, message: RegExp, remedy: RegExp]> = [
	[302, /redirect/, /'Base URL'/],
	[400, /didn't accept a value/, /Correct the parameter it names|^The service doesn't say why/],
	[401, /didn't accept the API key/, /'API Key'/],
	[403, /doesn't allow this/, /'API Key'/],
	[404, /doesn't know this address/, /'Path Layout'/],
	[409, /rejected the request/, /Retrieve it/],
	[410, /status 410/, /Fix what's named|^The service doesn't say why/],
	[413, /too big/, /30 MB/],
	[422, /rejected the request/, /^Fix what's named|^The service doesn't say why/],
	[429, /limiting requests/, /higher limit/],
	[408, /temporarily unavailable \(status 408\)/, /few minutes/],
	[425, /temporarily unavailable \(status 425\)/, /few minutes/],
	[500, /temporarily unavailable \(status 500\)/, /few minutes/],
	[599, /temporarily unavailable \(status 599\)/, /few minutes/],
];

test.each(STATUSES)('the status %i says what happened, what to do and the words', (...row) => {
	const [status, message, remedy] = row;
	forEachCase([[], ['Not now.']], (said) => {
		const shown = explained({ status, details: said });
		expect(shown.message).toMatch(message);
		expect(shown.remedy).toMatch(remedy);
		// Nothing is named where the service says nothing.
		if (said.length === 0) expect(shown.remedy).not.toMatch(/named above|it names/);
		const texts = `${shown.message}. ${shown.remedy}`;
		expect(texts.match(/Not now/g) ?? []).toHaveLength(said.length);
		expect(texts).not.toMatch(/Not now\.$|\b(error|problem|failure|mistake)\b/i);
	});
});

test('every other status has a message and a remedy', () => {
	for (let status = 300; status < 600; status++) {
		const { message, remedy } = explained({ status });
		expect([status, message.length > 10, remedy.length > 10]).toEqual([status, true, true]);
	}
});

test.each([
	[1, '1 second'],
	[1001, '2 seconds'],
	[120_000, '120 seconds'],
	[120_001, '3 minutes'],
])('a pause of %i ms says when to come again: in %s', (retryAfterMs, expected) => {
	forEachCase([429, 503], (status) =>
		expect(explained({ status, retryAfterMs }).remedy).toMatch(
			new RegExp(`^Run the node again in ${expected}(\\.|$)`),
		),
	);
});

test('a link is old after a refusal that lasts, and not where its host is in trouble', () => {
	const message = (status: number) => explained({ status, linkHost: 'files.example' }).message;
	forEachCase([401, 403, 404, 410], (status) =>
		expect(message(status)).toBe(`The service rejected the link to the file (status ${status})`),
	);
	forEachCase([408, 425, 429, 503], (status) =>
		expect(message(status)).not.toMatch(/rejected the link/),
	);
});

test('404 names the parameter and the ID; what is deleted may be gone already', () => {
	const subject = { name: 'documentId', id: 'do_1' } as const;
	expect(explained({ status: 404, subject }).message).toBe("'Document' do_1 was not found");
	expect(explained({ status: 404, subject }, 'document/delete').message).toMatch(/gone already/);
	const lacking = explained({ status: 404, subject, undocumented: true }).remedy;
	expect(lacking).toMatch(/the service doesn't offer the operation$/);
});

test('409 is about content where content was asked for', () => {
	expect(explained({ status: 409, purpose: 'file' }).message).toBe("The content isn't ready yet");
});

test('a redirect names its host', () => {
	expect(explained({ status: 302, redirectHost: 'www.example.com' }).remedy).toMatch(
		/www\.example\.com\. The API key wasn't sent there$/,
	);
	expect(explained({ status: 302, linkHost: 'files.example.com' }).message).toMatch(
		/A link of the service leads to files\.example\.com/,
	);
});

test.each([400, 401, 403, 404, 410])(
	'a refused link without the key (%i) blames no key',
	(status) => {
		const { message, remedy } = explained({
			status,
			purpose: 'file',
			linkHost: 'files.example.com',
		});
		expect(message).toBe(`The service rejected the link to the file (status ${status})`);
		expect(remedy).not.toMatch(/API key|Base URL/i);
	},
);

test.each([404, 410])("a dead link on the service's own host (%i) blames no base URL", (status) => {
	const { message, remedy } = explained({ status, purpose: 'file', details: ['Not found'] });
	expect(message).toBe(`The link to the file has expired or leads to nothing (status ${status})`);
	expect(remedy).toMatch(/^Links expire/);
	expect(remedy).not.toMatch(/API key|Base URL/i);
	const subject = { name: 'documentId', id: 'do_1' } as const;
	expect(explained({ status: 404, purpose: 'file', subject }).message).toMatch(/'Document' do_1/);
});

describe('after the remedy', () => {
	test('follows what else the service said; how often it was tried stands apart', () => {
		const shown = explained({ details: ['First.', 'Second.', 'Third...'], attempts: 2 });
		expect(shown.remedy).toMatch(/\. The service also said: Second; Third\.\.\.$/);
		expect(shown.details).toBe('Tried 2 times');
	});
	test.each<Partial<Refusal>>([{ status: 500, details: ['One'], attempts: 3 }, { status: 400 }])(
		'follows the trace where only the service can act: %j',
		(facts) => {
			expect(explained({ trace: 'Root=1', ...facts }).remedy).toMatch(/support: Root=1$/);
		},
	);
	test.each<Partial<Refusal>>([
		{ details: ['Name is too long'] },
		{ status: 503, details: ['eNote Required'] },
		...[302, 401, 403, 404, 409, 410, 413, 429].map((status) => ({ status })),
		{ status: 403, linkHost: 'files.example.com' },
	])('follows no trace where a person can act: %j', (facts) => {
		expect(explained({ trace: 'Root=1', ...facts }).remedy).not.toMatch(/Root=1/);
	});
});

describe('a text that has a remedy of its own', () => {
	const TYPO = 'Typo in domain name';
	test.each([400, 401, 404, 422])('shows text and remedy with the status %i', (status) => {
		const { message, remedy } = explained({ status, details: ['Strange', TYPO] });
		expect(`${message}. ${remedy}`).toContain(TYPO);
		expect(remedy).toMatch(/^Correct the 'Email'/);
		expect(remedy).toMatch(/said: .*(Strange|Typo)/);
		// These would blame the key or the ID.
		if (status === 401 || status === 404) expect(message).toMatch(/rejected the request: Typo/);
	});
	test('has each remedy once', () => {
		const { remedy } = explained({ details: [TYPO, 'Invalid email format', 'eNote Required'] });
		expect(remedy.match(/Correct the 'Email'/g)).toHaveLength(1);
		expect(remedy).toMatch(/'eNote: Add'.*also said: Invalid email format; eNote Required$/);
	});
});
