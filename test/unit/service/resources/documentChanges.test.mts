import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { readDocument } from '../../../../nodes/SignAndClose/service/answers.ts';
import {
	updatedGoal,
	writeUpdate,
	type DocumentUpdate,
} from '../../../../nodes/SignAndClose/service/resources/documentChanges.ts';
import { thrownBy, withClient } from '../../../support/live/client.mts';

/** What an answer proves of the update of a document. */

const UNKNOWN = { state: 'unknown' };
const unchanged = (...names: string[]) => ({ state: 'notDone', why: { unchanged: names } });
const kept = (part: string) => ({ state: 'notDone', why: { kept: [part] } });

type Update = Partial<DocumentUpdate>;
/** An update of `do_1`, whose transaction shows these documents. */
const withUpdate = async <T,>(
	changes: IDataObject,
	{
		shown,
		before,
		...more
	}: Omit<Update, 'before'> & { shown: IDataObject[]; before?: IDataObject },
	work: (update: DocumentUpdate) => Promise<T>,
): Promise<T> =>
	await withClient(
		() => ({ body: { id: 'ot_1', documents: shown } }),
		async (service) =>
			await work({
				service,
				transactionId: 'ot_1',
				documentId: 'do_1',
				platform: 'business',
				changes,
				...(before && { before: readDocument({ id: 'do_1', ...before }) }),
				...more,
			}),
	);
/** What the answer proves, told or looked up. A proof is just `done`. */
async function judged(
	changes: IDataObject,
	after: IDataObject,
	before?: IDataObject,
	more: Update = {},
) {
	const document = { id: 'do_1', ...after };
	const options = { ...more, before, shown: [{ id: 'do_2', document_name: 'Note' }, document] };
	return await withUpdate(changes, options, async (update) => {
		const goal = updatedGoal(update);
		const seen = await goal.look();
		if (more.file === undefined) expect(goal.told(document)).toEqual(seen);
		else expect(goal.told(document)).toEqual(UNKNOWN);
		return seen.state === 'done' ? 'done' : seen;
	});
}

describe('a field', () => {
	test.each<[string, IDataObject, IDataObject, IDataObject | undefined, unknown]>([
		['is shown', { name: 'Deed' }, { document_name: 'Deed' }, undefined, 'done'],
		[
			'is shown as before',
			{ name: 'Deed' },
			{ document_name: 'Deed' },
			{ document_name: 'Deed' },
			'done',
		],
		['was wanted with a space', { name: ' Deed ' }, { document_name: 'Deed' }, undefined, 'done'],
		['is shown with a space', { name: 'Deed' }, { document_name: ' Deed' }, undefined, 'done'],
		[
			'is another, and was not known',
			{ name: 'Deed' },
			{ document_name: 'Note' },
			undefined,
			UNKNOWN,
		],
		[
			'is the one from before',
			{ name: 'Deed' },
			{ document_name: 'Note' },
			{ document_name: 'Note' },
			unchanged('name'),
		],
		[
			'is written in the way of the service',
			{ name: 'Deed' },
			{ document_name: 'Deed.pdf' },
			{ document_name: 'Note' },
			'done',
		],
		['that is always shown is missing', { name: 'Deed' }, {}, undefined, UNKNOWN],
		[
			'that is always shown is empty',
			{ name: 'Deed' },
			{ document_name: '' },
			{ document_name: '' },
			UNKNOWN,
		],
		['that is not always shown is missing', { tracking_id: '7' }, {}, undefined, 'done'],
		['was a flag', { flag: false }, { flag: true }, { flag: true }, unchanged('flag')],
		['is a number as text', { bundle_position: 2 }, { bundle_position: '2' }, undefined, 'done'],
	])('%s', async (_how, changes, after, before, expected) => {
		expect(await judged(changes, after, before)).toEqual(expected);
	});
	test.each<[string, boolean, string[], string[], unknown]>([
		[
			'is on, as wanted and as before',
			true,
			['NOTARIZATION_REQUIRED'],
			['NOTARIZATION_REQUIRED'],
			'done',
		],
		[
			'is on, as before',
			false,
			['NOTARIZATION_REQUIRED'],
			['NOTARIZATION_REQUIRED'],
			unchanged('notarization_required'),
		],
		['has no word, which says little', false, ['OTHER'], ['OTHER'], 'done'],
	])('that is a word of a list %s', async (_how, wanted, after, before, expected) => {
		expect(
			await judged(
				{ notarization_required: wanted },
				{ allowed_actions: after },
				{ permissions: before },
			),
		).toEqual(expected);
	});
});

describe('designations', () => {
	const WANTED = [
		{ type: 'signature', page_number: 1 },
		{ type: 'initials', page_number: 2 },
	];
	const ids = (...names: string[]) => names.map((id) => ({ id }));
	test.each<[string, IDataObject[] | undefined, IDataObject[] | undefined, unknown]>([
		['are shown', WANTED, undefined, 'done'],
		['are shown in part', [WANTED[0], { id: 'de_2' }], undefined, UNKNOWN],
		['are others than the wanted ones', [WANTED[0], WANTED[0]], undefined, UNKNOWN],
		['are not shown', undefined, ids('de_1'), UNKNOWN],
		['are IDs, and were not shown before', ids('de_1', 'de_2'), undefined, UNKNOWN],
		['are as many new IDs as wanted', ids('de_3', 'de_4'), ids('de_1', 'de_2'), 'done'],
		['are new IDs, but not as many', ids('de_3'), ids('de_1', 'de_2'), UNKNOWN],
		['are the old IDs, as many as wanted', ids('de_1', 'de_2'), ids('de_1', 'de_2'), UNKNOWN],
		['are the old IDs', ids('de_1'), ids('de_1'), kept('designations')],
		[
			'are the old IDs with another date',
			[{ id: 'de_1', date: '2' }],
			[{ id: 'de_1', date: '1' }],
			kept('designations'),
		],
		['are others without IDs', [{ x: 3 }, { x: 4 }], [{ x: 1 }, { x: 2 }], 'done'],
	])('%s', async (_how, after, before, expected) => {
		const shown = (list?: IDataObject[]) => (list ? { signing_designations: list } : {});
		expect(
			await judged({ signing_designations: WANTED }, shown(after), before && shown(before)),
		).toEqual(expected);
	});
	test('that were kept are told before a name that was', async () => {
		const answer = { document_name: 'Note', signing_designations: ids('de_1') };
		const changes = { name: 'Deed', signing_designations: WANTED };
		expect(await judged(changes, answer, answer)).toEqual(kept('designations'));
	});
});

describe('a file', () => {
	const file = (now?: string, before?: string, sent = 'new') => ({
		file: { sent, before, now: async () => now },
	});
	const DONE = { processing_state: 'done' };
	test.each<[string, Update, IDataObject | undefined, IDataObject, unknown]>([
		['is the one that was sent', file('new', 'old'), DONE, DONE, 'done'],
		['is the one that was sent again', file('new', 'new'), undefined, DONE, 'done'],
		['is the one from before', file('old', 'old'), DONE, DONE, kept('file')],
		['is a changed one', file('flattened', 'old'), DONE, DONE, 'done'],
		['is another one, and was not known', file('flattened'), DONE, DONE, UNKNOWN],
		['is not shown', file(undefined, 'old'), undefined, DONE, UNKNOWN],
		['is not shown, as neither was the one before', file(), DONE, DONE, UNKNOWN],
		['is being processed', file('old', 'old'), DONE, { processing_state: 'pending' }, 'done'],
		[
			'was being processed before',
			file('old', 'old'),
			{ processing_state: 'pending' },
			{ processing_state: 'pending' },
			kept('file'),
		],
		[
			'is being processed, as it may have been before',
			file('old', 'old'),
			undefined,
			{ processing_state: 'pending' },
			kept('file'),
		],
	])('%s', async (_how, more, before, after, expected) => {
		expect(await judged({}, after, before, more)).toEqual(expected);
	});
	test('proves nothing of a name that was kept', async () => {
		const note = { document_name: 'Note' };
		expect(await judged({ name: 'Deed' }, note, note, file('new', 'old'))).toEqual(
			unchanged('name'),
		);
	});
});

describe('a split', () => {
	const judge = async (shown: IDataObject[], platform: 'business' | 'realEstate') =>
		await withUpdate(
			{ pdf_bookmarked: true },
			{ shown, platform },
			async (update) => await updatedGoal(update).look(),
		);
	test('is done once the document has made way', async () => {
		expect(await judge([{ id: 'do_2' }], 'business')).toEqual({ state: 'done', shown: {} });
	});
	test('may come yet on business, and does not on real estate', async () => {
		expect(await judge([{ id: 'do1' }], 'business')).toEqual(UNKNOWN);
		expect(await judge([{ id: 'do_1' }], 'realEstate')).toEqual(unchanged('pdf_bookmarked'));
	});
	test('is told in words, not with the document as it was', async () => {
		await withUpdate({ pdf_bookmarked: true }, { shown: [] }, async (update) => {
			const { told } = updatedGoal(update);
			expect(told('Splitting')).toEqual({ state: 'done', shown: { message: 'Splitting' } });
			expect(told({ id: 'do_1' })).toEqual(UNKNOWN);
		});
	});
});

describe('an update that nothing shows', () => {
	const FILE = { now: async () => undefined };
	const fail = async (changes: IDataObject, more: Update, send = async () => ({}) as unknown) =>
		await withUpdate(
			changes,
			{ ...more, before: undefined, shown: [{ id: 'do_1' }] },
			async (update) => await thrownBy(writeUpdate(update, send)),
		);
	test.each<[string, IDataObject, Update, object]>([
		['a name', { name: 'Deed' }, {}, { code: 'notShown' }],
		['a file', {}, { file: FILE }, { code: 'paperNotShown', parts: ['file'] }],
		[
			'designations',
			{ signing_designations: [] },
			{},
			{ code: 'paperNotShown', parts: ['designations'] },
		],
		[
			'a file with designations',
			{ signing_designations: [] },
			{ file: FILE },
			{ code: 'paperNotShown', parts: ['file', 'designations'] },
		],
	])('of %s is told as such, and is in doubt', async (_what, changes, more, reason) => {
		expect(await fail(changes, more)).toMatchObject({ reason, flags: { inDoubt: true } });
	});
	test('keeps the words of the service', async () => {
		const send = async () => ({ errors: ['Not now'] });
		expect(await fail({}, { file: FILE }, send)).toMatchObject({ reason: { said: ['Not now'] } });
	});
	test('because it was not sent keeps its reason', async () => {
		const failure = new Error('Out of order');
		const send = async () => {
			throw failure;
		};
		expect(await fail({}, { file: FILE }, send)).toBe(failure);
	});
});
