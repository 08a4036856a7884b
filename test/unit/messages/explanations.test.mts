import { describe, expect, test } from '@jest/globals';

import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import {
	inDoubt,
	ServiceFailure,
	type FailureReason,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { toRefusal } from '../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { refusalBody } from '../../../sandbox/domain/refusal.mts';

/** Words that n8n's rules for error texts ask to avoid. */
const BLAME = /\b(error|problem|failure|mistake)\b/i;

const REFUSED: FailureReason = {
	code: 'refused',
	status: 422,
	said: ['eNote Required'],
	asked: 'write',
	attempts: 1,
};

/** One of every code; the type makes sure that none is missing. */
const REASONS: { [Code in FailureReason['code']]: FailureReason & { code: Code } } = {
	refused: REFUSED as FailureReason & { code: 'refused' },
	unexpectedAnswer: { code: 'unexpectedAnswer' },
	unexpectedList: { code: 'unexpectedList', came: "an object with 'warnings'", said: ['Off'] },
	notDone: { code: 'notDone', why: { still: 'draft' }, said: ['Not now'] },
	notShown: { code: 'notShown', said: [] },
	incompletelyRead: { code: 'incompletelyRead', missing: ['signers'], toWriteBack: true },
	paperNotShown: { code: 'paperNotShown', parts: ['file', 'designations'], said: [] },
	wrongState: {
		code: 'wrongState',
		step: 'send',
		shown: { status: 'active', detailed_status: 'sent_to_signer' },
	},
	documentsPending: { code: 'documentsPending', documents: ['Deed'], seconds: 120 },
	documentFailed: { code: 'documentFailed', document: 'Deed', why: 'unreadable' },
	externalIdInUse: { code: 'externalIdInUse', externalId: 'b1', documents: ['Deed'] },
	unreachable: { code: 'unreachable', fault: 'ECONNREFUSED', attempts: 2 },
	unusableBaseUrl: { code: 'unusableBaseUrl', fault: 'empty' },
	notSent: { code: 'notSent', said: 'Credential with ID "1" does not exist.' },
	missingApiKey: { code: 'missingApiKey' },
	unusableApiKey: { code: 'unusableApiKey' },
	foreignOrigin: {
		code: 'foreignOrigin',
		origin: 'https://api.example.com',
		target: 'https://x.example',
	},
	unusableId: { code: 'unusableId', name: 'documentId', id: '..' },
	unusableLink: { code: 'unusableLink' },
	forbiddenLink: { code: 'forbiddenLink', target: '127.0.0.1' },
	noContent: { code: 'noContent' },
	unreadableContent: { code: 'unreadableContent' },
	emptyFile: { code: 'emptyFile', fileName: 'deed.pdf' },
	unexpectedFile: { code: 'unexpectedFile', fileName: 'deed.pdf', expected: 'pdf' },
	incompleteFile: { code: 'incompleteFile', fileName: 'deed.pdf' },
	documentNotInTransaction: { code: 'documentNotInTransaction', documentId: 'do_1' },
	signerNotInTransaction: { code: 'signerNotInTransaction', signer: 'x', present: ['Jane'] },
	signerAmbiguous: { code: 'signerAmbiguous', signer: 'x', present: ['Jane', 'Joe'] },
	signerNotWritable: { code: 'signerNotWritable', signer: 'Jane' },
	externalIdTaken: { code: 'externalIdTaken', externalId: 's2', signer: 'Joe' },
	settingsNotShown: { code: 'settingsNotShown', names: ['order'] },
	signersAreFinal: { code: 'signersAreFinal', because: 'expired' },
	correctionInterrupted: {
		code: 'correctionInterrupted',
		stands: 'recalled',
		cause: new ServiceFailure(REFUSED),
	},
};

test.each(Object.values(REASONS))('$code has a sentence and a remedy without blame', (reason) => {
	for (const failure of [new ServiceFailure(reason), inDoubt(new ServiceFailure(reason))]) {
		const { message, remedy } = explain(failure);
		expect(message.length).toBeGreaterThan(10);
		expect(remedy.length).toBeGreaterThan(10);
		expect(`${message} ${remedy}`).not.toMatch(BLAME);
		expect(message).not.toMatch(/\.$/);
	}
});

describe('a refusal', () => {
	test('of every status from 300 to 599 has a sentence and a remedy without blame', () => {
		for (let status = 300; status < 600; status++) {
			const { message, remedy } = explain(
				toRefusal(undefined, { status, asked: 'read', attempts: 1 }),
			);
			expect(message.length).toBeGreaterThan(10);
			expect(remedy.length).toBeGreaterThan(10);
			expect(`${message} ${remedy}`).not.toMatch(BLAME);
		}
	});
	test.each([
		[1, '1 second'],
		[1000, '1 second'],
		[1001, '2 seconds'],
		[120_000, '120 seconds'],
		[120_001, '3 minutes'],
		[7_200_000, '120 minutes'],
		[7_200_001, '3 hours'],
		[48 * 3_600_000, '48 hours'],
		[48 * 3_600_000 + 1, '3 days'],
		[321_145_316_000, '3717 days'],
	])('with a pause of %i ms says when to come again: in %s', (retryAfterMs, expected) => {
		for (const status of [429, 503])
			expect(
				explain(toRefusal(undefined, { status, asked: 'read', attempts: 1, retryAfterMs })).remedy,
			).toMatch(new RegExp(`^Run the node again in ${expected}(\\.|$)`));
	});
	test.each([
		['Need at least 1 signer', /'Signers'/],
		['eNote Required', /'eNote: Add'/],
		['Esign required yet no Signer Designations specified in Document Bundle', /'Designations'/],
		['Transaction has expired', /new transaction/],
		['Invalid Value for transaction_type', /'Transaction Type'/],
		['File is too big (max is 30MB)', /30 MB/],
		['Transaction has already been completed by at least 1 signer.', /no longer/],
		['Invalid subscription passed', /'Event Names or IDs'/],
	])('%s has a remedy of our own, in every shape the service uses', (text, expected) => {
		for (const operation of ['a', 'b', 'c', 'd', 'e', 'f']) {
			const body = refusalBody(operation, 422, text);
			const { message, remedy } = explain(
				toRefusal(body, { status: 422, asked: 'write', attempts: 1 }),
			);
			expect(message).toContain(text.replace(/\.$/, ''));
			expect(remedy).toMatch(expected);
		}
	});
	test('every text of the service is shown once, with the remedy of each', () => {
		const body = { errors: ['eNote Required', 'Need at least 1 signer', 'Strange'] };
		const { message, remedy } = explain(
			toRefusal(body, { status: 422, asked: 'write', attempts: 1 }),
		);
		expect(message).toBe('The service refused this: eNote Required');
		expect(remedy).toMatch(/'eNote: Add'.*'Signers'.*also said: Need at least 1 signer; Strange/);
	});
	test('409 is about content where content was asked for, and about a conflict elsewhere', () => {
		const at = (asked: 'file' | 'read' | 'write', said: string[] = []) =>
			explain(toRefusal({ errors: said }, { status: 409, asked, attempts: 1 }));
		expect(at('file', ['Document processing: done']).message).toBe("The content isn't ready yet");
		for (const asked of ['read', 'write'] as const) {
			const { message, remedy } = at(asked, ['Another change is under way']);
			expect(message).toBe('The service refused this: Another change is under way');
			expect(`${message} ${remedy}`).not.toMatch(/content/);
		}
		expect(at('write').remedy).toMatch(/retrieve/i);
	});
	test('404 names the parameter and the id; nobody has to quote the trace', () => {
		const { message, remedy } = explain(
			toRefusal(
				{ error: 'x' },
				{
					status: 404,
					subject: { name: 'documentId', id: 'do_1' },
					trace: 'Root=1',
					asked: 'read',
					attempts: 1,
				},
			),
		);
		expect(message).toBe("'Document' do_1 was not found");
		expect(remedy).not.toMatch(/Root=1/);
	});
});

test.each([400, 401, 403, 404, 410])(
	'a refused link of another origin (%p) does not blame the API key, which was not sent',
	(status) => {
		const refused = toRefusal('<Error/>', {
			status,
			asked: 'file',
			attempts: 1,
			linkWithoutKey: true,
		});
		const { message, remedy } = explain(refused);
		expect(message).toBe(`The link to the file was refused (status ${status})`);
		expect(`${message} ${remedy}`).not.toMatch(/API key|Base URL/i);
	},
);

test('network faults say when the outcome is unknown', () => {
	for (const fault of [
		'ECONNREFUSED',
		'ENOTFOUND',
		'ETIMEDOUT',
		'ECONNRESET',
		'CERT_HAS_EXPIRED',
		'EHOSTUNREACH',
		'ANSWER_CUT',
		'ANSWER_SLOW',
		'ANSWER_TOO_BIG',
		'UNKNOWN',
	]) {
		for (const doubt of [true, false]) {
			const failure = new ServiceFailure(
				{ code: 'unreachable', fault, attempts: 2 },
				{ inDoubt: doubt },
			);
			const { message, remedy } = explain(failure);
			expect(`${message} ${remedy}`).not.toMatch(BLAME);
			expect(message.includes('outcome is unknown')).toBe(doubt);
			if (fault.startsWith('ANSWER')) expect(message).toMatch(/^The service's answer /);
		}
	}
});
