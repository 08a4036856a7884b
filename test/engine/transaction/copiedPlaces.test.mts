import type { IDataObject } from 'n8n-workflow';

import { id, toForm } from '../../support/closing.mts';
import { businessFile, closingFile, withFiles } from '../../support/createAndSend.mts';
import { attempt, hints, ownDocuments, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Copy and places to sign: what the copy lacks is told first, everywhere, and can be set. */

useSandbox();
let number = 0;
beforeEach(() => void (sandbox.world.settings.processingMs = 0));

type Platform = 'business' | 'realEstate';
const box = (y: number) =>
	JSON.stringify([
		{
			...{ signer_identifier: 'borrower-1', type: 'signature', page_number: 0 },
			...{ x: 72, y, width: 180, height: 24 },
		},
	]);
const ROW = { whereToSign: 'json' };
const RULES = {
	row: [
		{ ...ROW, nameContains: 'Deed', requirement: 'notarization', designationsJson: box(96) },
		{ ...ROW, nameContains: 'Affidavit', requirement: 'esign', designationsJson: box(200) },
		{ nameContains: '*', requirement: 'readonly', whereToSign: 'nobody' },
	],
};
const FILES = { 'Deed.pdf': '%1', 'Affidavit.pdf': '%2', 'Letter.pdf': '%3' };

/** An expired transaction of these files. */
async function expired(platform: Platform, documentRules: IDataObject = RULES): Promise<string> {
	const [build, key] =
		platform === 'business' ? [businessFile, 'external_id'] : [closingFile, 'loan_number'];
	const parameters = build({
		...{ then: 'send', documentRules },
		...toForm({ [key]: `places-${process.pid}-${++number}` }),
	});
	const { json } = await run(parameters, await withFiles(FILES));
	const old = String(json.transaction_id);
	await sandbox.act.expire(old);
	return old;
}
const on = (operation: string, platform: Platform, of: unknown, more: IDataObject = {}) => ({
	...{ resource: 'transaction', operation, platform, transactionId: id(String(of)) },
	...more,
});
/** A note on paper, so that nothing else keeps it from being sent. */
const consent = (of: unknown) => void (transaction(of).fields.paper_note_consent = true);
const copying = (platform: Platform, old: unknown) =>
	on('copy', platform, old, { settingsNotShown: 'none' });
const applying = (of: unknown) =>
	on('applyRules', 'realEstate', of, {
		...{ resource: 'document', documentRules: RULES, ifSplitRunning: 'return' },
		...{ notUpdatable: 'replace', settingsNotShown: 'none' },
	});
const findings = async (platform: Platform, of: unknown) => {
	const more = { checkOutput: 'findings', binaryPropertyName: '' };
	const { items } = await run(on('check', platform, of, more));
	return items
		.filter(({ json }) => json.code === 'copied_places' && json.state !== 'ok')
		.map(({ json }) => `${String(json.state)}: ${String(json.text)}`);
};
const places = (of: unknown) =>
	ownDocuments(of)
		.map(({ name, designations }) => [name, designations])
		.sort();
const REMEDY =
	"set them with 'Document: Apply Rules', with 'What Update Can't Set' at 'Replace the Document'";
const LOST = `No places to sign in the copy: Deed, Affidavit (the service doesn't show where they were). Before you send it, ${REMEDY}`;

describe('of a closing', () => {
	test('documents without their places are named first, and those that had none are not', async () => {
		const outcome = await run(copying('realEstate', await expired('realEstate')));
		expect(hints(outcome).replace(/^\d+ \w+\. /, '')).toMatch(
			new RegExp(`^${LOST.replaceAll(/[()]/g, '\\$&')}`),
		);
		expect(hints(outcome)).toContain(
			"The copy is a draft. Once its places to sign are set, use 'Transaction: Send'",
		);
		expect((outcome.json.not_copied as IDataObject[])[0]).toMatchObject({
			...{ subject: 'Deed, Affidavit', field: 'Where to Sign' },
			reason: "the service doesn't show where they were",
		});
	});
	test('the remedy sets them: then nothing names them any more', async () => {
		const old = await expired('realEstate');
		const { json } = await run(copying('realEstate', old));
		expect(hints(await run(copying('realEstate', old)))).toContain(LOST);
		await run(applying(json.transaction_id));
		expect(places(json.transaction_id)).toEqual(places(old));
		expect(await findings('realEstate', json.transaction_id)).toEqual([]);
		expect(hints(await run(copying('realEstate', old)))).not.toContain('places to sign');
		consent(json.transaction_id);
		const sent = await run(on('send', 'realEstate', json.transaction_id));
		expect(hints(sent)).not.toContain('places to sign');
	});
	test('so does a person: the next run, Check and Send see it', async () => {
		const old = await expired('realEstate');
		const { json } = await run(copying('realEstate', old));
		for (const document of ownDocuments(json.transaction_id))
			document.designations = ownDocuments(old).find(
				({ name }) => name === document.name,
			)!.designations;
		expect(await findings('realEstate', json.transaction_id)).toEqual([]);
		expect(hints(await run(copying('realEstate', old)))).not.toContain('places to sign');
	});
	test('Check warns of all of them by name, and Send says it', async () => {
		const { json } = await run(copying('realEstate', await expired('realEstate')));
		const text =
			"'Transaction: Copy' couldn't take over the places to sign of 'Deed' and 'Affidavit', and the service shows none since";
		expect(await findings('realEstate', json.transaction_id)).toEqual([
			`warning: ${text}. Before you send it, ${REMEDY}, or make sure that the closing team does it`,
		]);
		consent(json.transaction_id);
		const sent = await run(on('send', 'realEstate', json.transaction_id));
		expect(hints(sent)).toContain(
			`The service shows no places to sign in 'Deed' and 'Affidavit' of ${String(json.transaction_id)}: 'Transaction: Copy' couldn't take them over`,
		);
		expect(transaction(json.transaction_id).status).toBe('sent');
	});
	test('Replace Documents says it in the plan, if its rules have no places either', async () => {
		const { json } = await run(copying('realEstate', await expired('realEstate')));
		const row = RULES.row.map((rule) => ({ ...rule, designationsJson: '[]' }));
		const replacing = on('replaceDocuments', 'realEstate', json.transaction_id, {
			...{ thenReplace: 'plan', documentRules: { row } },
		});
		expect(hints(await run(replacing, await withFiles(FILES)))).toContain(
			"The service shows no places to sign in 'Deed' and 'Affidavit' of ",
		);
		const placed = { ...replacing, documentRules: RULES };
		expect(hints(await run(placed, await withFiles(FILES)))).not.toContain('shows no places');
	});
	test('without the closing team, Send stops, and sends once they are set', async () => {
		const { json } = await run(copying('realEstate', await expired('realEstate')));
		consent(json.transaction_id);
		const additionalFields = { skip_closing_ops: true };
		const sending = on('send', 'realEstate', json.transaction_id, { additionalFields });
		const { error } = await attempt(sending);
		expect([error?.message, error?.description]).toEqual([
			expect.stringContaining("couldn't take over the places to sign of 'Affidavit'"),
			expect.stringContaining(`Nothing was sent. Before you send it, ${REMEDY}`),
		]);
		expect(transaction(json.transaction_id).status).toBe('started');
		await run(applying(json.transaction_id));
		await run(sending);
		expect(transaction(json.transaction_id).status).toBe('sent');
	});
	test('places that come from tags of the file come from them again', async () => {
		const row = [
			{ nameContains: 'Deed', requirement: 'notarization', whereToSign: 'hiddenTags' },
			...RULES.row.slice(1),
		];
		const old = await expired('realEstate', { row });
		const deed = ownDocuments(old).find(({ name }) => name === 'Deed')!;
		deed.designations.push({ type: 'signature' } as never);
		sandbox.requests.length = 0;
		const outcome = await run(copying('realEstate', old));
		expect(hints(outcome)).toContain('No places to sign in the copy: Affidavit (');
		const added = sandbox.requests.filter(({ path }) => path.endsWith('/documents'));
		expect(added.map(({ body }) => (body as IDataObject).text_tag_syntax).sort()).toEqual([
			...['standard_hidden', undefined, undefined],
		]);
	});
	test('beside a Tracking ID of a person, another operation is named, also by the next run', async () => {
		const old = await expired('realEstate');
		for (const { name, flags } of ownDocuments(old))
			if (name !== 'Letter') flags.tracking_id = `Box ${name}`;
		const parameters = { ...copying('realEstate', old), copyFilesUnproven: true };
		const tracked =
			"No places to sign in the copy: Deed, Affidavit (the service doesn't show where they were; beside a Tracking ID, only 'Document: Add' sets them). The copy";
		const unasked = / eNote or paper note\?.*?'Transaction: Update'\./;
		for (const time of ['first', 'second']) {
			const said = hints(await run(parameters)).replace(unasked, '');
			expect([time, said]).toEqual([time, expect.stringContaining(tracked)]);
		}
	});
	test('the copy of a copy lacks them, too, and so does a copy whose old one is deleted', async () => {
		const { json } = await run(copying('realEstate', await expired('realEstate')));
		const ended = { status: 'canceled', detailedStatus: 'canceled' };
		Object.assign(transaction(json.transaction_id), ended);
		const parameters = { ...copying('realEstate', json.transaction_id), deleteOld: true };
		const again = await run(parameters);
		expect(again.json.transaction_id).not.toBe(json.transaction_id);
		expect(hints(again)).toContain(LOST);
		expect(transaction(json.transaction_id)).toBeUndefined();
		expect(hints(await run(parameters))).toContain('No places to sign in the copy: ');
	});
});

describe('of a business transaction', () => {
	test('they are copied, and nothing is named', async () => {
		const old = await expired('business');
		const outcome = await run(copying('business', old));
		expect(hints(outcome)).not.toContain('places to sign');
		expect(hints(outcome)).toContain('Look at it');
		expect(places(outcome.json.transaction_id)).toEqual(places(old));
		expect(await findings('business', outcome.json.transaction_id)).toEqual([]);
	});
	test("those of the item's other file are named, and Send stops", async () => {
		const old = await expired('business');
		for (const document of ownDocuments(old)) document.uploaded = Buffer.from('%PDF-other');
		const files = await withFiles({ 'Affidavit.pdf': '%new' });
		const outcome = await run(copying('business', old), files);
		expect(hints(outcome)).toContain(
			"No places to sign in the copy: Affidavit (the item's file may have other places)",
		);
		const { transaction_id: copy } = outcome.json;
		expect(await findings('business', copy)).toEqual([
			`missing: 'Transaction: Copy' couldn't take over the places to sign of 'Affidavit', and the service shows none since. Before you send it, ${REMEDY}`,
		]);
		expect((await attempt(on('send', 'business', copy))).error?.description).toContain(REMEDY);
	});
});
