import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, id, pdfItem } from '../../support/closing.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer, type Script } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/**
 * Document: Add, Update and Delete at a live service: what is sent and what a person reads. What an
 * answer proves is in test/unit/resources/document/goals.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const [TRANSACTION, DOCUMENT] = ['ot_od4kenk', 'do_5f0c2a1e'];
const AGAIN = /'Document: Delete'.*'Document: Add'/;

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
const PLACE = { type: 'signature', page_number: 0, x: 1, y: 1, width: 9, height: 9 };
const inJson = (...designations: IDataObject[]) => ({
	whereToSign: 'json',
	designationsJson: JSON.stringify(designations),
});

describe('Add', () => {
	const add = { ...ADD_DOCUMENT, operation: 'add' };
	const split = { ...add, additionalFields: { pdf_bookmarked: true } };
	const SENT = 'the reference that was sent';
	/** A service that answers POST like this, and has these documents after it. */
	const answering = (answer: Answer, documents: IDataObject[] = []): Script => {
		let reference: unknown;
		/** Shows the reference of the request where it belongs. */
		const shown = (body: unknown) =>
			JSON.parse(JSON.stringify(body).replaceAll(`"${SENT}"`, JSON.stringify(reference)));
		return ({ method, body }) => {
			if (method !== 'POST')
				return { body: shown(liveClosing(reference === undefined ? [] : documents)) };
			reference = (body as IDataObject).tracking_id;
			return { ...answer, body: answer.body && shown(answer.body) };
		};
	};
	const added = (more: IDataObject = {}) => liveDocument({ tracking_id: SENT, ...more });

	test.each<[string, Answer]>([
		['text', { body: 'Document upload in progress', headers: { 'content-type': 'text/plain' } }],
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
	test.each([...EMPTY, ['a web page', { body: '<html>Sign in</html>' }] as [string, Answer]])(
		'answered with %s is not known, and sent once',
		async (_what, answer) => {
			await forEachCase([add, split], async (parameters) => {
				const { said, bodies } = await runOn(answering(answer), parameters);
				expect(said).toMatch(/outcome is unknown/);
				expect(bodies('POST')).toHaveLength(1);
				if (JSON.stringify(answer).includes('switched off'))
					expect(said).toMatch(/The service said: Feature switched off/);
			});
		},
	);
	test('of a reference that is taken finds what has it, and sends nothing else', async () => {
		const taken = { status: 422, body: { errors: { tracking_id: ['has already been taken'] } } };
		const { json, error, bodies } = await runOn(answering(taken, [added()]), add);
		expect(error).toBeUndefined();
		expect(json.document_id).toBe(DOCUMENT);
		expect(bodies('POST')).toHaveLength(1);
	});
	test('a group inside a designation is an object, of the group with this name', async () => {
		const group = { name: 'either-or', min_required: 1, max_required: 2 };
		const named = (name: unknown, x: number) => ({
			...PLACE,
			x,
			type: 'checkmark',
			signer_identifier: 'notary',
			signing_designation_group: name as string,
		});
		const { bodies } = await runOn(answering({ body: [added()] }), {
			...add,
			...inJson(named('either-or', 0), named('unnamed', 20), named(group, 40)),
			additionalFields: { signing_designation_groups: { row: [group] } },
		});
		expect(bodies('POST')[0].signing_designations).toMatchObject(
			[group, { name: 'unnamed' }, group].map((own) => ({ signing_designation_group: own })),
		);
	});
	test('says when the service shows fewer designations than it was sent', async () => {
		const parameters = { ...add, ...inJson({ ...PLACE, signer_identifier: 'notary' }) };
		const run = async (more: IDataObject) =>
			hints(await runOn(answering({ body: [added(more)] }), parameters));
		expect(await run({ processing_state: 'done' })).toMatch(/shows 0 of 1 designations/);
		expect(await run({ processing_state: 'pending' })).toBe('');
		expect(await run({ signing_designations: [{ id: 'ad1' }] })).toBe('');
	});
});

describe('Update', () => {
	/** A service that applies what `takes` says to the document, and answers with `answer`. */
	function service(
		takes: (body: IDataObject) => IDataObject,
		{ document = liveDocument(), answer }: { document?: IDataObject; answer?: Answer } = {},
	): Script {
		let now = document;
		return ({ method, body }) => {
			if (method !== 'PATCH') return { body: liveClosing([now]) };
			now = { ...now, ...takes(body as IDataObject) };
			return answer ?? { body: now };
		};
	}
	const update = (updateFields: IDataObject) => ({ operation: 'update', updateFields });
	const rename = update({ name: 'Renamed' });
	const live = ({ name, ...body }: IDataObject) => ({ ...body, document_name: name });

	test.each(EMPTY)(
		'answered with %s: done when the transaction then shows it, else not',
		async (_what, answer) => {
			const done = await runOn(service(live, { answer }), rename);
			expect(done.json.document_name).toBe('Renamed');
			// It never asks for the file of a document that it only renames.
			expect(
				done.requests.map(({ method, path }) => `${method} ${path.split('/').at(-2)}`),
			).toEqual(['GET transactions', 'PATCH documents', 'GET transactions']);
			const ignored = await runOn(
				service(() => ({}), { answer }),
				rename,
			);
			expect(ignored.said).toMatch(/shows no change of 'Document Name'/);
		},
	);
	test('a value that the service writes in its own way is shown with what was sent', async () => {
		const shortened = service(() => ({ document_name: 'Renam', bundle_position: 3 }));
		const outcome = await runOn(shortened, update({ name: 'Renamed', bundle_position: 7 }));
		expect(outcome.json.document_name).toBe('Renam');
		expect(hints(outcome)).toMatch(/'Document Name'.*'Renam'.*'Bundle Position'.*'3'/);
	});
	test('of designations that the service keeps fails, and says what to do instead', async () => {
		const parameters = {
			...update({}),
			...inJson(
				{ ...PLACE, signer_identifier: 'notary' },
				{ ...PLACE, x: 20, signer_identifier: 'witness1' },
			),
		};
		const keeping = (designation: IDataObject) =>
			service(() => ({}), {
				document: liveDocument({ signing_designations: [designation] as never }),
			});
		const kept = await runOn(keeping({ type: 'seal' }), parameters);
		expect(kept.said).toMatch(/shows no change of 'Designations/);
		const unknown = await runOn(keeping({ id: 'ad1' }), parameters);
		expect(unknown.said).toMatch(/outcome is unknown/);
		forEachCase([kept, unknown], ({ said }) => expect(said).toMatch(AGAIN));
	});
	test('of the file is done when the service processes it anew, else unknown', async () => {
		const replace = {
			...update({}),
			replaceFile: true,
			source: 'binary',
			binaryPropertyName: 'data',
		};
		const anew = service(() => ({ processing_state: 'pending' }));
		expect((await runOn(anew, replace)).json.document_id).toBe(DOCUMENT);
		const shown = await runOn(
			service(() => ({})),
			replace,
		);
		expect(shown.bodies('PATCH')).toMatchObject([{ resource: expect.any(String) }]);
		expect(shown.said).toMatch(/outcome is unknown/);
		expect(shown.said).toMatch(AGAIN);
		const lost = service(() => ({}), { answer: { status: 502 } });
		expect((await runOn(lost, replace)).said).toMatch(/outcome is unknown/);
	});
});

describe('Delete', () => {
	test('is not done while the transaction shows the document, whatever a message says', async () => {
		const message = "Document can't be deleted";
		const { said } = await runOn(
			({ method }) => ({ body: method === 'DELETE' ? { message } : liveClosing([liveDocument()]) }),
			{ operation: 'delete' },
		);
		expect(said).toMatch(/it's still there\. The service said: Document can't be deleted/);
	});
});
