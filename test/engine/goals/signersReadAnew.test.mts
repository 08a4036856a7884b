import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import {
	answerFor,
	BUSINESS,
	complaint,
	JANE,
	run,
	sendClosing,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A correction writes the signers as they are after the recall. An answer that no longer shows one of
 * them would remove that one, and somebody else would get the documents alone.
 */

useSandbox();

const PLATFORMS = {
	async realEstate() {
		const transactionId = await createClosing(credential(), {
			signerExternalId: 's1',
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
			additionalFields: { paper_note_consent: true },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await sandbox.clock.advance(60_000);
		await run(sendClosing(id(transactionId)));
		return transactionId;
	},
	async business() {
		const { json } = await run(
			{
				...BUSINESS,
				draft: false,
				signers: { row: [JANE, { ...JANE, email: 'joe@example.com', external_id: 'co' }] },
				documents: {
					row: [{ source: 'binary', binaryPropertyName: 'data', requirement: 'notarization' }],
				},
			},
			{ items: [await pdfItem()] },
		);
		await sandbox.clock.advance(60_000);
		return String(json.transaction_id);
	},
};

type Change = (signers: IDataObject[]) => unknown;
const SHORT: Array<[string, Change]> = [
	['null for signers', () => null],
	['no signers', () => undefined],
	['an empty list of signers', () => []],
	['only the signer that is corrected', ([first]) => [first]],
	['only the other signer', ([, second]) => [second]],
];

test.each(
	SHORT.flatMap(([what, change]) =>
		(['realEstate', 'business'] as const).map((platform) => ({ what, change, platform })),
	),
)('$platform: an answer with $what changes no signer', async ({ change, platform }) => {
	const transactionId = await PLATFORMS[platform]();
	const shown = await answerFor(transactionId, platform);
	const signers = change(shown.signers as IDataObject[]);
	sandbox.faults.add({
		method: 'GET',
		path: new RegExp(`${transactionId}$`),
		skip: 1,
		times: 9,
		status: 200,
		body: { ...shown, signers, status: 'started', detailed_status: 'recalled' },
	});
	sandbox.requests.length = 0;
	const said = await complaint({
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'none',
		platform,
		transactionId: id(transactionId),
		signerId: id('s1'),
		corrections: { email: 'right@example.com' },
		sendAgain: true,
		recallReason: '',
		additionalFields: platform === 'realEstate' ? { paper_note_consent: true } : {},
		simplify: true,
	});
	expect(said).toMatch(/without 'signers'/);
	expect(said).toMatch(/The transaction is recalled, and not sent again yet/);
	expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
});
