import { borrowers, createClosing, id } from '../../support/closing.mts';
import { BUSINESS, complaint, run, UPDATE_CLOSING } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Writes whose answer says nothing are looked up, not done twice, and not reported as done without
 * proof.
 */

useSandbox();

test.each(['realEstate', 'business'])(
	'an update (%s) answered with nothing, which can not be looked up: the outcome is unknown',
	async (platform) => {
		const transactionId =
			platform === 'realEstate'
				? await createClosing(credential())
				: String((await run(BUSINESS)).json.transaction_id);
		sandbox.faults.add({
			method: platform === 'realEstate' ? 'PUT' : 'PATCH',
			path: /\/transactions\//,
			status: 200,
			body: '',
		});
		sandbox.faults.add({
			method: 'GET',
			path: /\/transactions\//,
			status: 401,
			skip: 1,
			times: 9,
			body: { error: 'no' },
		});
		expect(
			await complaint({
				...UPDATE_CLOSING,
				platform,
				transactionId: id(transactionId),
				updateFields: { external_id: 'x1' },
			}),
		).toMatch(/outcome is unknown/);
	},
);
test('an update that removes a signer is not taken for done while the signer is there', async () => {
	const transactionId = await createClosing(credential(), {
		signers: borrowers({}, { email: 'joe@example.com', external_id: 'co' }),
	});
	sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, kind: 'cutBefore' });
	expect(
		await complaint({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: {
				signers: { row: [{ email: 'jane.borrower@example.com', external_id: 'borrower-1' }] },
			},
		}),
	).toMatch(/was cut, and it shows no change of 'Signers'/);
});
