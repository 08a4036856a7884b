import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer } from '../../support/live/service.mts';
import { hints, sendClosing } from '../../support/operations.mts';

/** Transaction: Send waits until the service has processed the documents, and sends once. */

const DONE = { ...liveDocument(), document_name: 'Deed', processing_state: 'done' };
const PENDING = { ...liveDocument(), document_name: 'Note', processing_state: 'pending' };
const unknown: IDataObject = { ...liveDocument() };
delete unknown.processing_state;
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };

/** Sends a draft whose documents are shown like this, one answer after the other. */
const send = async (
	shown: IDataObject[][],
	more: IDataObject = {},
	sent: Answer = { body: { ...liveClosing([]), ...SENT } },
) =>
	await withService(
		({ method }) =>
			method === 'GET' ? { body: liveClosing(shown.length > 1 ? shown.shift()! : shown[0]) } : sent,
		async ({ credential, requests }) => {
			const outcome = await runNode({
				credential,
				parameters: { ...sendClosing(id('ot_od4kenk')), additionalFields: more },
			});
			const { items, error } = outcome;
			const posts = requests.filter(({ method }) => method === 'POST');
			return {
				json: items[0]?.json,
				hint: hints(outcome),
				error,
				posts,
				reads: requests.length - posts.length,
			};
		},
	);

test.each<[string, IDataObject[][], number]>([
	['all are processed', [[DONE]], 1],
	['nothing shows how far they are', [[unknown]], 1],
	[
		'they become so',
		[
			[DONE, PENDING],
			[DONE, PENDING],
			[DONE, DONE],
		],
		3,
	],
])('it is sent once %s', async (_when, shown, reads) => {
	const sent = await send(shown);
	expect(sent.error).toBeUndefined();
	expect(sent.json).toMatchObject(SENT);
	expect([sent.reads, sent.posts.length, sent.posts[0].body]).toEqual([reads, 1, '']);
});
test.each<[string, IDataObject, IDataObject, RegExp]>([
	['are pending to the end', PENDING, { wait_for_documents: 1 }, /still processing 'Note'/],
	[
		'have failed with a reason',
		{ ...PENDING, processing_error: 'Encrypted' },
		{},
		/'Note': Encrypted/,
	],
	[
		'have failed without',
		{ ...PENDING, processing_state: 'failed' },
		{},
		/'Note', and doesn't say why/,
	],
])('nothing is sent when documents %s', async (_what, document, more, message) => {
	const { error, posts, reads } = await send([[DONE, document]], more);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(/^Nothing was sent\. /);
	expect(posts).toEqual([]);
	// Pauses grow from 0.1 to 0.17 and 0.29 seconds, and the last look is at the end.
	expect(reads).toBeLessThanOrEqual(6);
});
const TO_JANE = { ...liveClosing([]), signers: [{ email: 'jane@example.com' }] };
const PLACED = { status: 'sent_to_closing_ops', detailed_status: 'order_placed' };
test.each<[string, IDataObject, IDataObject, string]>([
	['to the signer', { ...TO_JANE, ...SENT }, {}, 'Sent to jane@example.com'],
	[
		'to the closing team',
		{ ...TO_JANE, ...PLACED },
		{},
		"Sent. It's prepared first, and then goes to jane@example.com",
	],
	[
		'in a state that says nothing',
		{ ...TO_JANE, status: 'strange', detailed_status: null },
		{},
		'',
	],
	['to somebody without an address', { ...TO_JANE, ...SENT, signers: [{ id: 'ps_1' }] }, {}, ''],
	[
		'without an email',
		{ ...TO_JANE, ...SENT },
		{ suppress_email: true },
		'The service sent no invitation',
	],
])('the hint says to whom it went: %s', async (_where, body, more, told) => {
	const { hint } = await send([[DONE]], more, { body });
	expect(told === '' ? hint : hint.slice(0, told.length)).toBe(told);
});
test('a refusal is told as the service says it, and options go into the body', async () => {
	const refusal = { status: 422, body: { errors: ['A document is still being split'] } };
	const { error, posts } = await send(
		[[DONE]],
		{ suppress_email: true, skip_closing_ops: true },
		refusal,
	);
	expect(error?.message).toMatch(/still being split/);
	expect(posts.map(({ body }) => body)).toEqual([{ suppress_email: true, skip_closing_ops: true }]);
});
test('a wait that is no number is refused before anything is sent', async () => {
	const { error, reads } = await send([[DONE]], { wait_for_documents: 'long' });
	expect(error?.message).toMatch(/^'Wait for Documents' is 'long'/);
	expect(reads).toBe(0);
});
