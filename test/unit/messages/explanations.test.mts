import { ExplainedFailure, InputFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import {
	Failure,
	withUnknownOutcome,
	ServiceFailure,
	type CorrectionProgress,
	type FailureReason,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** What a person reads of every failure below the operations: what happened, and what to do. */

/** Words that n8n's rules for error texts ask to avoid. */
const BLAME = /\b(error|problem|failure|mistake)\b/i;
const UNKNOWN = /, so the outcome is unknown/;

const REFUSED: FailureReason & { code: 'refused' } = {
	code: 'refused',
	status: 422,
	details: ['Name is too long'],
	purpose: 'write',
	attempts: 1,
};
const LOST = withUnknownOutcome(
	new ServiceFailure({ code: 'unreachable', fault: 'ECONNRESET', attempts: 1 }),
);
const PDF = { fileName: 'deed.pdf' };
const SIGNER = { signer: 'x', present: ['Jane', 'Joe'] };

type Case<C extends FailureReason['code']> = [
	reason: Omit<FailureReason & { code: C }, 'code'> | FailureReason,
	message: RegExp,
	remedy: RegExp,
];

/** Reasons of every code, with what message and remedy have to name. */
const CASES: { [C in FailureReason['code']]: Array<Case<C>> } = {
	refused: [[REFUSED, /Name is too long/, /^Fix what's named above/]],
	unexpectedAnswer: [[{}, /isn't valid service data/, /'Base URL'/]],
	otherAnswered: [
		[
			{ name: 'transactionId', expectedId: 'ot_a', actualId: 'ot_b', isRead: true },
			/answered with transaction ot_b instead of ot_a$/,
			/^The answer wasn't used, and asking changed nothing\. If running/,
		],
		[
			{ name: 'recordId', expectedId: 'me_a', actualId: 'me_b', isRead: false },
			/answered with notarization record me_b instead of me_a$/,
			/^If running the node again/,
		],
	],
	unexpectedList: [[{ came: 'a text', details: ['Off'] }, /returned a text instead/, /said: Off/]],
	notDone: [
		[
			{ explanation: { still: 'draft' }, details: ['Off'] },
			/answered, but .* still a draft/,
			/said: Off/,
		],
		[{ explanation: { still: 'sent' }, details: [] }, /still with its signers/, /again/],
		[{ explanation: { still: 'there' }, details: [] }, /still there/, /again/],
		[
			{ explanation: { unchanged: ['name', 'signers'] }, details: [] },
			/'name', 'signers'/,
			/again/,
		],
		[
			{ explanation: { unchanged: ['designations'] }, details: [] },
			/'designations'/,
			/'Document: Delete'/,
		],
		[
			{ explanation: { still: 'missing' }, details: [], lostAnswer: LOST },
			/cut, and it isn't there/,
			/^Run the node again in a few minutes/,
		],
	],
	listBrokenOff: [
		[{ count: 100, total: 5000 }, /listed 100 of 5000/, /contact the service/],
		[{ count: 0 }, /doesn't say how many/, /contact the service/],
	],
	existingUnknown: [
		[
			{ cause: new ServiceFailure({ code: 'unexpectedAnswer' }) },
			/isn't valid service data, so it's unknown what exists/,
			/^Nothing was created.*'If It Exists'/,
		],
	],
	notShown: [[{ details: ['Off'] }, /doesn't show what it did/, /said: Off/]],
	incompletelyRead: [
		[{ missing: ['signers', 'status'], toWriteBack: true }, /'signers', 'status'/, /^Nothing was/],
		[{ missing: ['signers'], toWriteBack: false }, /without 'signers'$/, /^Run/],
	],
	wrongState: [
		[{ step: 'send', current: { status: 'sent' } }, /already sent/, /^Nothing was changed/],
		[{ step: 'unconfirmed', current: { status: 'novel' } }, /"novel"/, /^Nothing was changed/],
		[{ step: 'unconfirmed', current: {} }, /doesn't show whether/, /'Delete Even if Sent'/],
	],
	documentsPending: [
		[{ documents: ['Deed', 'Note'], seconds: 120 }, /'Deed', 'Note'/, /^Nothing was.* 120 seconds/],
	],
	splitRunning: [
		[
			{ current: 0, expected: 5, pending: [], seconds: 600 },
			/no document instead of 5/,
			/600 seconds/,
		],
		[
			{ current: 3, expected: 5, pending: [], seconds: 600 },
			/has 3 of 5 documents/,
			/^Nothing was/,
		],
		[{ current: 0, pending: [], seconds: 600 }, /has no document$/, /'Wait Up To'/],
		[{ current: 1, pending: ['Deed'], seconds: 600 }, /still processing 'Deed'/, /'Wait Up To'/],
	],
	documentFailed: [
		[{ document: 'Deed', explanation: 'unreadable' }, /'Deed': unreadable/, /^Nothing was sent/],
		[{ document: 'Deed' }, /'Deed', and doesn't say why/, /'Document: Delete'/],
	],
	externalIdInUse: [
		[{ externalId: 'b1', documents: ['Deed', 'Note'] }, /'Deed', 'Note'.*'b1'/, /'External ID'/],
	],
	unreachable: [[{ fault: 'ECONNREFUSED', attempts: 2 }, /^Nothing answers/, /'Base URL'/]],
	unusableBaseUrl: [[{ fault: 'notHttps' }, /'Base URL'/, /https:\/\//]],
	notSent: [[{ details: 'No credentials.' }, /nothing was sent: No credentials$/, /credential/]],
	missingApiKey: [[{}, /'API Key'/, /^Enter/]],
	unusableApiKey: [[{}, /'API Key'/, /^Copy/]],
	foreignOrigin: [
		[
			{ origin: 'https://a.example', target: 'https://b.example' },
			/a\.example.*b\.e/,
			/'Base URL'/,
		],
		[{ origin: 'https://a.example' }, /can't be read$/, /'Base URL'/],
	],
	unusableId: [
		[{ name: 'documentId', id: '..' }, /'Document' is '\.\.'/, /list/],
		[{ name: 'recordId', id: '' }, /'Notarization Record' is empty/, /list/],
	],
	unusableLink: [[{}, /link/, /again/]],
	forbiddenLink: [[{ target: '127.0.0.1' }, /127\.0\.0\.1/, /'Base URL'/]],
	noContent: [[{}, /no content/, /minute/]],
	unreadableContent: [[{}, /can't be read/, /minute/]],
	emptyFile: [[PDF, /empty file for 'deed\.pdf'/, /minute/]],
	unexpectedFile: [[{ ...PDF, expected: 'pdf' }, /'deed\.pdf' isn't a PDF/, /minute/]],
	incompleteFile: [[PDF, /'deed\.pdf'/, /discarded/]],
	documentNotInTransaction: [[{ documentId: 'do_1' }, /'Document' do_1/, /'Transaction'/]],
	signerNotInTransaction: [[SIGNER, /'Signer' x/, /: Jane; Joe$/]],
	signerCorrectedAlready: [
		[
			{ ...SIGNER, isRecalled: false },
			/x isn't in.* Jane; Joe is there already.*\?$/,
			/^Nothing was changed or sent\..*the correction is done$/,
		],
		[
			{ ...SIGNER, isRecalled: true },
			/x isn't in.* Jane; Joe is there already.*\?$/,
			/^Nothing was changed or sent\. Check.*If a correction was cut off, use 'Transaction: Send'$/,
		],
		[
			{ signer: 'x', present: [], isRecalled: true },
			/^'Signer' x is corrected already, and the transaction is recalled$/,
			/^Nothing was changed or sent\. If a correction was cut off, use 'Transaction: Send'$/,
		],
	],
	signerAmbiguous: [[SIGNER, /more than one/, /^Nothing was changed.*: Jane; Joe$/]],
	signerNotWritable: [[{ signer: 'Jane' }, /of Jane/, /^Nothing was changed/]],
	externalIdTaken: [[{ externalId: 's2', signer: 'Joe' }, /s2.*Joe/, /^Nothing was changed/]],
	signerIncomplete: [
		[
			{ signer: 'Joe', missing: 'entity', counterpart: 'capacity' },
			/a capacity .* an entity/,
			/^Nothing/,
		],
	],
	settingsNotShown: [
		[
			{ names: ['dob', 'middle_name'] },
			/^Nothing was changed yet: say in 'Settings Not Shown' whether the signers have/,
			/^These are: .* Look at the form .* choose 'There Are None'\. Otherwise/,
		],
		[
			{ names: ['paper_note_consent'] },
			/a change erases them$/,
			/choose 'Only Paper Note Consent'\. Otherwise/,
		],
	],
	signersAreFinal: [
		[{ because: 'expired' }, /expired/, /'Transaction: Copy'/],
		[{ because: { signer: 'Jane' } }, /Jane has completed/, /new transaction/],
	],
	correctionInterrupted: [
		[
			{ progress: 'recalled', cause: new ServiceFailure(REFUSED) },
			/too long\. .*recalled/,
			/goes on from there/,
		],
	],
};

const cases = Object.entries(CASES).flatMap(([code, list]) =>
	list.map(([facts, message, remedy]) => ({
		reason: { code, ...facts } as FailureReason,
		message,
		remedy,
	})),
);

test.each(cases)('$reason: names what happened and what to do', ({ reason, message, remedy }) => {
	const certain = explain(new ServiceFailure(reason));
	expect(certain.message).toMatch(message);
	expect(certain.remedy).toMatch(remedy);
	const unknown = explain(withUnknownOutcome(new ServiceFailure(reason)));
	forEachCase(Object.values({ ...certain, ...unknown }).filter(Boolean), (text) => {
		expect(text).not.toMatch(BLAME);
		expect(text).not.toMatch(/\.$/);
	});
	expect(certain.message).not.toMatch(UNKNOWN);
	// What interrupted a correction says so by itself.
	if (reason.code === 'correctionInterrupted') return expect(unknown).toEqual(certain);
	expect(unknown.message).toMatch(UNKNOWN);
	expect(unknown.remedy).toMatch(/^It may have been done: look/);
});

describe('a correction that was interrupted', () => {
	test.each<[CorrectionProgress, RegExp]>([
		['recalling', /unknown whether the transaction is recalled$/],
		['recalled', /recalled, and not sent again yet$/],
		['correcting', /is recalled, .*unknown whether the signer is corrected$/],
		['corrected', /recalled and corrected, and not sent again yet$/],
		['sending', /may be sent again already$/],
	])('%s: says where the transaction stands, not that nothing was changed', (stands, state) => {
		const cause = new ServiceFailure(REFUSED);
		const { message, remedy } = explain(
			new ServiceFailure({ code: 'correctionInterrupted', progress: stands, cause }),
		);
		expect(message).toMatch(state);
		expect(remedy).toMatch(
			/^Fix what's named above\. .*'Transaction: (?:Send|Get)'|goes on from there$/,
		);
		expect(remedy).not.toMatch(/nothing was changed/i);
	});
	test('by an unknown outcome says so once', () => {
		const cause = withUnknownOutcome(new ServiceFailure({ code: 'notShown', details: [] }));
		const reason: FailureReason = { code: 'correctionInterrupted', progress: 'sending', cause };
		const { message } = explain(withUnknownOutcome(new ServiceFailure(reason)));
		expect(message.match(/outcome is unknown/g)).toHaveLength(1);
	});
});

describe('a failure that is not of the service', () => {
	test('keeps its own words, also with an unknown outcome', () => {
		const failure = new ExplainedFailure('What happened', 'What to do');
		const words = { message: 'What happened', remedy: 'What to do' };
		expect(explain(failure)).toEqual(words);
		expect(withUnknownOutcome(failure)).toBeInstanceOf(ExplainedFailure);
		expect(explain(withUnknownOutcome(failure))).toEqual(words);
		expect(explain(new Failure('What happened'))).toEqual({ ...words, remedy: '' });
	});
	test('of the input begins with the parameter, and is final', () => {
		expect(new InputFailure('Email', 'is empty', 'Enter one')).toMatchObject({
			message: "'Email' is empty",
			flags: { final: true },
		});
		expect(new InputFailure('Signers', ', entry 2: must be an object', '').message).toBe(
			"'Signers', entry 2: must be an object",
		);
	});
});
