import type { IDataObject } from 'n8n-workflow';

import { id as locator } from '../../../support/closing.mts';
import { hints, ownDocuments, run } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { FILES, makeTransaction, names, NEW_NOTE, replace, RULES } from './scene.mts';

/** Transaction: Replace Documents: a file that is there, by a rule with other places or settings. */

useSandbox();
beforeEach(() => void (sandbox.world.settings.processingMs = 0));

const [DEED, NOTE, ANY] = RULES;
const ADD = 'POST /transactions/ID/documents';
const DELETE = 'DELETE /documents/DO';
const BOX = {
	...{ signer_identifier: 'borrower-1', type: 'signature', page_number: 0 },
	...{ x: 72, y: 300, width: 180, height: 24 },
};
const placed = (rule: IDataObject, ...places: IDataObject[]): IDataObject => ({
	...{ ...rule, whereToSign: 'json', designationsJson: JSON.stringify(places) },
});
const PLACED_DEED = [placed(DEED, BOX), NOTE, ANY];
const document = (id: string, name: string) => ownDocuments(id).find((one) => one.name === name)!;
const placesOf = (id: string, name: string) => document(id, name).designations;
const actions = ({ json }: { json: IDataObject }) =>
	(json.papers as IDataObject[]).map(
		({ file, action, matched_by: by }) => `${String(file)} ${String(action)} ${String(by)}`,
	);
const differences = ({ json }: { json: IDataObject }) =>
	(json.differences as IDataObject[]).map(({ subject, field, kind }) => [subject, field, kind]);

describe.each(['realEstate', 'business'] as const)('on %s', (platform) => {
	test('it comes again with the places of the rule, once', async () => {
		const id = await makeTransaction(FILES, { platform, then: 'draft' });
		const form = { platform, rules: PLACED_DEED };
		const shown = await replace(id, FILES, { ...form, then: 'plan' });
		expect(shown.stops).toEqual([]);
		expect(shown.plan.slice(0, 2)).toEqual([
			"Replace Deed with 'Deed.pdf': 'Where to Sign' of rule 1 is different",
			"Delete Deed: 'Deed.pdf' takes its place",
		]);
		expect(actions(shown)).toEqual([
			'Deed.pdf replace content',
			'Note.pdf same null',
			'Rider.pdf same null',
		]);
		expect(differences(shown)).toEqual([['Deed', 'Where to Sign', 'different']]);
		const done = await replace(id, FILES, { ...form, then: 'draft' });
		expect([done.said, done.writes]).toEqual([undefined, [ADD, DELETE]]);
		expect([names(id), placesOf(id, 'Deed')]).toMatchObject([['Deed', 'Note', 'Rider'], [BOX]]);
		const again = await replace(id, FILES, { ...form, then: 'draft' });
		expect([again.writes, again.reads, differences(again)]).toEqual([[], 1, []]);
	});
	test('a run that was cut off is gone on with, also if the file has another name', async () => {
		const id = await makeTransaction(FILES, { platform, then: 'draft' });
		const { 'Deed.pdf': deed, ...others } = FILES;
		const files = { ...others, 'New Deed.pdf': deed };
		const form = { platform, rules: PLACED_DEED, then: 'draft' } as const;
		sandbox.faults.add({ method: 'DELETE', path: /documents/, status: 422, body: {}, times: 9 });
		expect((await replace(id, files, form)).said).toContain('The old Deed');
		sandbox.faults.clear();
		const done = await replace(id, files, form);
		expect([done.said, done.writes]).toEqual([undefined, [DELETE]]);
		expect([names(id), placesOf(id, 'Deed')]).toMatchObject([['Deed', 'Note', 'Rider'], [BOX]]);
		expect((await replace(id, files, form)).writes).toEqual([]);
	});
	test('a rule that asks for no places leaves it as it is', async () => {
		const id = await makeTransaction(FILES, { platform });
		const unplaced = { ...NOTE, whereToSign: 'rows', designationsJson: '[]' };
		const kept = await replace(id, FILES, { platform, rules: [DEED, unplaced, ANY] });
		expect([kept.said, kept.writes, differences(kept)]).toEqual([undefined, [], []]);
		const nobody = { nameContains: 'Note', requirement: '', whereToSign: 'nobody' };
		const told = await replace(id, FILES, { platform, rules: [DEED, nobody, ANY] });
		expect([told.said, told.writes]).toEqual([undefined, []]);
		expect(differences(told)).toEqual([['Note', 'Where to Sign', 'different']]);
		expect(told.hints).toMatch(
			/It stays: Where to Sign of Note is '.*' in ID, and 'no places' in the item/,
		);
	});
	test('places that somebody has changed since are told, and stay', async () => {
		const id = await makeTransaction(FILES, { platform, then: 'draft' });
		placesOf(id, 'Note').push({ ...placesOf(id, 'Note')[0], y: 400 });
		const done = await replace(id, FILES, { platform, then: 'draft' });
		expect([done.said, done.writes]).toEqual([undefined, []]);
		expect(differences(done)).toEqual([['Note', 'Where to Sign', 'different']]);
	});
	test('another requirement is told, and stops a Send', async () => {
		const id = await makeTransaction(FILES, { platform, then: 'draft' });
		const rules = [DEED, { ...NOTE, requirement: 'notarization' }, ANY];
		const shown = await replace(id, FILES, { platform, rules, then: 'plan' });
		const stop =
			"The 'Requirement' of Note is eSign, and Notarization in rule 2. Set it in the rule to what holds";
		expect([shown.stops, differences(shown)]).toEqual([
			[stop],
			[['Note', 'Requirement', 'different']],
		]);
		const sent = await replace(id, FILES, { platform, rules });
		expect([sent.writes, sent.said]).toEqual([[], expect.stringContaining(stop)]);
		const kept = await replace(id, FILES, { platform, rules, then: 'draft' });
		expect([kept.said, kept.writes]).toEqual([undefined, []]);
		expect(kept.hints).toContain(
			"It stays: Requirement of Note is 'esign' in ID, and 'notarization' in the item",
		);
	});
	test('a flag of the rule that a document does not have is told, and no other one', async () => {
		const id = await makeTransaction(FILES, { platform, then: 'draft' });
		document(id, 'Deed').flags.vaulted = true;
		const rules = [DEED, { ...NOTE, flags: ['witness_required'] }, ANY];
		const done = await replace(id, FILES, { platform, rules, then: 'draft' });
		expect([done.said, done.writes]).toEqual([undefined, []]);
		expect(differences(done)).toEqual([['Note', 'Witness Required', 'different']]);
	});
	test('documents of a copy get the places that Copy could not know', async () => {
		const old = await makeTransaction(FILES, { platform });
		await sandbox.act.expire(old);
		const { json } = await run({
			...{ resource: 'transaction', operation: 'copy', platform, settingsNotShown: 'none' },
			transactionId: locator(old),
		});
		const copy = String(json.transaction_id);
		const more = { flagsNotShown: 'rule' };
		const done = await replace(copy, FILES, { platform, then: 'draft', more });
		const isShown = platform === 'business';
		expect([done.said, done.writes]).toEqual([undefined, isShown ? [] : [ADD, DELETE]]);
		expect(placesOf(copy, 'Note')).toEqual(placesOf(old, 'Note'));
		expect((await replace(copy, FILES, { platform, then: 'draft' })).writes).toEqual([]);
	});
	test('of places by roles, and of what Apply Rules has set, nothing is written', async () => {
		const place = { ...BOX, signer_identifier: 'Borrower' };
		const absent = { ...BOX, signer_identifier: 'Co-Borrower', y: 500 };
		const byRole = { ...placed(NOTE, place, absent), ifSignerMissing: 'leaveOut' };
		const rules = [placed(DEED, place), byRole, ANY];
		const more = {
			signers: {
				row: [
					{
						...{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Borrower' },
						...{ phone_number: '6175550123', role: 'Borrower' },
					},
				],
			},
		};
		const id = await makeTransaction(FILES, { platform, rules, more });
		const same = await replace(id, FILES, { platform, rules });
		expect([same.said, same.writes, differences(same)]).toEqual([undefined, [], []]);
		const renewed = await replace(id, NEW_NOTE, { platform, rules });
		expect([renewed.said, renewed.writes.length]).toEqual([undefined, 4]);
		expect((await replace(id, NEW_NOTE, { platform, rules })).writes).toEqual([]);
		const other = await makeTransaction(FILES, { platform, then: 'draft', more });
		const outcome = await run({
			...{ resource: 'document', operation: 'applyRules', platform, settingsNotShown: 'none' },
			...{ transactionId: locator(other), documentRules: { row: rules } },
			notUpdatable: 'replace',
		});
		expect(hints(outcome)).toContain('replaced');
		const after = await replace(other, FILES, { platform, rules, then: 'draft' });
		expect([after.said, after.writes]).toEqual([undefined, []]);
	});
});

test('of a sent one, it is recalled first', async () => {
	const id = await makeTransaction();
	const stopped = await replace(id, FILES, { rules: PLACED_DEED, recalls: false });
	expect([stopped.writes, stopped.said]).toEqual([
		[],
		expect.stringContaining('is with its signers'),
	]);
	const done = await replace(id, FILES, { rules: PLACED_DEED });
	expect(done.said).toBeUndefined();
	expect(done.writes.slice(0, 3)).toEqual(['POST /transactions/ID/recall', ADD, DELETE]);
	expect((await replace(id, FILES, { rules: PLACED_DEED })).writes).toEqual([]);
});
