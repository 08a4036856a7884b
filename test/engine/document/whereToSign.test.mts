import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { runNode } from '../../support/engine.mts';
import { BUSINESS, complaint, hints, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Where to Sign: what each choice sends, what it refuses, and what is told after the upload. */

useSandbox();

const add = async (more: IDataObject, transactionId = 'ot_unknown') => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	source: 'url',
	fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
	documentName: 'Deed',
	...more,
});

/** What the last request that wrote something sent of the places to sign. */
function sentLast(): IDataObject {
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const {
		text_tag_syntax: tags,
		customer_can_annotate: annotates,
		signing_designations: places,
	} = body as IDataObject;
	return { tags, annotates, places };
}

describe('what is sent with', () => {
	const NONE = { tags: undefined, annotates: undefined, places: undefined };
	test.each<[string, IDataObject, IDataObject]>([
		['rows', {}, NONE],
		['tags', {}, { ...NONE, tags: 'standard' }],
		['hiddenTags', {}, { ...NONE, tags: 'standard_hidden' }],
		['signer', {}, { ...NONE, annotates: true }],
		['nobody', { requirement: 'readonly' }, NONE],
		['nobody', { requirement: 'identity_confirmation' }, NONE],
		['closingTeam', {}, NONE],
	])('%s %j', async (whereToSign, more, expected) => {
		const transactionId = await createClosing(credential());
		await run(await add({ whereToSign, ...more }, transactionId));
		expect(sentLast()).toEqual(expected);
	});
	test('template', async () => {
		await run(
			await add(
				{ whereToSign: 'template', source: 'template', templateId: id('od_affidavit') },
				await createClosing(credential()),
			),
		);
		expect(sentLast()).toEqual(NONE);
	});
	test('tags of the documents of a new transaction', async () => {
		const details = (whereToSign: string) => ({
			source: 'url',
			fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
			requirement: 'notarization',
			details: { whereToSign },
		});
		await run({
			...BUSINESS,
			documents: {
				row: [details('hiddenTags'), details('signer'), { ...details(''), details: {} }],
			},
		});
		const { body } = sandbox.requests.at(-1)!;
		expect((body as { documents: IDataObject[] }).documents).toMatchObject([
			{ text_tag_syntax: 'standard_hidden' },
			{ customer_can_annotate: true },
			{ requirement: 'notarization' },
		]);
	});
});

describe('a choice that contradicts', () => {
	const row = { signer_identifier: 'borrower-1', type: 'signature', page: 1, x: 1, y: 1 };
	const rows = { designations: { row: [{ ...row, width: 9, height: 9 }] } };
	test.each<[string, IDataObject, RegExp]>([
		[
			'nobody',
			{ requirement: 'notarization' },
			/'Nobody Signs', but 'Requirement' is 'notarization'/,
		],
		['nobody', { requirement: 'esign' }, /'Requirement' is 'esign'/],
		['nobody', { requirement: 'esign_supervised' }, /'Requirement' is 'esign_supervised'/],
		[
			'nobody',
			{ requirement: 'non_essential', additionalFields: { notarization_required: true } },
			/'Notarization Required' is on/,
		],
		[
			'rows',
			{ requirement: 'readonly', ...rows },
			/'Designations Below', but 'Requirement' is 'Read Only'/,
		],
		['tags', { requirement: 'readonly' }, /'Requirement' is 'Read Only'/],
		['signer', { requirement: 'readonly' }, /'Requirement' is 'Read Only'/],
		['closingTeam', { requirement: 'readonly' }, /'Requirement' is 'Read Only'/],
		['signer', { requirement: 'non_essential' }, /'Non-Essential', which nobody annotates/],
		[
			'signer',
			{ additionalFields: { customer_can_annotate: false } },
			/'Signer Can Annotate' is off/,
		],
		['closingTeam', { platform: 'business' }, /'Platform' is Business.*closing team/],
		['template', {}, /'Source' is another one/],
		[
			'text',
			{
				source: 'template',
				templateId: id('https://t.example/1'),
				texts: { row: [{ text: 'A' }] },
			},
			/'Source' is a template/,
		],
	])('%s %j', async (whereToSign, more, expected) => {
		const asked = sandbox.requests.length;
		expect(await complaint(await add({ whereToSign, ...more }))).toMatch(expected);
		expect(sandbox.requests.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([]);
	});
	test('in a row of a new transaction', async () => {
		const document = {
			source: 'url',
			fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
			requirement: 'readonly',
			details: { whereToSign: 'tags' },
		};
		const said = await complaint({ ...BUSINESS, documents: { row: [document] } });
		expect(said).toMatch(/^'Documents', entry 1: 'Where to Sign' is 'Tags in White Text', but/);
	});
	test('nothing, where a template has no texts, as the form begins', async () => {
		const template = { source: 'template', templateId: id('https://t.example/1') };
		const said = await complaint(await add({ whereToSign: undefined, ...template }));
		expect(said).not.toMatch(/Where to Sign/);
	});
	test('nothing, where there are no rows', async () => {
		const transactionId = await createClosing(credential());
		await run(await add({ whereToSign: 'rows', requirement: 'readonly' }, transactionId));
	});
});

describe('with Wait Until Processed', () => {
	/** Adds a document to a service that shows it like this, look by look. */
	async function waited(more: IDataObject, ...looks: IDataObject[]) {
		let reference: unknown;
		let look = 0;
		const shown = (state: IDataObject) =>
			liveDocument({ tracking_id: reference as string, ...state });
		return await withService(
			({ method, body }) => {
				if (method === 'POST') {
					reference = (body as IDataObject).tracking_id;
					return { body: [shown({ processing_state: 'pending' })] };
				}
				return { body: liveClosing([shown(looks[Math.min(look++, looks.length - 1)])]) };
			},
			async ({ credential: own }) => {
				const outcome = await runNode({
					credential: own,
					parameters: {
						...ADD_DOCUMENT,
						transactionId: id('ot_od4kenk'),
						additionalFields: { ifExists: 'add', waitUntilProcessed: true },
						...more,
					},
					items: [await pdfItem()],
					// Only a document that stays pending is waited for to the end.
					limits: { lookUpMs: looks.at(-1) === PENDING ? 50 : 30_000, lookUpPauseMs: 10 },
				});
				expect(outcome.error).toBeUndefined();
				return { json: outcome.items[0].json, hint: hints(outcome) };
			},
		);
	}
	const places = [{ id: 'ad1' }, { id: 'ad2' }];
	const [PENDING, DONE] = [{ processing_state: 'pending' }, { processing_state: 'done' }];
	const tags = { whereToSign: 'tags' };
	test('the output says how many designations the document got', async () => {
		const { json, hint } = await waited(tags, PENDING, { ...DONE, signing_designations: places });
		expect(json).toMatchObject({ designation_count: 2, processing_state: 'done' });
		expect(hint).toBe('');
	});
	test('no tags found is told', async () => {
		const { json, hint } = await waited(tags, DONE);
		expect(json).toMatchObject({ designation_count: 0 });
		expect(hint).toBe(
			'No tags found in the document: ask the service to enable text tags for your account',
		);
		expect((await waited({}, DONE)).hint).toBe('');
	});
	test('a document that fails is told, and in the output', async () => {
		const failed = { processing_state: 'failed', processing_error: 'The file is locked' };
		const { json, hint } = await waited(tags, PENDING, failed);
		expect(json).toMatchObject({ processing_state: 'failed', document_id: 'do_5f0c2a1e' });
		expect(hint).toMatch(/^The service couldn't process the document: The file is locked\. Delete/);
	});
	test('a value that is neither true nor false is refused before the document is sent', async () => {
		const asked = sandbox.requests.length;
		const said = await complaint(await add({ additionalFields: { waitUntilProcessed: 'maybe' } }));
		expect(said).toMatch(/^'Wait Until Processed' is 'maybe'/);
		expect(sandbox.requests).toHaveLength(asked);
	});
	test('a document that stays pending is told', async () => {
		const { json, hint } = await waited(tags, PENDING);
		expect(json).not.toHaveProperty('designation_count');
		expect(hint).toMatch(/^The service hasn't processed the document yet/);
	});
});

let reference = '';
test('a document whose answer was lost has in its output what was found at texts', async () => {
	const { outcome, posts } = await withService(
		({ method, body }) => {
			if (method === 'POST') reference = (body as IDataObject).tracking_id as string;
			return method === 'POST'
				? { status: 502 }
				: { body: liveClosing(reference === '' ? [] : [liveDocument({ tracking_id: reference })]) };
		},
		async ({ credential: own, bodies }) => ({
			outcome: await runNode({
				credential: own,
				parameters: {
					...ADD_DOCUMENT,
					transactionId: id('ot_od4kenk'),
					whereToSign: 'text',
					texts: { row: [{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal' }] },
				},
				items: [await pdfItem()],
				limits: { lookUpMs: 50, lookUpPauseMs: 10 },
			}),
			posts: bodies('POST'),
		}),
	);
	expect(outcome.error).toBeUndefined();
	expect(posts).toHaveLength(1);
	expect(outcome.items[0].json.placed).toMatchObject([{ page: 2, phrase: 'Notary Seal' }]);
	expect(hints(outcome)).toMatch(/^1 place on page 2/);
});
