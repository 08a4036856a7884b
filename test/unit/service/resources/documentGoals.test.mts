import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../nodes/SignAndClose/service/client.ts';
import { saysDeleted, type Goal } from '../../../../nodes/SignAndClose/service/goals.ts';
import {
	addedGoal,
	importBegunGoal,
	isTrue,
	removedGoal,
	splitBy,
} from '../../../../nodes/SignAndClose/service/resources/documentGoals.ts';
import {
	enoteAddedGoal,
	enoteDeletedGoal,
	enotesBefore,
} from '../../../../nodes/SignAndClose/service/resources/enotes.ts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';

/** When adding and removing documents and eNotes counts as done. */

const UNKNOWN = { state: 'unknown' };
const done = (shown: unknown) => ({ state: 'done', shown });
const STILL_THERE = { state: 'notDone', why: { still: 'there' } };
const closing = (documents?: IDataObject[]) => ({ id: 'ot_1', ...(documents && { documents }) });
const CALL = {
	startedAt: Date.UTC(2026, 10, 22, 6),
	madeByOthers: async () => new Set(['do_others']),
	before: { ids: ['do_old'] },
};

describe('a document is added', () => {
	const NEW = { id: 'do_new', document_name: 'deed.pdf' };
	const goal = (fields: IDataObject, answer: unknown, work: Work) =>
		withClient(inTurn(answer), async (service) => {
			await work(
				addedGoal({ ...CALL, service, transactionId: 'ot_1', platform: 'business', fields }),
			);
		});
	type Work = (goal: ReturnType<typeof addedGoal>) => Promise<void> | void;
	const FIELDS = { filename: 'deed.pdf' };

	test.each<[string, unknown, object]>([
		['the document', NEW, done(NEW)],
		['a list of it', [NEW], done(NEW)],
		[
			'documents, the last of them with its name',
			[{ ...NEW, id: 'do_old' }, NEW, { id: 'x' }],
			done(NEW),
		],
		[
			'documents, none of them with its name',
			[{ id: 'do_old' }, { id: 'do_new' }],
			done({ id: 'do_new' }),
		],
		['a document that was there before', [{ ...NEW, id: 'doold' }], UNKNOWN],
		['several new ones, none of them with its name', [{ id: 'do_new' }, { id: 'x' }], UNKNOWN],
		['several new ones with its name', [NEW, { ...NEW, id: 'x' }], UNKNOWN],
		['nothing', undefined, UNKNOWN],
		['an empty list', [], UNKNOWN],
		['words', 'Splitting the file', UNKNOWN],
	])('when the service answers %s', async (_what, answer, expected) => {
		await goal(FIELDS, '', ({ told }) => {
			expect(told(answer)).toEqual(expected);
		});
	});
	test.each<[string, IDataObject[], object]>([
		['the only new one with its name', [{ ...NEW, id: 'do_old' }, NEW, { id: 'do_2' }], done(NEW)],
		['two new ones with its name', [NEW, { ...NEW, id: 'do_2' }], UNKNOWN],
		['none with its name', [{ id: 'do_new', document_name: 'note.pdf' }], UNKNOWN],
		['one that another item has added', [{ ...NEW, id: 'do_others' }], UNKNOWN],
	])('when the transaction shows %s', async (_what, documents, expected) => {
		await goal(FIELDS, closing(documents), async ({ look }) => {
			expect(await look()).toEqual(expected);
		});
	});
	test('as the only one of an answer, where nobody saw what was there before', async () => {
		await withClient(inTurn(''), async (service) => {
			const { told } = addedGoal({
				...CALL,
				before: undefined,
				service,
				transactionId: 'ot_1',
				platform: 'realEstate',
				fields: FIELDS,
			});
			expect(told([{ id: 'do_new' }])).toEqual(done({ id: 'do_new' }));
			expect(told([{ id: 'do_old' }, NEW])).toEqual(UNKNOWN);
		});
	});
	test('as the only new one, once the service has answered a success', async () => {
		const other = { id: 'do_new', document_name: 'note.pdf' };
		await goal({}, closing([{ id: 'do_old' }, other]), async ({ look }) => {
			expect(await look(true)).toEqual(done(other));
		});
		await goal({ pdf_bookmarked: true }, closing([other]), async ({ look }) => {
			expect(await look(true)).toEqual(UNKNOWN);
		});
	});
	test('but not seen to be, without a name', async () => {
		await goal({}, closing([{ id: 'do_new' }]), async ({ look }) => {
			expect(await look()).toEqual(UNKNOWN);
		});
	});
	test('as a split, when that was asked for', async () => {
		await goal({ ...FIELDS, pdf_bookmarked: 'true' }, '', ({ told }) => {
			expect(told('Splitting the file')).toEqual(done({ message: 'Splitting the file' }));
		});
	});
});

test('a split has begun with any answer but nothing', () => {
	expect(splitBy({ state: 'splitting' })).toEqual(done({ state: 'splitting' }));
	for (const answer of [undefined, {}, []]) expect(splitBy(answer)).toEqual(UNKNOWN);
});

test('a flag is on as a value and as a text', () => {
	expect([true, 'true', false, 'false', 1, undefined].map(isTrue)).toEqual([
		true,
		true,
		false,
		false,
		false,
		false,
	]);
});

describe('a document is removed', () => {
	const look = async (answer: unknown) =>
		await withClient(inTurn(answer), async (service) => {
			const place = { transactionId: 'ot_1', documentId: 'do_1', platform: 'business' as const };
			return await removedGoal(service, place).look();
		});
	test('when the transaction no longer has it', async () => {
		expect(await look(closing([{ id: 'do_2' }]))).toEqual(done(true));
		expect(await look(closing([]))).toEqual(done(true));
	});
	test('but not while it is there, however its ID is written', async () => {
		for (const id of ['do_1', 'do1'])
			expect(await look(closing([{ id: 'do_2' }, { id }]))).toEqual(STILL_THERE);
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
	const looked = async (
		goalOf: (service: ServiceClient) => Required<Goal<unknown>>,
		answer: unknown,
		answered?: boolean,
	) =>
		await withClient(inTurn(answer), async (service, { requests }) => {
			const seen = await goalOf(service).look(answered);
			expect(requests[0].path).toBe('/mortgage/v2/transactions/ot_1');
			return seen;
		});
	const added = (service: ServiceClient) => enoteAddedGoal(service, 'ot_1', CALL);
	const deleted =
		(...ids: string[]) =>
		(service: ServiceClient) =>
			enoteDeletedGoal(service, 'ot_1', ids.length > 0 ? { ids } : undefined);

	test.each<[string, unknown, object]>([
		['itself', NOTE, done(NOTE)],
		['a document that may be it', { id: 'do_new' }, done({ id: 'do_new' })],
		['a document that is none', DEED, UNKNOWN],
		['nothing', undefined, UNKNOWN],
	])('is added when the service answers %s', async (_what, answer, expected) => {
		await withClient(inTurn(''), async (service) => {
			expect(enoteAddedGoal(service, 'ot_1', CALL).told(answer)).toEqual(expected);
		});
	});
	test.each<[string, IDataObject[] | undefined, object]>([
		['a new one', [DEED, { id: 'do_old', is_enote: true }, NOTE], done(NOTE)],
		['only the old one', [{ id: 'do_old', is_enote: true }, DEED], UNKNOWN],
		['one that another item has added', [{ ...NOTE, id: 'do_others' }], UNKNOWN],
		['a new document of which it does not say so', [{ id: 'do_new' }], UNKNOWN],
		['no documents', undefined, UNKNOWN],
	])('is added when the closing shows %s', async (_what, documents, expected) => {
		expect(await looked(added, closing(documents))).toEqual(expected);
	});
	test.each<[string, IDataObject[] | undefined, object]>([
		['other documents', [DEED], done(true)],
		['itself', [DEED, NOTE], STILL_THERE],
		['a document of which it does not say so', [DEED, { id: 'do_3' }], UNKNOWN],
		['no documents', undefined, UNKNOWN],
	])('is deleted when the closing shows %s', async (_what, documents, expected) => {
		expect(await looked(deleted(), closing(documents))).toEqual(expected);
	});
});

describe('the eNote of a service that does not say of each document whether it is', () => {
	const [DEED, LETTER, NOTE] = ['do_1', 'do_2', 'do_3'].map((id) => ({ id }));
	const look = async (before: IDataObject[] | undefined, after: IDataObject[], answered: boolean) =>
		await withClient(inTurn(closing(before), closing(after)), async (service) => {
			const noted = await enotesBefore(service, 'ot_1');
			return await enoteDeletedGoal(service, 'ot_1', noted).look(answered);
		});
	test('is deleted when the one that was known as the eNote is gone', async () => {
		const before = [DEED, LETTER, { ...NOTE, is_enote: true }];
		for (const answered of [true, false])
			expect(await look(before, [DEED, LETTER], answered)).toEqual(done(true));
		expect(await look(before, [DEED, NOTE], true)).toEqual(UNKNOWN);
	});
	test('is deleted when the service answered, and one document is gone', async () => {
		const before = [DEED, LETTER, NOTE];
		expect(await look(before, [DEED, LETTER], true)).toEqual(done(true));
		expect(await look(before, [DEED, LETTER], false)).toEqual(UNKNOWN);
		expect(await look(before, [DEED], true)).toEqual(UNKNOWN);
		expect(await look(before, before, true)).toEqual(UNKNOWN);
		expect(await look(undefined, [DEED], true)).toEqual(UNKNOWN);
	});
	test('is deleted when no document is left', async () => {
		expect(await look(undefined, [], false)).toEqual(done(true));
	});
});

test('a deletion is told by its flag, not by words', () => {
	expect(saysDeleted({ deleted: true })).toEqual(done(true));
	for (const answer of [
		{ deleted: false },
		{ message: 'Deleted Transaction ot_1 successfully' },
		{ message: 'Transaction cannot be deleted' },
		'Deleted',
		undefined,
	])
		expect(saysDeleted(answer)).toEqual(UNKNOWN);
});

describe('an import has begun', () => {
	const BEGUN = { response: 'processing' };
	test.each<[string, unknown, object]>([
		['as the service says', BEGUN, done(BEGUN)],
		['in other words', { response: 'queued' }, done({ response: 'queued' })],
		['nobody knows, without an answer', undefined, UNKNOWN],
		['nobody knows, of an answer without the word', { id: 'do_1' }, UNKNOWN],
		['nobody knows, of a text', 'processing', UNKNOWN],
	])('%s', (_how, answer, expected) => {
		expect(importBegunGoal.told(answer)).toEqual(expected);
		expect(importBegunGoal.look).toBeUndefined();
	});
});
