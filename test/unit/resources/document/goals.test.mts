import type { IDataObject } from 'n8n-workflow';

import type { Sending } from '../../../../nodes/SignAndClose/run/outcome/goals.ts';
import {
	addedGoal,
	importBegunGoal,
	removedGoal,
} from '../../../../nodes/SignAndClose/resources/document/goals.ts';
import {
	enoteAddedGoal,
	enoteDeletedGoal,
} from '../../../../nodes/SignAndClose/resources/enote/api.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';
import { sendingMemory } from '../../../support/madeUp/sending.mts';

/** When adding and removing documents and eNotes counts as done. */

const UNKNOWN = { state: 'unknown' };
const done = (shown: unknown) => ({ state: 'done', shown });
const STILL_THERE = { state: 'notDone', why: { still: 'there' } };
const closing = (documents?: IDataObject[]) => ({ id: 'ot_1', ...(documents && { documents }) });
const MISSING = { state: 'notDone', why: { still: 'missing' } };
const AT = Date.UTC(2026, 10, 22, 6);
const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const OTHER = 'n8n-aaaaaaaa-2fa1-41d2-883f-0016d3cca427';
/** One look, after which what is missing counts as not done. */
const ONE_LOOK = { limits: { lookUpMs: 0 } };
const LATER = { absentFrom: 0 };

describe('a document is added', () => {
	const NEW = { id: 'do_new', document_name: 'deed.pdf' };
	const FRESH = { ...NEW, date_created: new Date(AT + 1000).toISOString() };
	const OLD = { id: 'do_old', document_name: 'note.pdf' };
	const OURS = { ...NEW, tracking_id: OWN };
	const FOREIGN = { ...NEW, id: 'do_2', tracking_id: OTHER };
	const FIELDS = { filename: 'deed.pdf' };
	const NODE_S: Sending = { at: AT, reference: OWN };
	type Work<T> = (goal: ReturnType<typeof addedGoal>, asked: unknown[]) => Promise<T> | T;
	const goal = async <T,>(
		answer: unknown,
		work: Work<T>,
		{
			fields = FIELDS as IDataObject,
			sending = NODE_S,
			lookUp = LATER as object,
			claimed = [] as string[],
		} = {},
	): Promise<T> =>
		await withClient(
			inTurn(answer),
			async (service, { requests }) => {
				const place = { service, transactionId: 'ot_1', platform: 'business' } as const;
				const told = { fields, sending: sendingMemory(sending), lookUp };
				const isClaimed = (key: string) => claimed.includes(key);
				return await work(addedGoal({ ...place, ...told, isClaimed }), requests);
			},
			ONE_LOOK,
		);

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

	test.each<[string, IDataObject[], object]>([
		[
			'one with its reference, whatever its name',
			[{ ...OURS, document_name: 'x' }, NEW],
			{ done: 0 },
		],
		['references, but not this one', [FOREIGN, NEW], MISSING],
		["only people's references", [{ ...NEW, tracking_id: '7' }], UNKNOWN],
		['no references', [NEW], UNKNOWN],
		['nothing', [], UNKNOWN],
	])('when the transaction shows %s', async (_what, documents, expected) => {
		const seen = await goal(closing(documents), async ({ fromService: look }) => await look());
		expect(seen).toEqual('done' in expected ? done(documents[0]) : expected);
	});
	test('but is not missing before some time has passed, nor ever one that is split', async () => {
		const looked = async (more: object) =>
			await goal(closing([FOREIGN]), async ({ fromService: look }) => await look(), more);
		expect(await looked({ lookUp: {} })).toEqual(UNKNOWN);
		expect(await looked({ fields: { ...FIELDS, pdf_bookmarked: true } })).toEqual(UNKNOWN);
	});
	test('with the Tracking ID of a person, if its time fits and no other one has it', async () => {
		const given = { ...NEW, id: 'do_2', tracking_id: '7' };
		const made = { ...given, date_created: new Date(AT + 1000).toISOString() };
		const looked = async (...documents: IDataObject[]) =>
			await goal(closing(documents), async ({ fromService: look }) => await look(), {
				fields: { ...FIELDS, tracking_id: '7' },
				sending: { at: AT },
			});
		expect(await looked(made, { ...made, id: 'do_3', tracking_id: '8' })).toEqual(done(made));
		expect(await looked({ ...made, tracking_id: '8' })).toEqual(MISSING);
		await forEachCase(
			[
				[{ ...made, date_created: new Date(AT - 61_000).toISOString() }],
				[given],
				[made, { ...made, id: 'do_3' }],
				[{ ...made, document_name: 'rider.pdf' }],
			],
			async (documents) => expect(await looked(...documents)).toEqual(UNKNOWN),
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
		const looked = async (...documents: IDataObject[]) =>
			await goal(closing(documents), async ({ fromService: look }) => await look(), given);
		expect(await looked(other, made)).toEqual(done(made));
		expect(await looked(other)).toEqual(MISSING);
		const told = async (answer: unknown) =>
			await goal('', ({ fromAnswer: tell }) => tell(answer), given);
		expect(await told([other, made])).toEqual(done(made));
	});
	test('but not seen to be without a reference, so that nothing is asked', async () => {
		const seen = await goal(
			closing([NEW]),
			async ({ fromService: look }, asked) => [await look(true), asked.length],
			{ sending: { at: AT } },
		);
		expect(seen).toEqual([UNKNOWN, 0]);
	});
});

describe('a document is removed', () => {
	const look = async (answer: unknown) =>
		await withClient(inTurn(answer), async (service) => {
			const place = { transactionId: 'ot_1', documentId: 'do_1', platform: 'business' as const };
			return await removedGoal(service, place).fromService();
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
	const added = async (answer: unknown, answered: boolean, lookUp: object = LATER) =>
		await withClient(
			inTurn(answer),
			async (service) => await enoteAddedGoal(service, 'ot_1', lookUp).fromService(answered),
			ONE_LOOK,
		);
	const lost = async (documents?: IDataObject[]) => await added(closing(documents), false);

	test.each<[string, unknown, object]>([
		['itself', NOTE, done(NOTE)],
		['a document that may be it', { id: 'do_new' }, done({ id: 'do_new' })],
		['a document that is none', DEED, UNKNOWN],
		['nothing', undefined, UNKNOWN],
	])('is added when the service answers %s', async (_what, answer, expected) => {
		await withClient(inTurn(''), async (service) => {
			expect(enoteAddedGoal(service, 'ot_1', {}).fromAnswer(answer)).toEqual(expected);
		});
	});
	test.each<[string, IDataObject[] | undefined, object]>([
		['one', [DEED, NOTE], done(NOTE)],
		['one by its name', [DEED, XML], done(XML)],
		['two', [NOTE, XML], UNKNOWN],
		['no documents', undefined, UNKNOWN],
	])('is added, after a success, when the closing shows %s', async (_what, documents, expected) => {
		expect(await added(closing(documents), true)).toEqual(expected);
	});
	test('may be that of somebody else after a lost answer, and is missing where there is none', async () => {
		expect(await lost([DEED, NOTE])).toEqual(UNKNOWN);
		expect(await lost([DEED])).toEqual(MISSING);
		expect(await added(closing([DEED]), false, {})).toEqual(UNKNOWN);
		expect(await lost([DEED, SILENT])).toEqual(UNKNOWN);
	});
	test.each<[string, IDataObject[] | undefined, object | undefined]>([
		['other documents', [DEED], done(true)],
		['a document of which it does not say so', [DEED, SILENT], UNKNOWN],
		['itself', [DEED, NOTE], STILL_THERE],
		['one by its name', [XML], STILL_THERE],
		['no documents', undefined, undefined],
	])('is deleted when the closing shows %s', async (_what, documents, expected) => {
		await withClient(inTurn(closing(documents)), async (service) => {
			const look = enoteDeletedGoal(service, 'ot_1').fromService();
			if (expected !== undefined) expect(await look).toEqual(expected);
			else expect(await thrownBy(look)).toMatchObject({ reason: { missing: ['documents'] } });
		});
	});
	test('is deleted after a success, when no document has the name of one', async () => {
		const documents = [DEED, SILENT];
		await withClient(inTurn(closing(documents)), async (service) => {
			expect(await enoteDeletedGoal(service, 'ot_1').fromService(true)).toEqual(done(true));
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
		expect(importBegunGoal.fromAnswer(answer)).toEqual(expected);
		expect(importBegunGoal.fromService).toBeUndefined();
	});
});
