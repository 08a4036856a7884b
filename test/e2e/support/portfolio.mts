import { createDraftClosing } from '../../../host/clients/sandboxApi.mts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { addDocument, Client } from '../../sandbox/support/client.mts';

/** Transactions of a small office, which has a completed one, too. */
export interface Portfolio {
	/** Sent to two borrowers. Mary has signed, Mark hasn't. */
	miller: string;
	/** A draft with one document. */
	baker: string;
}

const person = (first: string, last: string, more: object = {}) => ({
	first_name: first,
	last_name: last,
	email: `${first}.${last}@example.com`.toLowerCase(),
	external_id: `${first}-${last}`.toLowerCase(),
	phone: { country_code: '1', number: '6175550123' },
	...more,
});

/** Fills the sandbox. */
export async function fillPortfolio(sandbox: Sandbox): Promise<Portfolio> {
	const client = new Client(sandbox);
	const closing = async (name: string, loan: string, signers: object[]) =>
		await createDraftClosing(sandbox, {
			transaction_name: name,
			loan_number: loan,
			paper_note_consent: true,
			title_agency_id: 'or_agency_harbor',
			signers,
		});
	const send = async (id: string) =>
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
	const deed = { requirement: 'notarization', filename: 'Deed of Trust' };
	const miller = await closing('Refinance Miller', '7001234', [
		person('Mary', 'Miller'),
		person('Mark', 'Miller'),
	]);
	await addDocument(client, miller, deed);
	await send(miller);
	await sandbox.act.sign(miller);
	const baker = await closing('Purchase Baker', '7002222', [person('Ben', 'Baker')]);
	await addDocument(client, baker, deed);
	const carter = await closing('Refinance Carter', '7003333', [person('Cora', 'Carter')]);
	await addDocument(client, carter, deed);
	await send(carter);
	await sandbox.act.complete(carter);
	return { miller, baker };
}
