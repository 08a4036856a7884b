import { createClosing, id, toForm } from '../../../support/closing.mts';
import { run, sendClosing } from '../../../support/operations.mts';
import { credential, sandbox } from '../../../support/useSandbox.mts';
import { addDeed, borrowers, correct, on, refuse, sent, type Person } from '../person.mts';

/** Messages of correcting a signer. */

type Play = (person: Person) => Promise<void>;

const held = (closing: string) => sandbox.world.transactions.get(closing)!;
/** The signer is corrected, and the closing is sent, both once. */
function expectDone(closing: string, email = 'right@example.com') {
	const { signers, status } = held(closing);
	expect({ email: signers[0].email, status }).toEqual({ email, status: 'sent' });
}
const lastingly = { times: Infinity, status: 422, body: { errors: ['Not now'] } };

/** A step is done, and neither its answer nor any look after it comes. */
async function lose(person: Person, closing: string, method: string, path: string | RegExp) {
	sandbox.faults.add({ method, path, kind: 'cutAfter' });
	const end = sandbox.faults.begin({ method: 'GET', path: closing, skip: 1, ...lastingly });
	await person.fails(correct(closing));
	end();
}

export const CORRECTING: Record<string, Play> = {
	'code: signerNotInTransaction': async (person) => {
		const closing = await sent();
		await person.fails(correct(closing, { signerId: id('nobody@example.com') }));
		const signerId = id('jane.borrower@example.com');
		await person.again('jane.borrower@example.com', correct(closing, { signerId }));
		expectDone(closing);
	},
	'code: signerCorrectedAlready': async (person) => {
		const closing = await sent();
		await run(correct(closing));
		await person.fails(correct(closing, { signerId: id('jane.borrower@example.com') }));
		person.reads('is it the right transaction?', 'the correction is done');
		await run(on(closing, 'recall', { evenIfSent: true }));
		await person.fails(correct(closing));
		person.reads('is corrected already, and the transaction is recalled');
		await person.does(
			"If a correction was cut off, use 'Transaction: Send'",
			sendClosing(id(closing)),
		);
		expectDone(closing);
	},
	'code: signerAmbiguous': async (person) => {
		const joe = { first_name: 'Joe', last_name: 'Borrower', external_id: 'borrower-2' };
		const closing = await createClosing(credential(), {
			signers: borrowers({}, { ...joe, email: 'jane.borrower@example.com' }),
			...toForm({ paper_note_consent: true, loan_number: '7033' }),
		});
		await addDeed(closing);
		await run(sendClosing(id(closing)));
		await person.fails(correct(closing, { signerId: id('jane.borrower@example.com') }));
		await person.again('by its ID or external ID', correct(closing));
		expectDone(closing);
	},
	'code: externalIdTaken': async (person) => {
		const joe = { email: 'joe@example.com', first_name: 'Joe', last_name: 'Borrower' };
		const closing = await createClosing(credential(), {
			signers: borrowers({}, { ...joe, external_id: 'borrower-2' }),
			...toForm({ paper_note_consent: true, loan_number: '7030' }),
		});
		await addDeed(closing);
		const corrections = (external_id: string) => ({
			corrections: { email: 'right@example.com', external_id },
		});
		await person.fails(correct(closing, corrections('borrower-2')));
		await person.again('an external ID of its own', correct(closing, corrections('borrower-3')));
		expect(held(closing).signers[0].external_id).toBe('borrower-3');
	},
	'code: signerIncomplete': async (person) => {
		const closing = await sent();
		const details = (more: object) => ({
			corrections: { details: { capacity: 'Trustee', ...more } },
		});
		await person.fails(correct(closing, details({})));
		person.reads('Enter both or neither');
		await person.again("in 'Corrections'", correct(closing, details({ entity: 'Poe Trust' })));
		expectDone(closing, 'jane.borrower@example.com');
	},
	'code: settingsNotShown': async (person) => {
		const closing = await sent();
		await person.fails(correct(closing, { settingsNotShown: 'stop' }));
		person.reads(
			'Nothing was changed',
			"choose 'Set Below' and enter them again",
			'Only Paper Note Consent',
		);
		await person.again(
			"choose 'Only Paper Note Consent'",
			correct(closing, { settingsNotShown: 'consent', closingSettings: {} }),
		);
		expect(held(closing).fields.paper_note_consent).toBe(true);
		expectDone(closing);
	},
	'code: externalIdInUse': async (person) => {
		const closing = await createClosing(credential(), {
			...toForm({ paper_note_consent: true, loan_number: '7031' }),
		});
		const place = { type: 'signature', page_number: 0, x: 72, y: 96, width: 180, height: 24 };
		const designationsJson = JSON.stringify([{ signer_identifier: 'borrower-1', ...place }]);
		await addDeed(closing, { requirement: 'esign', designationsJson });
		const corrections = { email: 'right@example.com', external_id: 'borrower-9' };
		await person.fails(correct(closing, { corrections }));
		await person.again("Keep 'External ID'", correct(closing));
	},
	'code: signersAreFinal': async (person) => {
		const closing = await sent();
		await sandbox.act.sign(closing);
		await sandbox.act.notarize(closing);
		await person.fails(correct(closing));
		person.reads('Create a new transaction');
		const next = await createClosing(credential(), {
			signers: borrowers({ email: 'right@example.com' }),
			...toForm({ paper_note_consent: true, loan_number: '7032' }),
		});
		await addDeed(next);
		await run(sendClosing(id(next)));
	},
	'code: incompletelyRead': async (person) => {
		const closing = await sent();
		const { json } = await run(on(closing, 'get', { output: 'raw' }));
		const body = { ...json, id: closing, documents: undefined };
		sandbox.faults.add({ method: 'GET', path: closing, status: 200, body });
		await person.fails(correct(closing));
		person.reads('Nothing was changed', "'Transaction: Get'");
		await person.again('Run the node again in a minute', correct(closing));
		expectDone(closing);
	},
	'code: correctionInterrupted': async (person) => {
		const closing = await sent();
		refuse('POST', 'place_order', 422, 'Not now');
		await person.fails(correct(closing));
		expect(person.said).not.toMatch(/Nothing was changed|run the node again/i);
		await person.does("'Transaction: Send'", sendClosing(id(closing)));
		expectDone(closing);
	},
	'stands: recalling': async (person) => {
		const closing = await sent();
		await lose(person, closing, 'POST', 'recall');
		person.reads('unknown whether the transaction is recalled');
		await person.again('Run the node again', correct(closing));
		expectDone(closing);
	},
	'stands: recalled': async (person) => {
		const closing = await sent();
		refuse('PUT', closing, 422, 'Not now');
		await person.fails(correct(closing));
		person.reads('recalled, and not sent again yet');
		await person.again('Run the node again', correct(closing));
		expectDone(closing);
	},
	'stands: correcting': async (person) => {
		const closing = await sent();
		await lose(person, closing, 'PUT', closing);
		const { json } = (await person.does(
			"'Transaction: Get'",
			on(closing, 'get', { output: 'raw' }),
		)) as never as { json: { signers: Array<{ email: string }> } };
		expect(json.signers[0].email).toBe('right@example.com');
		await person.does("If it's corrected, use 'Transaction: Send'", sendClosing(id(closing)));
		expectDone(closing);
	},
	'stands: corrected': async (person) => {
		const closing = await sent();
		refuse('POST', 'place_order', 422, 'Not now');
		await person.fails(correct(closing));
		person.reads('recalled and corrected, and not sent again yet');
		await person.does("Use 'Transaction: Send'", sendClosing(id(closing)));
		expectDone(closing);
	},
	'stands: sending': async (person) => {
		const closing = await sent();
		await lose(person, closing, 'POST', 'place_order');
		person.reads('may be sent again already');
		const shown = await person.does("'Transaction: Get'", on(closing, 'get'));
		expect(shown.items[0].json.status).toBe('sent');
		expectDone(closing);
	},
};
