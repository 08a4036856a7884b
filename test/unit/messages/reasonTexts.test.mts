import { describe, expect, test } from '@jest/globals';

import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/explainedFailure.ts';
import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import {
	Failure,
	inDoubt,
	ServiceFailure,
	type CorrectionStands,
	type FailureReason,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';

/** What a person reads of every failure below the operations, word for word. */

const AGAIN = 'Run the node again in a minute. If this continues, contact the service';
const PAPER =
	"Some services never change the file or the designations of a document. Delete it with 'Document: Delete', and add it again with 'Document: Add'";
const LOOK_IT_UP = 'It may have been done: look at the service before you run the node again';

/** A reason, the message about it, and the remedy. */
type Case = [reason: FailureReason, message: string, remedy: string];

const read = (reason: FailureReason) => explain(new ServiceFailure(reason));

const ANSWERS: Case[] = [
	[
		{ code: 'unexpectedAnswer' },
		"The answer isn't the data that the service should send",
		"Check 'Base URL' in the credential: a web page or a proxy answered instead of the service",
	],
	[
		{ code: 'unexpectedList', came: "an object with 'warnings'", said: [] },
		"The service sent an object with 'warnings' instead of a list, so nobody knows what there is",
		AGAIN,
	],
	[
		{ code: 'unexpectedList', came: 'a text', said: ['Off', 'Later'] },
		'The service sent a text instead of a list, so nobody knows what there is',
		`The service said: Off; Later. ${AGAIN}`,
	],
	[
		{ code: 'paperNotShown', parts: ['file', 'designations'], said: ['Off'] },
		"The service answered, but doesn't show whether the document has its new file and designations",
		`The service said: Off. ${PAPER}`,
	],
	[
		{ code: 'paperNotShown', parts: ['file'], said: [] },
		"The service answered, but doesn't show whether the document has its new file",
		PAPER,
	],
	[
		{ code: 'notShown', said: [] },
		"The service answered, but doesn't show what it did",
		'If this continues, contact the service',
	],
	[
		{ code: 'notShown', said: ['Off'] },
		"The service answered, but doesn't show what it did",
		'The service said: Off. If this continues, contact the service',
	],
	[
		{ code: 'incompletelyRead', missing: ['signers', 'documents'], toWriteBack: true },
		"The service sent the transaction without 'signers', 'documents', which this change would have to send back",
		"Nothing was changed. Run the node again in a minute. If this continues, let 'Transaction: Get' return the raw data to see what the service sends",
	],
	[
		{ code: 'incompletelyRead', missing: ['signers'], toWriteBack: false },
		"The service sent the transaction without 'signers'",
		"Run the node again in a minute. If this continues, let 'Transaction: Get' return the raw data to see what the service sends",
	],
];

const CREDENTIAL: Case[] = [
	[
		{ code: 'unusableBaseUrl', fault: 'notHttps' },
		"'Base URL' in the credential can't be used",
		"'Base URL' must start with https://",
	],
	[
		{ code: 'missingApiKey' },
		"'API Key' is empty in the credential",
		'Enter the key that the service generated for your organization',
	],
	[
		{ code: 'unusableApiKey' },
		"'API Key' in the credential has a character that can't be sent",
		'Copy the key from the service again. It has only Latin letters without accents, digits and signs',
	],
	[
		{ code: 'foreignOrigin', origin: 'https://api.example.com', target: 'https://x.example' },
		"The API key is for https://api.example.com and wasn't sent to https://x.example",
		"Use an address of the service, or correct 'Base URL' in the credential",
	],
	[
		{ code: 'foreignOrigin', origin: 'https://api.example.com' },
		"The API key is for https://api.example.com and wasn't sent to an address that can't be read",
		"Use an address of the service, or correct 'Base URL' in the credential",
	],
];

const FILES: Case[] = [
	[
		{ code: 'unusableLink' },
		"The service sent a link that can't be opened",
		'Run the node again. If this continues, contact the service',
	],
	[
		{ code: 'forbiddenLink', target: '127.0.0.1' },
		'The service sent a link that must not be opened: 127.0.0.1',
		"Links need https and a public host without a user name, or the host of 'Base URL'. Contact the service if the link should be right",
	],
	[
		{ code: 'noContent' },
		'The service sent no content for the document',
		'Run the node again in a minute: the service may still be preparing the document',
	],
	[
		{ code: 'unreadableContent' },
		"The content that the service sent for the document can't be read",
		AGAIN,
	],
	[
		{ code: 'emptyFile', fileName: 'deed.pdf' },
		"The service sent an empty file for 'deed.pdf'",
		'Run the node again in a minute',
	],
	...(
		[
			['pdf', 'a PDF'],
			['xml', 'an XML file'],
			['image', 'an image'],
			['video', 'a video'],
		] as const
	).map(([expected, kind]): Case => [
		{ code: 'unexpectedFile', fileName: 'deed', expected },
		`What the service sent for 'deed' isn't ${kind}`,
		AGAIN,
	]),
	[
		{ code: 'incompleteFile', fileName: 'deed.pdf' },
		"The connection was cut while receiving 'deed.pdf'",
		'Run the node again: the incomplete file was discarded',
	],
];

const TRANSACTIONS: Case[] = [
	[
		{ code: 'unusableId', name: 'documentId', id: '..' },
		"'Document' is '..', which isn't an ID",
		'Choose one from the list or enter its ID',
	],
	[
		{ code: 'unusableId', name: 'recordId', id: '' },
		"'Notarization Record' is empty",
		'Choose one from the list or enter its ID',
	],
	[
		{ code: 'documentNotInTransaction', documentId: 'do_1' },
		"'Document' do_1 isn't in this transaction",
		"Choose one from the list or check 'Transaction'",
	],
	[
		{ code: 'signerNotInTransaction', signer: 'x', present: ['Jane', 'Joe'] },
		"'Signer' x isn't in this transaction",
		'Choose one of its signers: Jane; Joe',
	],
	[
		{ code: 'signerAmbiguous', signer: 'x', present: ['Jane', 'Joe'] },
		"'Signer' x fits more than one signer of this transaction",
		'Nothing was changed. Choose one by its ID or external ID: Jane; Joe',
	],
	[
		{ code: 'signerNotWritable', signer: 'Sam Hart' },
		"The service doesn't show the email address of Sam Hart, which this change would have to send back",
		"Nothing was changed. Enter it with 'Additional Fields (JSON)' under 'Settings Not Shown': Set Below",
	],
	...(
		[
			[['order'], 'signing order'],
			[['capacity', 'entity', 'middle_name'], 'capacity and middle name'],
			[
				['assurance_requirement', 'dob', 'paper_note_consent'],
				'identity checks, date of birth and paper note consent',
			],
		] as const
	).map(([names, listed]): Case => [
		{ code: 'settingsNotShown', names: [...names] },
		`The service doesn't show these settings, which this change would have to send back: ${listed}`,
		"Nothing was changed. If there are none, set 'Settings Not Shown' to There Are None. Otherwise, choose Set Below and enter them, or they would be lost",
	]),
	[
		{ code: 'documentsPending', documents: ['Deed', 'Note'], seconds: 120 },
		"The service is still processing 'Deed', 'Note'",
		"Nothing was sent. Run the node again in a minute, or raise 'Wait for Documents'. It waited 120 seconds",
	],
	[
		{ code: 'wrongState', step: 'unconfirmed', shown: { status: 'novel' } },
		'The transaction has the state "novel"',
		"Nothing was changed. To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
	],
	[
		{ code: 'wrongState', step: 'unconfirmed', shown: {} },
		"The transaction doesn't show whether it's sent",
		"Nothing was changed. To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
	],
	[
		{ code: 'documentFailed', document: 'Deed', why: 'unreadable' },
		"The service can't process 'Deed': unreadable",
		"Nothing was sent. Delete it with 'Document: Delete' and add a corrected file with 'Document: Add'",
	],
	[
		{ code: 'documentFailed', document: 'Deed' },
		"The service can't process 'Deed', and doesn't say why",
		"Nothing was sent. Delete it with 'Document: Delete' and add a corrected file with 'Document: Add'",
	],
	[
		{ code: 'externalIdInUse', externalId: 'b1', documents: ['Deed', 'Note'] },
		"Designations in 'Deed', 'Note' refer to the external ID 'b1', and would lose their signer",
		"Nothing was changed. Keep 'External ID', or delete these documents and add them again after the correction",
	],
	...(
		[
			['expired', 'the transaction has expired'],
			['completed', 'the transaction is completed'],
			[{ signer: 'Jane' }, 'Jane has completed'],
		] as const
	).map(([because, why]): Case => [
		{ code: 'signersAreFinal', because },
		`Signers can no longer be changed: ${why}`,
		'Create a new transaction for what is still to be signed',
	]),
];

const CASES = Object.entries({ ANSWERS, CREDENTIAL, FILES, TRANSACTIONS }).flatMap(
	([group, cases]) => cases.map((one): [string, ...Case] => [group.toLowerCase(), ...one]),
);

describe.each(CASES)('%s: %j', (_group, reason, message, remedy) => {
	test('says what happened and what to do', () => {
		expect(read(reason)).toEqual({ message, remedy });
	});
	test('in doubt, says first that the outcome is unknown and where to look', () => {
		expect(explain(inDoubt(new ServiceFailure(reason)))).toEqual({
			message: `${message}, so the outcome is unknown`,
			remedy: `${LOOK_IT_UP}. ${remedy}`,
		});
	});
});

describe('a write that was not done', () => {
	test.each([
		[{ still: 'draft' }, 'the transaction is still a draft'],
		[{ still: 'sent' }, 'the transaction is still with its signers'],
		[{ still: 'there' }, "it's still there"],
		[{ still: 'missing' }, "it isn't there"],
		[{ unchanged: ['name', 'signers'] }, "it shows no change of 'name', 'signers'"],
	] as const)('because of %j says so', (why, shown) => {
		const reason = { code: 'notDone', why, said: [] } as unknown as FailureReason;
		expect(read(reason)).toEqual({
			message: `The service answered, but ${shown}`,
			remedy: 'Run the node again. If this continues, contact the service',
		});
	});
	test("repeats the service's words", () => {
		const { remedy } = read({ code: 'notDone', why: { still: 'draft' }, said: ['Off', 'Later'] });
		expect(remedy).toBe(
			'The service said: Off; Later. Run the node again. If this continues, contact the service',
		);
	});
	test('because the document keeps its paper says how to replace it', () => {
		expect(
			read({ code: 'notDone', why: { kept: ['file', 'designations'] }, said: ['Off'] }),
		).toEqual({
			message: 'The service answered, but the document still has its old file and designations',
			remedy: `The service said: Off. ${PAPER}`,
		});
	});
	test('and whose answer was lost says why, and that the outcome is known', () => {
		const lost = inDoubt(
			new ServiceFailure({ code: 'unreachable', fault: 'ECONNRESET', attempts: 1 }),
		);
		expect(read({ code: 'notDone', why: { still: 'missing' }, said: [], lost })).toEqual({
			message: "The connection to the service was cut, and it isn't there",
			remedy: 'Run the node again; check your network if it happens often (ECONNRESET)',
		});
		expect(read({ code: 'notDone', why: { kept: ['file'] }, said: [], lost })).toEqual({
			message: 'The connection to the service was cut, and the document still has its old file',
			remedy: PAPER,
		});
	});
});

describe('a correction that stopped half-way', () => {
	const cause = new ServiceFailure({
		code: 'refused',
		status: 422,
		said: ['Name is too long'],
		asked: 'write',
		attempts: 1,
	});
	const GO_ON =
		"Run this again: it goes on from here. Or send it as it is with 'Transaction: Send'";
	const LOOKS = 'Run this again: it looks first, and goes on from there';
	test.each<[CorrectionStands, string, string]>([
		[
			'recalling',
			'Nobody knows whether the transaction is recalled',
			"Look at the transaction. If it's a draft, its signers can't sign. Run this again: it goes on from there",
		],
		['recalled', 'The transaction is recalled, and not sent again yet', GO_ON],
		[
			'correcting',
			'The transaction is recalled, and nobody knows whether the signer is corrected',
			LOOKS,
		],
		['corrected', 'The transaction is recalled and corrected, and not sent again yet', GO_ON],
		['sending', 'The transaction is recalled and corrected, and may be sent again already', LOOKS],
		[
			'restored',
			"The transaction was recalled and is sent again, and the service doesn't show the correction",
			'Run this again when the cause is mended',
		],
		[
			'restoring',
			'The transaction was recalled, the signer is not corrected, and nobody knows whether the transaction is sent again',
			LOOKS,
		],
	])('%s says where it stands, and no longer that nothing was changed', (stands, state, next) => {
		expect(read({ code: 'correctionInterrupted', stands, cause })).toEqual({
			message: `The service refused this: Name is too long. ${state}`,
			remedy: `Correct what it names and run the node again. ${next}`,
		});
	});
	test('with a cause in doubt repeats the doubt once', () => {
		const unsure = inDoubt(new ServiceFailure({ code: 'notShown', said: [] }));
		const reason: FailureReason = {
			code: 'correctionInterrupted',
			stands: 'sending',
			cause: unsure,
		};
		expect(explain(inDoubt(new ServiceFailure(reason)))).toEqual({
			message:
				"The service answered, but doesn't show what it did, so the outcome is unknown. The transaction is recalled and corrected, and may be sent again already",
			remedy: `${LOOK_IT_UP}. If this continues, contact the service. ${LOOKS}`,
		});
	});
});

describe('a failure that is not of the service', () => {
	test('is repeated with its own words, in doubt or not', () => {
		const failure = new ExplainedFailure('What happened', 'What to do');
		const words = { message: 'What happened', remedy: 'What to do' };
		expect(explain(failure)).toEqual(words);
		expect(explain(inDoubt(failure))).toEqual(words);
	});
	test('and has no words for a remedy has none', () => {
		expect(explain(new Failure('What happened'))).toEqual({ message: 'What happened', remedy: '' });
	});
});
