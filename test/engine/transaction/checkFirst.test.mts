import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { signerOf } from '../../support/live/signers.mts';
import { sendClosing } from '../../support/operations.mts';

/** Transaction: Send with Check First stops a draft that lacks something, and sends any other. */

const SIGNER = signerOf({ email: 'jane@example.com', first_name: 'Jane', last_name: 'Lee' }, 0);
const AFFIDAVIT = liveBusinessDocument({
	document_name: 'Affidavit',
	requirement: 'esign',
	allowed_actions: [],
});
const DEED = liveBusinessDocument();
const DRAFT: IDataObject = { ...liveClosing([DEED]), signers: [SIGNER], cost: 0 };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const LENDER = { lender: { id: 'or1', name: 'Harbor Lending' } };

/** Sends a transaction that is shown like this, one answer after the other. */
const send = async (
	answers: IDataObject[],
	additionalFields: IDataObject = { checkFirst: true },
	platform: 'business' | 'realEstate' = 'business',
) =>
	await withService(
		({ method }) => {
			if (method === 'POST') return { body: { ...DRAFT, ...SENT } };
			return { body: answers.length > 1 ? answers.shift()! : answers[0] };
		},
		async ({ credential, requests }) => {
			const { items, error } = await runNode({
				credential,
				parameters: { ...sendClosing(id('ot_od4kenk')), platform, additionalFields },
			});
			const posts = requests.filter(({ method }) => method === 'POST');
			return {
				json: items[0]?.json,
				error,
				posts,
				reads: requests.filter(({ method }) => method === 'GET').map(({ path }) => path),
			};
		},
	);

test('what lacks nothing is sent, without a further question', async () => {
	const { json, error, posts, reads } = await send([DRAFT]);
	expect(error).toBeUndefined();
	expect(json).toMatchObject(SENT);
	expect(posts).toHaveLength(1);
	expect(posts[0].body).toBe('');
	expect(reads).toEqual(['/v1/transactions/ot_od4kenk']);
});

test('all that is missing is told at once, with what to do', async () => {
	const { error, posts } = await send([
		{
			...DRAFT,
			signers: [SIGNER, { ...SIGNER, email: 'john@', last_name: 'Lee' }],
			documents: [AFFIDAVIT, { ...DEED, processing_state: 'failed' }],
			expiry: '2026-01-01T00:00:00Z',
		},
	]);
	expect(error?.message).toBe("The transaction can't go out yet: 4 things are missing");
	expect(error?.description).toBe(
		"Nothing was sent. (1) It expired at 2026-01-01T00:00:00Z. The service no longer sends or changes it: create a new transaction. (2) The email address of Jane Lee · john@ is 'john@', which isn't one. Correct it with 'Transaction: Correct Signer'. (3) The service can't process 'Deed of Trust'. Delete it with 'Document: Delete', and add a corrected file with 'Document: Add'. (4) 'Affidavit' has no place to sign. Delete it, and add it again with 'Where to Sign' of 'Document: Add'",
	);
	expect(posts).toEqual([]);
});

test('one thing is told as one', async () => {
	const { error, posts } = await send([{ ...DRAFT, documents: [] }]);
	expect(error?.message).toMatch(/^The transaction can't go out yet: .*no document/);
	expect(error?.description).toMatch(/^Nothing was sent\. .*'Document: Add'/);
	expect(posts).toEqual([]);
});

test.each<[string, IDataObject]>([
	[
		'a warning',
		{
			documents: [
				liveBusinessDocument({
					requirement: 'readonly',
					notarization_required: false,
					allowed_actions: [],
				}),
			],
		},
	],
	['something unknown', { documents: [{ id: 'do_1', requirement: 'notarization' }] }],
])('%s stops nothing', async (_what, more) => {
	const { error, posts } = await send([{ ...DRAFT, ...more }]);
	expect(error).toBeUndefined();
	expect(posts).toHaveLength(1);
});

test.each([{}, { checkFirst: false }])('without it, the service judges: %o', async (fields) => {
	const { error, posts } = await send([{ ...DRAFT, documents: [] }], fields);
	expect(error).toBeUndefined();
	expect(posts).toHaveLength(1);
});

test('what is pending is waited for, and checked when it is done', async () => {
	const pending = { ...AFFIDAVIT, processing_state: 'pending' };
	const place = { signing_designations: [{ signer_identifier: 'borrower-1' }] };
	const signers = [{ ...SIGNER, external_id: 'borrower-1' }];
	const first = { ...DRAFT, signers, documents: [DEED, pending] };
	const good = await send([first, { ...first, documents: [DEED, { ...AFFIDAVIT, ...place }] }]);
	expect(good.error).toBeUndefined();
	expect([good.reads.length, good.posts.length]).toEqual([2, 1]);
	const bad = await send([first, { ...first, documents: [DEED, AFFIDAVIT] }]);
	expect(bad.error?.message).toMatch(/'Affidavit' has no place to sign/);
	expect(bad.posts).toEqual([]);
});

test('what is missing beside a pending document is told without a wait', async () => {
	const { error, reads } = await send([
		{ ...DRAFT, signers: [], documents: [{ ...DEED, processing_state: 'pending' }] },
	]);
	expect(error?.message).toMatch(/There's no signer/);
	expect(reads).toHaveLength(1);
});

test('what was sent already follows If Already Sent, whatever it lacks', async () => {
	const sent = { ...DRAFT, ...SENT, documents: [], signers: [] };
	const returned = await send([sent], { checkFirst: true, ifAlreadySent: 'return' });
	expect(returned.error).toBeUndefined();
	expect(returned.json).toMatchObject(SENT);
	expect(returned.posts).toEqual([]);
	const refused = await send([sent]);
	expect(refused.error?.message).toMatch(/^The transaction is already sent/);
	expect(refused.posts).toEqual([]);
});

test.each<[string, IDataObject, RegExp | undefined]>([
	['its team adds the places', {}, undefined],
	['its team is skipped', { skip_closing_ops: true }, /'Affidavit' has no place to sign/],
])('a closing without places: %s', async (_when, more, told) => {
	const documents = [
		liveDocument(),
		liveDocument({
			document_name: 'Affidavit',
			requirement: 'esign',
			allowed_actions: [],
			permissions: [],
		}),
	];
	const { error, posts } = await send(
		[{ ...DRAFT, documents }],
		{ checkFirst: true, ...more },
		'realEstate',
	);
	expect(posts).toHaveLength(told === undefined ? 1 : 0);
	if (told === undefined) expect(error).toBeUndefined();
	else expect(error?.message).toMatch(told);
});

test('a title agency that no answer shows stops nothing, and neither does what the closing team has said before', async () => {
	const held = { ...DRAFT, ...LENDER, order_progress: 'on_hold_enote', contacts: [] };
	const { error, posts } = await send([held], { checkFirst: true }, 'realEstate');
	expect([error, posts.length]).toEqual([undefined, 1]);
});
