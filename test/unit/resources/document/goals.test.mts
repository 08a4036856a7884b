import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../../nodes/SignAndClose/run/operation.ts';
import type { Look, Sending } from '../../../../nodes/SignAndClose/run/goals.ts';
import { buildAdditionGoal } from '../../../../nodes/SignAndClose/resources/document/add/addition.ts';
import { buildDeletionGoal } from '../../../../nodes/SignAndClose/resources/document/goals.ts';
import { buildImportGoal } from '../../../../nodes/SignAndClose/resources/document/import.operation.ts';
import {
	defineEnoteAddition,
	defineEnoteDeletion,
} from '../../../../nodes/SignAndClose/resources/enote/api.ts';
import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import { FileContent } from '../../../../nodes/SignAndClose/transport/files/requestBody.ts';
import { buildDocumentReference } from '../../../../nodes/SignAndClose/values/reference.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';
import { sha256 } from '../../../support/keptService/kept.mts';
import { sendingMemory } from '../../../support/madeUp/sending.mts';
import { AFTER_ERROR, AFTER_LOSS, AFTER_SUCCESS } from '../looks.mts';

/** When adding and removing documents and eNotes counts as done. */

const UNKNOWN = { state: 'unknown' };
const done = (shown: unknown) => ({ state: 'done', value: shown });
const STILL_THERE = { state: 'notDone', reason: { still: 'there' } };
const closing = (documents?: IDataObject[]) => ({ id: 'ot_1', ...(documents && { documents }) });
const MISSING = { state: 'notDone', reason: { still: 'missing' } };
const AT = Date.UTC(2026, 10, 22, 6);
const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const OTHER = 'n8n-aaaaaaaa-2fa1-41d2-883f-0016d3cca427';

describe('a document is added', () => {
	const NEW = { id: 'do_new', document_name: 'deed.pdf' };
	const FRESH = { ...NEW, date_created: new Date(AT + 1000).toISOString() };
	const OLD = { id: 'do_old', document_name: 'note.pdf' };
	const OURS = { ...NEW, tracking_id: OWN };
	const FOREIGN = { ...NEW, id: 'do_2', tracking_id: OTHER };
	const FIELDS = { filename: 'deed.pdf' };
	const NODE_S: Sending = { at: AT, reference: OWN };
	type Work<T> = (goal: ReturnType<typeof buildAdditionGoal>, asked: unknown[]) => Promise<T> | T;
	const goal = async <T,>(
		answer: unknown,
		work: Work<T>,
		{ fields = FIELDS as IDataObject, sending = NODE_S, claimed = [] as string[] } = {},
	): Promise<T> =>
		await withClient(inTurn(answer), async (service, { requests }) => {
			const place = { service, transactionId: 'ot_1', platform: 'business' } as const;
			const told = { fields, sending: sendingMemory(sending) };
			const isClaimed = (key: string) => claimed.includes(key);
			return await work(buildAdditionGoal({ ...place, ...told, isClaimed }), requests);
		});
	/** What one look after a lost answer sees. */
	const looked = async (documents: IDataObject[], more: Parameters<typeof goal>[2] = {}) =>
		await goal(closing(documents), async ({ look }) => await look!(AFTER_LOSS), more);

	test.each<[string, unknown, object]>([
		['the document', NEW, done(NEW)],
		['a list of it', [OLD], done(OLD)],
		['documents, one of them with its reference', [FOREIGN, OURS, NEW], done(OURS)],
		['documents, one of them new and with its name', [OLD, FRESH, NEW], UNKNOWN],
		['a document with another reference', FOREIGN, UNKNOWN],
		['nothing', undefined, UNKNOWN],
		['words', 'Splitting the file', UNKNOWN],
	])('when the service answers %s', async (_what, answer, expected) => {
		expect(await goal('', ({ fromAnswer: told }) => told(answer))).toEqual(expected);
	});
	test('as a split, when that was asked for and the service took it', async () => {
		const fields = { ...FIELDS, pdf_bookmarked: 'true' };
		const told = async (answered: boolean) =>
			await goal('', (added) => added.fromAnswer('Splitting the file', answered), { fields });
		expect(await told(true)).toEqual(done({ message: 'Splitting the file' }));
		expect(await told(false)).toEqual(UNKNOWN);
	});

	test.each<[string, IDataObject[], object | undefined]>([
		[
			'one with its reference, whatever its name',
			[{ ...OURS, document_name: 'x' }, NEW],
			{ done: 0 },
		],
		['references, but not this one', [FOREIGN, NEW], MISSING],
		["only people's references", [{ ...NEW, tracking_id: '7' }], undefined],
		['no references', [NEW], undefined],
		['nothing', [], undefined],
	])('when the transaction shows %s', async (_what, documents, expected) => {
		const seen = await looked(documents);
		expect(seen).toEqual(expected && 'done' in expected ? done(documents[0]) : expected);
	});
	test('but is never missing when it is split', async () => {
		const fields = { ...FIELDS, pdf_bookmarked: true };
		expect(await looked([FOREIGN], { fields })).toBeUndefined();
	});
	test('with the Tracking ID of a person, if its time fits and no other one has it', async () => {
		const given = { ...NEW, id: 'do_2', tracking_id: '7' };
		const made = { ...given, date_created: new Date(AT + 1000).toISOString() };
		const by = { fields: { ...FIELDS, tracking_id: '7' }, sending: { at: AT } };
		expect(await looked([made, { ...made, id: 'do_3', tracking_id: '8' }], by)).toEqual(done(made));
		expect(await looked([{ ...made, tracking_id: '8' }], by)).toEqual(MISSING);
		await forEachCase(
			[
				[{ ...made, date_created: new Date(AT - 61_000).toISOString() }],
				[given],
				[made, { ...made, id: 'do_3' }],
				[{ ...made, document_name: 'rider.pdf' }],
			],
			async (documents) => expect(await looked(documents, by)).toBeUndefined(),
		);
	});
	test('with the Tracking ID of a person, unless another item of the run got it', async () => {
		const made = { ...NEW, tracking_id: '7', date_created: new Date(AT + 1000).toISOString() };
		const other = { ...made, id: 'do_other' };
		const given = {
			fields: { ...FIELDS, tracking_id: '7' },
			sending: { at: AT },
			claimed: ['doother'],
		};
		expect(await looked([other, made], given)).toEqual(done(made));
		expect(await looked([other], given)).toEqual(MISSING);
		const told = async (answer: unknown) =>
			await goal('', ({ fromAnswer: tell }) => tell(answer), given);
		expect(await told([other, made])).toEqual(done(made));
	});
	test('but not seen to be without a reference, so that nothing is asked', async () => {
		const seen = await goal(
			closing([NEW]),
			async ({ look }, asked) => [await look!(AFTER_SUCCESS), asked.length],
			{ sending: { at: AT } },
		);
		expect(seen).toEqual([UNKNOWN, 0]);
	});
});

describe('a document is removed', () => {
	const look = async (answer: unknown) =>
		await withClient(inTurn(answer), async (service) => {
			const place = { transactionId: 'ot_1', documentId: 'do_1', platform: 'business' as const };
			return await buildDeletionGoal(service, place).look!(AFTER_LOSS);
		});
	test('when the transaction no longer has it', async () => {
		expect(await look(closing([{ id: 'do_2' }]))).toEqual(done(true));
		expect(await look(closing([]))).toEqual(done(true));
	});
	test('but not while it is there, however its ID is written', async () => {
		await forEachCase(['do_1', 'do1'], async (id) =>
			expect(await look(closing([{ id: 'do_2' }, { id }]))).toEqual(STILL_THERE),
		);
	});
	test('but not seen to be where documents are not shown', async () => {
		expect(await thrownBy(look(closing()))).toMatchObject({
			reason: { code: 'incompletelyRead', missing: ['documents'], toWriteBack: false },
		});
	});
});

describe('the eNote', () => {
	const NOTE = { id: 'do_new', is_enote: true };
	const DEED = { id: 'do_2', is_enote: false };
	const XML = { id: 'do_3', document_name: 'note.xml' };
	/** The service doesn't say whether it's the eNote. */
	const SILENT = { id: 'do_4' };
	const TEXT = '<SMART_DOCUMENT/>';
	const goalOf = (service: ServiceClient, file?: FileContent) =>
		defineEnoteAddition({ service } as OperationCall, 'ot_1', file);
	const added = async (documents: IDataObject[] | undefined, how: Look, file?: FileContent) =>
		await withClient(inTurn(closing(documents)), async (service, { requests }) => {
			const seen = await goalOf(service, file).look!(how);
			return { seen, asked: requests.length };
		});

	test.each<[string, unknown, object]>([
		['itself', NOTE, done(NOTE)],
		['a document that may be it', { id: 'do_new' }, done({ id: 'do_new' })],
		['a document that is none', DEED, UNKNOWN],
		['nothing', undefined, UNKNOWN],
	])('is added when the service answers %s', async (_what, answer, expected) => {
		await withClient(inTurn(''), async (service) => {
			expect(goalOf(service).fromAnswer(answer)).toEqual(expected);
		});
	});
	test.each<[string, IDataObject[], object | undefined]>([
		['one', [DEED, NOTE], done(NOTE)],
		['one by its name', [DEED, XML], done(XML)],
		['two', [NOTE, XML], UNKNOWN],
		['none', [DEED], MISSING],
		['a document of which it does not say so', [DEED, SILENT], undefined],
	])('is added, after a success, when the closing shows %s', async (_what, documents, expected) => {
		expect((await added(documents, AFTER_SUCCESS)).seen).toEqual(expected);
	});
	test('is added, after a lost answer, when one has the content of its file', async () => {
		const file = await FileContent.createFromBase64(Buffer.from(TEXT).toString('base64'));
		const of = (text: string) => ({
			...NOTE,
			tracking_id: buildDocumentReference('add', sha256(Buffer.from(text)), {}, 'abcdef'),
		});
		const lost = async (...documents: IDataObject[]) =>
			(await added(documents, AFTER_LOSS, file)).seen;
		expect(await lost(DEED, of(TEXT))).toEqual(done(of(TEXT)));
		expect(await lost(of('<OTHER/>'))).toEqual(UNKNOWN);
		expect(await lost(of(TEXT), XML)).toEqual(UNKNOWN);
		expect(await lost(DEED)).toEqual(MISSING);
		expect(await lost(DEED, SILENT)).toBeUndefined();
	});
	test('may be that of somebody else after a lost answer without a file: nothing is asked', async () => {
		expect(await added([NOTE], AFTER_LOSS)).toEqual({ seen: UNKNOWN, asked: 0 });
	});
	test('is not seen to be added where the closing shows no documents', async () => {
		expect(await thrownBy(added(undefined, AFTER_SUCCESS))).toMatchObject({
			reason: { missing: ['documents'] },
		});
	});
	test.each<[string, IDataObject[], object | undefined]>([
		['other documents', [DEED], done(true)],
		['a document of which it does not say so', [DEED, SILENT], undefined],
		['itself', [DEED, NOTE], STILL_THERE],
		['one by its name', [XML], STILL_THERE],
	])('is deleted when the closing shows %s', async (_what, documents, expected) => {
		await withClient(inTurn(closing(documents)), async (service) => {
			expect(await defineEnoteDeletion(service, 'ot_1').look!(AFTER_LOSS)).toEqual(expected);
		});
	});
	test('is not seen to be deleted where the closing shows no documents', async () => {
		await withClient(inTurn(closing()), async (service) => {
			const look = defineEnoteDeletion(service, 'ot_1').look!(AFTER_LOSS);
			expect(await thrownBy(look)).toMatchObject({ reason: { missing: ['documents'] } });
		});
	});
	test('is deleted after a success, when no document has the name of one', async () => {
		await withClient(inTurn(closing([DEED, SILENT])), async (service) => {
			const { look } = defineEnoteDeletion(service, 'ot_1');
			expect(await look!(AFTER_SUCCESS)).toEqual(done(true));
			expect(await look!(AFTER_ERROR)).toEqual(UNKNOWN);
		});
	});
});

describe('an import has begun', () => {
	const BEGUN = { response: 'processing' };
	test.each<[string, unknown, object]>([
		['as the service says', BEGUN, done(BEGUN)],
		['nobody knows, without an answer', undefined, UNKNOWN],
		['nobody knows, of an answer without the word', { id: 'do_1' }, UNKNOWN],
		['nobody knows, of a text', 'processing', UNKNOWN],
	])('%s', (_how, answer, expected) => {
		const { fromAnswer: told, look } = buildImportGoal('ot_1');
		expect([told(answer), look]).toEqual([expected, undefined]);
	});
});
