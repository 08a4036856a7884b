import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, borrowers, createClosing, id, pdfItem } from '../../support/closing.mts';
import {
	answerFor,
	BUSINESS,
	complaint,
	JANE,
	run,
	sendClosing,
	transaction,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A correction writes the signers as they were shown before the recall. A later answer that no longer
 * shows one of them must not remove that one: somebody else would get the documents alone.
 */

useSandbox();

const PLATFORMS = {
	async realEstate() {
		const transactionId = await createClosing(credential(), {
			signers: borrowers({ external_id: 's1' }, { email: 'joe@example.com', external_id: 'co' }),
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

const CASES = SHORT.flatMap(([what, change]) =>
	(['realEstate', 'business'] as const).map((platform) => ({ what, change, platform })),
);
const correct = (transactionId: string, platform: IDataObject[string]): IDataObject => ({
	resource: 'transaction',
	operation: 'correctSigner',
	settingsNotShown: 'set',
	closingSettings: { paper_note_consent: true },
	platform,
	transactionId: id(transactionId),
	signerId: id('s1'),
	corrections: { email: 'right@example.com' },
	sendAgain: true,
	recallReason: '',
	additionalFields: {},
});
/** Answers reads with other signers than there are. */
async function showSigners(
	transactionId: string,
	{ change, platform }: (typeof CASES)[number],
	skip: number,
): Promise<void> {
	const shown = await answerFor(transactionId, platform);
	sandbox.faults.add({
		method: 'GET',
		path: new RegExp(`${transactionId}$`),
		skip,
		times: 9,
		status: 200,
		body: { ...shown, signers: change(shown.signers as IDataObject[]) },
	});
	sandbox.requests.length = 0;
}

test.each(CASES)('$platform: $what after the recall takes nobody out', async (how) => {
	const transactionId = await PLATFORMS[how.platform]();
	await showSigners(transactionId, how, 1);
	const { json } = await run(correct(transactionId, how.platform));
	expect(json.correction_steps).toEqual(['recalled', 'corrected', 'sent']);
	expect(transaction(transactionId).signers.map(({ email }) => email)).toEqual([
		'right@example.com',
		'joe@example.com',
	]);
});

test.each(CASES.filter(({ what }) => what !== 'only the signer that is corrected'))(
	'$platform: $what before the recall stops the correction',
	async (how) => {
		const transactionId = await PLATFORMS[how.platform]();
		await showSigners(transactionId, how, 0);
		expect(await complaint(correct(transactionId, how.platform))).toMatch(
			/'Signer' s1 isn't in this transaction/,
		);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
	},
);
