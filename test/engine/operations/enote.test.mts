import { describe, expect, test } from '@jest/globals';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { complaint, run, sendClosing } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** eNote: Add, and sending a closing that needs one. */

useSandbox();

describe('eNote: Add and Transaction: Send', () => {
	const enote = (transactionId: string) => ({
		resource: 'enote',
		operation: 'add',
		transactionId: id(transactionId),
		source: 'url',
		fileUrl: `${sandbox.url}/samples/enote.xml`,
		enoteType: 'ENOTE',
		borrowers: {
			row: [{ first_name: 'Jane', last_name: 'Borrower', middle_name: '', ssn: '078-05-1120' }],
		},
	});
	const send = (transactionId: string) => sendClosing(id(transactionId));
	test('a refinance without eNote is refused with the remedy, with eNote it is sent; the social security number is not in the output', async () => {
		const transactionId = await createClosing(credential());
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		const { error } = await runNode({ credential: credential(), parameters: send(transactionId) });
		expect(error?.message).toBe('The service refused this: eNote Required');
		expect(error?.description).toMatch(/'eNote: Add'/);
		const added = await run(enote(transactionId));
		expect(added.items[0].json).toMatchObject({ transaction_id: transactionId, is_enote: true });
		expect(JSON.stringify(added.items)).not.toContain('078-05-1120');
		const sent = await run(send(transactionId));
		expect(sent.items[0].json).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
	});
	test('a send whose answer was lost is looked up and not repeated', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { paper_note_consent: true },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		sandbox.faults.add({ method: 'POST', path: 'place_order', kind: 'cutAfter' });
		const { items } = await run(send(transactionId));
		expect(items[0].json.detailed_status).toBe('sent_to_signer');
		expect(
			sandbox.requests.filter(({ path }) => path.includes(`${transactionId}/place_order`)),
		).toHaveLength(1);
	});
});

describe('what an eNote keeps secret', () => {
	test('a social security number is kept out of messages, as a number and with hyphens', async () => {
		const transactionId = await createClosing(credential());
		for (const ssn of ['={{ 123456789 }}', '123-45-6789']) {
			sandbox.faults.add({
				method: 'POST',
				path: /enote$/,
				status: 422,
				body: { errors: ['SSN 123456789 does not match'] },
			});
			const said = await complaint({
				resource: 'enote',
				operation: 'add',
				transactionId: id(transactionId),
				source: 'url',
				fileUrl: `${sandbox.url}/samples/enote.xml`,
				enoteType: 'ENOTE',
				borrowers: { row: [{ first_name: 'J', last_name: 'B', ssn }] },
			});
			expect(said).toMatch(/does not match/);
			expect(said).not.toMatch(/123456789/);
		}
	});
});
