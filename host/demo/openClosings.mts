import type { Sandbox } from '../../sandbox/index.mts';
import { createDraftClosing, createSentClosing } from '../clients/sandboxApi.mts';

/** Closings of an office on a usual morning: some wait for a signer, one isn't sent yet. */

const BORROWERS = [
	['Ana', 'Miller', '7001231', '100 Harbor Street'],
	['Kim', 'Okafor', '7001232', '7 Elm Street'],
	['Joe', 'Garcia', '7001233', '22 Lake Road'],
];

/** The node of the example that lists those that wait for a signer. */
export const WAITING_CLOSINGS = 'Closings that wait for a signer';

/** A borrower and, where there is a second name, a co-borrower. */
const person = (first: string, last: string, number: number) => ({
	email: `${first.toLowerCase()}.${last.toLowerCase()}@example.com`,
	first_name: first,
	last_name: last,
	external_id: `borrower-${number}`,
});

/** Creates them at the sandbox: the last one has a co-borrower, and one of the two has signed. */
export async function makeOpenClosings(sandbox: Sandbox): Promise<void> {
	const closing = ([first, last, loanNumber, street]: string[], coBorrower?: string) => ({
		transaction_name: `${last}, ${street}`,
		loan_number: loanNumber,
		signers: [
			person(first, last, 1),
			...(coBorrower === undefined ? [] : [person(coBorrower, last, 2)]),
		],
		street_address: { line1: street, city: 'Boston', state: 'MA', postal: '02110' },
	});
	await createDraftClosing(sandbox, closing(BORROWERS[0]));
	const expiring = { ...closing(BORROWERS[1]), expiration_time: '2099-12-01T12:00:00Z' };
	await createSentClosing(sandbox, expiring);
	const shared = await createSentClosing(sandbox, closing(BORROWERS[2], 'Sue'));
	await sandbox.act.sign(shared);
}
