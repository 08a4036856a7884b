import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, id, pdfItem } from '../../support/closing.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer, type Script } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/** Document: Add, Update and Delete, judged by what a live service shows. */

beforeAll(async () => await useBinaryMode('filesystem'));

const [TRANSACTION, DOCUMENT] = ['ot_od4kenk', 'do_5f0c2a1e'];

/** Runs an operation with a PDF against a service that follows the script. */
const runOn = async (script: Script, parameters: IDataObject) =>
	await withService(script, async ({ credential, requests, bodies }) => {
		const outcome = await runNode({
			credential,
			parameters: {
				resource: 'document',
				platform: 'realEstate',
				transactionId: id(TRANSACTION),
				documentId: id(DOCUMENT),
				...parameters,
			},
			items: [await pdfItem()],
			limits: { lookUpMs: 50, lookUpPauseMs: 10 },
		});
		const { error } = outcome;
		const said = `${error?.message}. ${error?.description}`;
		return { ...outcome, json: outcome.items[0]?.json, said, requests, bodies };
	});

const EMPTY: Array<[string, Answer]> = [
	['nothing', { body: '' }],
	['an empty object', { body: {} }],
	['errors in a 200', { body: { errors: ['Feature switched off'] } }],
];

describe('Add', () => {
	const add = { ...ADD_DOCUMENT, operation: 'add' };
	const split = { ...add, additionalFields: { pdf_bookmarked: true } };
	const now = () => new Date().toISOString();
	/** A service that answers POST like this, and has these documents after it. */
	const answering = (
		answer: Answer,
		documents: () => IDataObject[] = () => [],
		before: IDataObject[] = [],
	): Script => {
		let reference: unknown;
		/** Shows the reference of the request where it belongs. */
		const shown = (body: unknown) =>
			JSON.parse(JSON.stringify(body).replaceAll(`"${SENT}"`, JSON.stringify(reference)));
		return ({ method, body }) => {
			if (method === 'POST') reference = (body as IDataObject).tracking_id;
			if (method === 'POST') return { ...answer, body: answer.body && shown(answer.body) };
			return { body: shown(liveClosing(reference === undefined ? before : documents())) };
		};
	};
	const SENT = 'the reference that was sent';
	const added = (more: IDataObject = {}) =>
		liveDocument({ date_created: now(), tracking_id: SENT, ...more });

	test.each([
		[
			'plain text',
			{ body: 'Document upload in progress', headers: { 'content-type': 'text/plain' } },
		],
		['a JSON text', { body: '"Document upload in progress"' }],
		['an object', { body: { message: 'Document upload in progress' } }],
	])('of a bookmarked PDF that is answered in %s is done', async (_form, answer) => {
		const { json, error, ...outcome } = await runOn(answering(answer), split);
		expect(error).toBeUndefined();
		expect(json).toMatchObject({
			transaction_id: TRANSACTION,
			upload_in_progress: true,
			message: 'Document upload in progress',
		});
		expect(hints(outcome)).toMatch(/splitting the file/);
	});
	test.each(EMPTY)('of a bookmarked PDF answered with %s is not known', async (_what, answer) => {
		const { said } = await runOn(answering(answer), split);
		expect(said).toMatch(/outcome is unknown/);
	});
	// An answer that names an error is no success, so that only a reference would tell.
	test.each(EMPTY.slice(0, 2))(
		'answered with %s is done when the transaction then shows the document',
		async (_what, answer) => {
			const older = liveDocument({ id: 'do_older' });
			const { json, error, ...outcome } = await runOn(
				answering(answer, () => [older, added()], [older]),
				add,
			);
			expect(error).toBeUndefined();
			expect(json.document_id).toBe(DOCUMENT);
			expect(json).not.toHaveProperty('upload_in_progress');
			expect(hints(outcome)).toBe('');
		},
	);
	test.each([...EMPTY, ['plain text', { body: 'OK' }] as [string, Answer]])(
		'answered with %s is not known when the transaction does not show the document',
		async (_what, answer) => {
			for (const documents of [[], [liveDocument()], [added({ tracking_id: null })]]) {
				const { said, bodies } = await runOn(
					answering(answer, () => documents, documents),
					add,
				);
				expect(said).toMatch(/outcome is unknown/);
				expect(said).not.toMatch(/splitting/);
				expect(bodies('POST')).toHaveLength(1);
				if (answer.body !== '' && JSON.stringify(answer).includes('switched off'))
					expect(said).toMatch(/The service said: Feature switched off/);
			}
		},
	);
	test('a web page is no answer, not even for a bookmarked PDF', async () => {
		const { said } = await runOn(answering({ body: '<html>Sign in</html>' }), split);
		expect(said).toMatch(/outcome is unknown/);
	});
	test('of several documents in the answer, the one with its reference', async () => {
		const body = [added(), added({ id: 'do_form', tracking_id: null })];
		expect((await runOn(answering({ body }), add)).json.document_id).toBe(DOCUMENT);
	});
	describe('of all documents in the answer, the one that was added', () => {
		const fromUrl = {
			...add,
			source: 'url',
			fileUrl: 'https://files.example.com/note.pdf',
			documentName: '',
		};
		const older = liveDocument({ id: 'do_older', bundle_position: 1 });
		const fresh = added({ document_name: 'note.pdf', bundle_position: 0 });
		test('without a name, wherever it stands', async () => {
			for (const body of [
				[fresh, older],
				[older, fresh],
			]) {
				const { json } = await runOn(
					answering({ body }, () => body, [older]),
					fromUrl,
				);
				expect(json.document_id).toBe(DOCUMENT);
			}
		});
		test('not an older one of the same name', async () => {
			const body = [added({ document_name: 'deed (1).pdf' }), older];
			const { json } = await runOn(
				answering({ body }, () => body, [older]),
				add,
			);
			expect(json.document_id).toBe(DOCUMENT);
		});
		test('nobody knows, of several without references and a name', async () => {
			const unmarked = { ...fresh, tracking_id: null };
			const body = [older, unmarked, { ...unmarked, id: 'do_form' }];
			const { said } = await runOn(
				answering({ body }, () => body, [older]),
				fromUrl,
			);
			expect(said).toMatch(/outcome is unknown/);
		});
	});
	test('a group inside a designation is an object, of the group with this name', async () => {
		const place = { signer_identifier: 'b1', page: 1, x: 1, y: 1, width: 9, height: 9 };
		const group = { name: 'either-or', min_required: 1, max_required: 2 };
		const row = (name: string) => ({
			...place,
			type: 'checkmark',
			details: { signing_designation_group: name },
		});
		const { bodies } = await runOn(answering({ body: [added()] }), {
			...add,
			specifyDesignations: 'fields',
			designations: { row: [row('either-or'), row('unnamed')] },
			additionalFields: { signing_designation_groups: { row: [group] } },
		});
		const json = await runOn(answering({ body: [added()] }), {
			...add,
			specifyDesignations: 'json',
			designationsJson: JSON.stringify([
				{ ...place, type: 'checkmark', page_number: 0, signing_designation_group: 'either-or' },
				{ ...place, type: 'checkmark', page_number: 0, signing_designation_group: group },
			]),
		});
		const groups = (body: IDataObject) =>
			(body.signing_designations as IDataObject[]).map(({ signing_designation_group: own }) => own);
		expect(groups(bodies('POST')[0])).toEqual([group, { name: 'unnamed' }]);
		expect(groups(json.bodies('POST')[0])).toEqual([{ name: 'either-or' }, group]);
	});
	test('says when the service shows fewer designations than it was sent', async () => {
		const designations = [
			{
				signer_identifier: 'b1',
				type: 'signature',
				page_number: 0,
				x: 1,
				y: 1,
				width: 9,
				height: 9,
			},
		];
		const parameters = { ...add, designationsJson: JSON.stringify(designations) };
		const run = async (more: IDataObject) =>
			hints(await runOn(answering({ body: [added(more)] }), parameters));
		expect(await run({ processing_state: 'done' })).toMatch(/shows 0 of 1 designations/);
		expect(await run({ processing_state: 'pending' })).toBe('');
		expect(await run({ signing_designations: [{ id: 'ad1' }] })).toBe('');
	});
});

describe('Update', () => {
	const FLAGS = { witness_required: true, customer_can_annotate: true };
	/** A service that applies what `takes` says to the document, and answers with `answer`. */
	function service(
		takes: (body: IDataObject, before: IDataObject) => IDataObject,
		{
			document = liveDocument(),
			answer = (now) => ({ body: now }),
		}: { document?: IDataObject; answer?: (now: IDataObject) => Answer } = {},
	): Script {
		let now = document;
		return ({ method, body }) => {
			if (method !== 'PATCH') return { body: liveClosing([now]) };
			now = { ...now, ...takes(body as IDataObject, now) };
			return answer(now);
		};
	}
	const rename = (name: string) => ({ operation: 'update', updateFields: { name } });
	/** What a live service does with an update (docs/service/documents.md#update-a-document). */
	const live = ({ name, requirement, ...body }: IDataObject, before: IDataObject) => {
		const words = new Set(before.allowed_actions as string[]);
		for (const [flag, word] of [
			['witness_required', 'WITNESS_REQUIRED'],
			['notarization_required', 'NOTARIZATION_REQUIRED'],
			['customer_can_annotate', 'CUSTOMER_CAN_ANNOTATE'],
		]) {
			if (body[flag] === true) words.add(word);
			if (body[flag] === false) words.delete(word);
		}
		return {
			...(name !== undefined && { document_name: name }),
			...(requirement !== undefined && { requirement }),
			...(body.tracking_id !== undefined && { tracking_id: body.tracking_id }),
			allowed_actions: [...words],
			permissions: [...words],
			date_updated: new Date().toISOString(),
		};
	};

	test.each(['realEstate', 'business'])(
		'is done when the answer shows it (%s)',
		async (platform) => {
			const document = platform === 'business' ? liveBusinessDocument() : liveDocument();
			const { json, error } = await runOn(service(live, { document }), {
				operation: 'update',
				platform,
				updateFields: { name: 'Renamed', requirement: 'esign', tracking_id: '7', ...FLAGS },
			});
			expect(error).toBeUndefined();
			expect(json).toMatchObject({ document_id: DOCUMENT, document_name: 'Renamed' });
		},
	);
	test.each([...EMPTY, ['plain text', { body: 'OK' }] as [string, Answer]])(
		'answered with %s: done when the transaction then shows it, else not',
		async (_what, answer) => {
			const done = await runOn(service(live, { answer: () => answer }), rename('Renamed'));
			expect(done.error).toBeUndefined();
			expect(done.json.document_name).toBe('Renamed');
			const ignored = await runOn(
				service(() => ({}), { answer: () => answer }),
				rename('Renamed'),
			);
			expect(ignored.said).toMatch(/shows no change of 'Document Name'/);
		},
	);
	test('never asks for the file of a document that it only renames', async () => {
		const { requests } = await runOn(
			service(live, { answer: () => ({ body: '' }) }),
			rename('Renamed'),
		);
		expect(requests.map(({ method, path }) => `${method} ${path.split('/').at(-2)}`)).toEqual([
			'GET transactions',
			'PATCH documents',
			'GET transactions',
		]);
	});
	test('a value that the service writes in its own way is done, and shown with what was sent', async () => {
		const shortened = service(() => ({ document_name: 'Renam', bundle_position: 3 }));
		const { error, json, ...outcome } = await runOn(shortened, {
			operation: 'update',
			updateFields: { name: 'Renamed', bundle_position: 7 },
		});
		expect(error).toBeUndefined();
		expect(json.document_name).toBe('Renam');
		expect(hints(outcome)).toBe(
			"'Document Name': sent 'Renamed', the service shows 'Renam'. 'Bundle Position': sent '7', the service shows '3'",
		);
	});
	test.each([
		['another value than the one that was sent', { name: 'Renamed' }, { document_name: 'Renam' }],
		['nothing of what was sent', FLAGS, {}],
	])('after a lost answer, %s is not known', async (_what, updateFields, after) => {
		const lost = service(() => after, { answer: () => ({ status: 502 }) });
		const { said } = await runOn(lost, { operation: 'update', updateFields });
		expect(said).toMatch(/outcome is unknown/);
	});
	test('after a lost answer, the value that was sent is done', async () => {
		const lost = service(live, { answer: () => ({ status: 502 }) });
		const { error, json, ...outcome } = await runOn(lost, rename('Renamed'));
		expect(error).toBeUndefined();
		expect(json.document_name).toBe('Renamed');
		expect(hints(outcome)).toBe('');
	});
	test.each([
		[
			'a flag that is shown and has not changed',
			{ notarization_required: false },
			/'Notarization Required'/,
		],
		['a word that is still there', { notarization_required: false }, /'Notarization Required'/],
		['a requirement that has not changed', { requirement: 'esign' }, /'Requirement'/],
		['a position that only Add takes', { bundle_position: 7 }, /'Bundle Position'/],
	])('%s fails', async (what, updateFields, expected) => {
		const document = /flag/.test(what) ? liveBusinessDocument() : liveDocument();
		const { said } = await runOn(
			service(() => ({ date_updated: new Date().toISOString() }), { document }),
			{ operation: 'update', updateFields },
		);
		expect(said).toMatch(/it shows no change of/);
		expect(said).toMatch(expected);
	});
	test('a flag that the service does not show is taken on trust', async () => {
		for (const missing of [{ allowed_actions: undefined, permissions: undefined }, {}]) {
			const { error } = await runOn(
				service(
					(body) => ({ ...missing, ...(body.name !== undefined && { document_name: body.name }) }),
					{
						document: liveDocument(missing),
					},
				),
				{ operation: 'update', updateFields: { name: 'Renamed', ...FLAGS } },
			);
			expect(error).toBeUndefined();
		}
	});

	describe('of designations', () => {
		const place = (signer: string) => ({
			signer_identifier: signer,
			type: 'signature',
			page_number: 0,
			x: 1,
			y: 1,
			width: 9,
			height: 9,
		});
		const wanted = [place('b1'), place('b2')];
		const update = {
			operation: 'update',
			updateFields: {},
			specifyDesignations: 'json',
			designationsJson: JSON.stringify(wanted),
		};
		const shown = (...ids: string[]) => ({
			signing_designations: ids.map((own) => ({ id: own })) as never,
		});
		test.each([
			['others in real estate', shown('ad1'), shown('ad2', 'ad3')],
			['the first ones', shown(), shown('ad1', 'ad2')],
			[
				'what was sent, on business',
				shown('ad1', 'ad2'),
				{ signing_designations: wanted as never },
			],
		])('is done when the service shows %s', async (_what, before, after) => {
			const script = service(() => after, { document: liveDocument(before) });
			expect((await runOn(script, update)).error).toBeUndefined();
		});
		test('is not done when the service keeps the old ones, and says what to do instead', async () => {
			const { said } = await runOn(service(live, { document: liveDocument(shown('ad1')) }), update);
			expect(said).toMatch(
				/^The service answered, but the document still has its old designations/,
			);
			expect(said).toMatch(/'Document: Delete'.*'Document: Add'/);
		});
		test('is not known when the service shows as many as before, or none', async () => {
			for (const before of [shown('ad1', 'ad2'), { signing_designations: undefined }]) {
				const { said } = await runOn(service(live, { document: liveDocument(before) }), update);
				expect(said).toMatch(/outcome is unknown/);
				expect(said).toMatch(/'Document: Delete'.*'Document: Add'/);
			}
		});
	});

	describe('of the file', () => {
		const replace = {
			operation: 'update',
			updateFields: {},
			replaceFile: true,
			source: 'binary',
			binaryPropertyName: 'data',
		};
		test('is done when the service processes the document anew', async () => {
			const { error, json } = await runOn(
				service(() => ({ processing_state: 'pending' })),
				replace,
			);
			expect(error).toBeUndefined();
			expect(json.document_id).toBe(DOCUMENT);
		});
		test.each<[string, IDataObject, Answer]>([
			['that shows it as processed', {}, {}],
			['for a document that it was processing before', { processing_state: 'pending' }, {}],
			['that is lost', {}, { status: 502 }],
		])('is not known from an answer %s, and says what to do instead', async (_w, was, answer) => {
			const { said, bodies } = await runOn(
				service(() => was, {
					document: liveDocument(was),
					...(answer.status && { answer: () => answer }),
				}),
				replace,
			);
			expect(bodies('PATCH')).toMatchObject([{ resource: expect.any(String) }]);
			expect(said).toMatch(/outcome is unknown/);
			if (!answer.status) expect(said).toMatch(/'Document: Delete'.*'Document: Add'/);
		});
	});

	test.each([
		['plain text', { body: 'Document upload in progress' }],
		['an object', { body: { message: 'Document upload in progress' } }],
	])('that splits the file and is answered in %s is done', async (_form, answer) => {
		const { json, error } = await runOn(
			service(() => ({}), { answer: () => answer }),
			{
				operation: 'update',
				updateFields: { pdf_bookmarked: true },
			},
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject({ upload_in_progress: true, document_id: DOCUMENT });
	});
	test.each(EMPTY)(
		'that splits the file and is answered with %s is not known, on real estate not done',
		async (_what, answer) => {
			const split = { operation: 'update', updateFields: { pdf_bookmarked: true } };
			const script = service(() => ({}), { answer: () => answer });
			const business = await runOn(script, { ...split, platform: 'business' });
			expect(business.said).toMatch(/outcome is unknown/);
			// Only business takes the field.
			const { said } = await runOn(script, split);
			expect(said).toMatch(/it shows no change of 'Split at Bookmarks'/);
		},
	);
});

describe('Delete', () => {
	const remove = { operation: 'delete' };
	/** A service that has the document until it is asked to delete it. */
	const answering = (answer: Answer, after: unknown, more: Answer = {}): Script => {
		let asked = false;
		return ({ method }) => {
			asked ||= method === 'DELETE';
			if (method === 'DELETE') return answer;
			return asked
				? { body: liveClosing([], { documents: after as never }), ...more }
				: { body: liveClosing([liveDocument()]) };
		};
	};
	test('is done when the service says so, or shows the transaction without the document', async () => {
		for (const [answer, after] of [
			[{ body: { deleted: true } }, null],
			[{ body: { message: `Deleted document ${DOCUMENT} successfully` } }, []],
			[{ body: '' }, []],
			[{ body: { errors: ['Off'] } }, [liveDocument({ id: 'do_other' })]],
			[{ status: 502 }, []],
		] as const) {
			const { json, error } = await runOn(answering(answer, after), remove);
			expect(error).toBeUndefined();
			expect(json).toEqual({ deleted: true, transaction_id: TRANSACTION, document_id: DOCUMENT });
		}
	});
	test('is not done because a message has the word', async () => {
		const message = "Document can't be deleted";
		const { said } = await runOn(answering({ body: { message } }, [liveDocument()]), remove);
		expect(said).toBe(
			`The service answered, but it's still there. The service said: ${message}. Run the node again. If this continues, contact the service`,
		);
	});
	test('is not done while the transaction shows the document, under either form of its ID', async () => {
		for (const own of [DOCUMENT, DOCUMENT.replace('_', '')]) {
			const { said } = await runOn(answering({ body: '' }, [liveDocument({ id: own })]), remove);
			expect(said).toMatch(/it's still there/);
		}
	});
	test.each<[string, unknown, Answer]>([
		['documents: null', null, {}],
		['no documents', undefined, {}],
		['documents of another shape', { count: 0 }, {}],
		[
			'a 404 for the whole transaction',
			[],
			{ status: 404, body: { errors: ['Transaction Not Found'] } },
		],
		['a web page', [], { body: '<html>Sign in</html>' }],
	])('is not known with %s', async (_what, after, more) => {
		for (const answer of [{ body: '' }, { status: 502 }]) {
			const { said } = await runOn(answering(answer, after, more), remove);
			expect(said).toMatch(/outcome is unknown/);
		}
	});
});
