import { PDFDocument } from '@cantoo/pdf-lib';

import { createDraftClosing } from '../../host/clients/sandboxApi.mts';
import { waitUntil } from '../../host/run/patience.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { asAccount, type AccountName } from './accounts.mts';
import type { Ledger } from './ledger.mts';

/** Transactions that are completed while no webhook hears of it. */

export type ListedPlatform = 'realEstate' | 'business';

/** The paths below which the platforms have their transactions. */
export const LISTS: Record<ListedPlatform, string> = {
	realEstate: '/mortgage/v1/transactions',
	business: '/transactions',
};
const SENDS: Record<ListedPlatform, string> = {
	realEstate: 'place_order',
	business: 'notarization_ready',
};

/** What an order needs beside its document. */
const CLOSING = { transaction_type: 'real_estate_esign', title_agency_id: 'or_agency_harbor' };

/**
 * Has transactions created, sent and completed by their signers.
 * @returns the numbers of the events that they are completed
 */
export async function completeSome(
	sandbox: Sandbox,
	ledger: Ledger,
	{ account, platform, count }: { account: AccountName; platform: ListedPlatform; count: number },
): Promise<number[]> {
	const numbers: number[] = [];
	for (let made = 0; made < count; made++) {
		const id = await sendTransaction(sandbox, account, platform);
		const number = ledger.add(account);
		ledger.completions.set(id, number);
		await sandbox.act.complete(id);
		numbers.push(number);
	}
	return numbers;
}

async function sendTransaction(
	sandbox: Sandbox,
	account: AccountName,
	platform: ListedPlatform,
): Promise<string> {
	const access = asAccount(sandbox, account);
	const post = async (path: string, body: object): Promise<{ id: string }> => {
		const response = await fetch(`${access.url}${LISTS[platform]}${path}`, {
			method: 'POST',
			headers: { ApiKey: access.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
		return (await response.json()) as { id: string };
	};
	const id =
		platform === 'realEstate'
			? await createDraftClosing(access, CLOSING)
			: (await post('', { draft: true, signers: [{ email: 'kim@example.com' }] })).id;
	const pdf = await PDFDocument.create();
	pdf.addPage();
	await post(`/${id}/documents`, { resource: await pdf.saveAsBase64(), requirement: 'esign' });
	const { documents } = sandbox.world.transactions.get(id)!;
	await waitUntil(
		() => documents.every(({ state }) => state !== 'pending'),
		() => `The documents of ${id} aren't processed`,
		{ pauseMs: 10 },
	);
	await post(`/${id}/${SENDS[platform]}`, {});
	return id;
}
