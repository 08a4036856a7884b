import type { IDataObject } from 'n8n-workflow';

import { toDocument } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import { UNCERTAIN, type Look, type Verdict } from '../../../../nodes/SignAndClose/run/goals.ts';
import {
	buildDocumentUpdateGoal,
	type DocumentUpdate,
	type UpdatedDocument,
} from '../../../../nodes/SignAndClose/resources/document/goals.ts';
import { withClient } from '../../../support/live/client.mts';
import { AFTER_ERROR, AFTER_LOSS, AFTER_SUCCESS } from '../looks.mts';

/** What an answer proves of the update of a document. */

const unchanged = (...names: string[]) => ({ state: 'notDone', reason: { unchanged: names } });

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
				replacesFile: false,
				...(before && { before: toDocument({ id: 'do_1', ...before }) }),
				...more,
			}),
	);
/**
 * What the service shows when it's looked at after a success, and after an answer that is none. A proof
 * is just `done`, one with another value has the value that is shown.
 */
async function judged(
	changes: IDataObject,
	after: IDataObject,
	before?: IDataObject,
	more: Update = {},
) {
	const document = { id: 'do_1', ...after };
	const options = { ...more, before, shown: [{ id: 'do_2', document_name: 'Note' }, document] };
	return await withUpdate(changes, options, async (update) => {
		const { fromAnswer, look } = buildDocumentUpdateGoal(update);
		const plain = (seen?: Verdict<UpdatedDocument>) => {
			if (seen?.state !== 'done') return seen;
			const [different] = seen.value.differing;
			return different === undefined ? 'done' : { shown: different.actual };
		};
		const seen = async (how: Look) => plain(await look!(how));
		const told = plain(fromAnswer(document));
		const answered = await seen(AFTER_SUCCESS);
		const lost = await seen(AFTER_ERROR);
		// A later look may show what this one doesn't.
		expect(await seen(AFTER_LOSS)).toEqual(lost === UNCERTAIN ? undefined : lost);
		// The answer itself proves the same, or it isn't enough.
		expect([UNCERTAIN, answered]).toContainEqual(told);
		return { told, answered, lost };
	});
}
/** Shown by the service, however it answered the write. */
const always = (verdict: unknown) => ({ told: verdict, answered: verdict, lost: verdict });
/** Trusted after a success only, and not before the transaction was looked at. */
const TRUSTED = { told: UNCERTAIN, answered: 'done', lost: UNCERTAIN };
/** Taken by the service, with a value of its own. */
const instead = (shown: unknown) => ({ told: { shown }, answered: { shown }, lost: UNCERTAIN });

describe('a field', () => {
	test.each<[string, IDataObject, IDataObject, IDataObject | undefined, unknown]>([
		['is shown', { name: 'Deed' }, { document_name: 'Deed' }, undefined, always('done')],
		[
			'is shown as before',
			{ name: 'Deed' },
			{ document_name: 'Deed' },
			{ document_name: 'Deed' },
			always('done'),
		],
		[
			'is shown in other letters than the wanted ones, as before',
			{ name: 'Deed' },
			{ document_name: 'DEED' },
			{ document_name: 'DEED' },
			always(unchanged('name')),
		],
		[
			'is another, and was not known',
			{ name: 'Deed' },
			{ document_name: 'Note' },
			undefined,
			instead('Note'),
		],
		[
			'is the one from before',
			{ name: 'Deed' },
			{ document_name: 'Note' },
			{ document_name: 'Note' },
			always(unchanged('name')),
		],
		['that is always shown is missing', { name: 'Deed' }, {}, undefined, always(UNCERTAIN)],
		['that is not always shown is missing', { tracking_id: '7' }, {}, undefined, TRUSTED],
		['was a flag', { flag: false }, { flag: true }, { flag: true }, always(unchanged('flag'))],
		[
			'is a number as text',
			{ bundle_position: 2 },
			{ bundle_position: '2' },
			undefined,
			always('done'),
		],
		['is a flag as text', { flag: true }, { flag: 'true' }, undefined, always('done')],
	])('%s', async (_how, changes, after, before, expected) => {
		expect(await judged(changes, after, before)).toEqual(expected);
	});
	test('with another value comes with what was sent', async () => {
		const changes = { name: 'Deed', tracking_id: 7 };
		const shown = [{ id: 'do_1', document_name: 'Deed.pdf', tracking_id: '7' }];
		const before = { document_name: 'Note' };
		const seen = await withUpdate(
			changes,
			{ shown, before },
			async (update) => await buildDocumentUpdateGoal(update).look!(AFTER_SUCCESS),
		);
		expect(seen).toEqual({
			state: 'done',
			value: {
				document: shown[0],
				differing: [{ field: 'name', expected: 'Deed', actual: 'Deed.pdf' }],
			},
		});
	});
});

describe('designations', () => {
	const WANTED = [
		{ type: 'signature', page_number: 1 },
		{ type: 'initials', page_number: 2 },
	];
	const ids = (...names: string[]) => names.map((id) => ({ id }));
	/** Changed in a way that can't be compared, which a success explains. */
	const CHANGED = { told: 'done', answered: 'done', lost: UNCERTAIN };
	const OTHERS = [WANTED[0], WANTED[0]];
	test.each<[string, IDataObject[] | undefined, IDataObject[] | undefined, unknown]>([
		['are shown', WANTED, undefined, always('done')],
		['are shown in another order', [...WANTED].reverse(), undefined, always('done')],
		['are shown in part', [WANTED[0], { id: 'de_2' }], undefined, always(UNCERTAIN)],
		['are others than the wanted ones', OTHERS, undefined, instead(OTHERS)],
		['are others than the wanted ones and than before', OTHERS, [], instead(OTHERS)],
		['are more than the wanted ones', [...WANTED, ...WANTED], [], instead([...WANTED, ...WANTED])],
		['are those from before', OTHERS, OTHERS, always(unchanged('designations'))],
		['are not shown', undefined, ids('de_1'), always(UNCERTAIN)],
		['are IDs, and were not shown before', ids('de_1', 'de_2'), undefined, always(UNCERTAIN)],
		['are as many new IDs as wanted', ids('de_3', 'de_4'), ids('de_1', 'de_2'), CHANGED],
		['are new IDs, but not as many', ids('de_3'), ids('de_1', 'de_2'), always(UNCERTAIN)],
		['are the old IDs', ids('de_1'), ids('de_1'), always(UNCERTAIN)],
		['are others without IDs', [{ x: 3 }, { x: 4 }], [{ x: 1 }, { x: 2 }], CHANGED],
	])('%s', async (_how, after, before, expected) => {
		const shown = (list?: IDataObject[]) => (list ? { signing_designations: list } : {});
		expect(
			await judged({ signing_designations: WANTED }, shown(after), before && shown(before)),
		).toEqual(expected);
	});
});

describe('a file', () => {
	const [DONE, PENDING] = ['done', 'pending'].map((state) => ({ processing_state: state }));
	const NEW_FILE = { replacesFile: true };
	/** A success is the only thing that explains it. */
	const TAKEN = { told: 'done', answered: 'done', lost: UNCERTAIN };
	test.each<[string, IDataObject, IDataObject | undefined, unknown]>([
		['is processed anew', PENDING, DONE, TAKEN],
		['is not processed anew', DONE, DONE, always(UNCERTAIN)],
		['was being processed before', PENDING, PENDING, always(UNCERTAIN)],
		['is processed, as it may have been before', PENDING, undefined, always(UNCERTAIN)],
		['shows no state', {}, DONE, always(UNCERTAIN)],
	])('that %s', async (_how, after, before, expected) => {
		expect(await judged({}, after, before, NEW_FILE)).toEqual(expected);
	});
});

describe('a split', () => {
	const judge = async (shown: IDataObject[], platform: 'business' | 'realEstate') =>
		await withUpdate(
			{ pdf_bookmarked: true },
			{ shown, platform },
			async (update) => await buildDocumentUpdateGoal(update).look!(AFTER_LOSS),
		);
	test('is done once the document has made way', async () => {
		expect(await judge([{ id: 'do_2' }], 'business')).toEqual({
			state: 'done',
			value: { document: {}, differing: [] },
		});
	});
	test('may come yet on business, and does not on real estate', async () => {
		expect(await judge([{ id: 'do1' }], 'business')).toBeUndefined();
		expect(await judge([{ id: 'do_1' }], 'realEstate')).toEqual(unchanged('pdf_bookmarked'));
	});
	test('is told in words, not with the document as it was', async () => {
		await withUpdate({ pdf_bookmarked: true }, { shown: [] }, async (update) => {
			const { fromAnswer: told } = buildDocumentUpdateGoal(update);
			expect(told('Splitting')).toEqual({
				state: 'done',
				value: { document: { message: 'Splitting' }, differing: [] },
			});
			expect(told({ id: 'do_1' })).toEqual(UNCERTAIN);
		});
	});
});

test('a flag that is on may be shown by a word, and no word says that it is off', async () => {
	const on = { witness_required: true, customer_can_annotate: true };
	const actions = ['WITNESS_REQUIRED', 'CUSTOMER_CAN_ANNOTATE'];
	expect(await judged(on, { allowed_actions: actions })).toEqual(always('done'));
	expect(await judged(on, { permissions: actions })).toEqual(always('done'));
	expect(await judged(on, { allowed_actions: actions.slice(1) })).toEqual(TRUSTED);
	const off = { witness_required: false };
	expect(await judged(off, { allowed_actions: [] })).toEqual(TRUSTED);
});
