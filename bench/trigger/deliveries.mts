import { createHmac } from 'node:crypto';

/* Deliveries as the service sends them, for what measures the trigger. */

/** The body of an event about this transaction; each number is another event. */
export const eventBody = (transactionId: string, count: number) =>
	JSON.stringify({
		event: 'transaction.updated',
		data: {
			transaction_id: transactionId,
			date_occurred: new Date(1_767_225_600_000 + count).toISOString(),
		},
	});

/** The header with the signature of a body. */
export const signatureOf = (body: string, signingKey: string) => ({
	'x-signature': createHmac('sha256', signingKey).update(body).digest('hex'),
});

/**
 * Sends a delivery and reads the answer.
 * @throws unless it's answered 200
 */
export async function postEvent(
	url: string,
	body: string,
	headers: Record<string, string> = {},
): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
	});
	await response.arrayBuffer();
	if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}
