import type { IDataObject } from 'n8n-workflow';

import { id, toForm } from '../../support/closing.mts';
import {
	businessFile,
	closingFile,
	RULES,
	withFiles,
	writes,
} from '../../support/createAndSend.mts';
import { PLATFORMS } from '../../support/everyField/transactions.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { addEnote } from '../../support/matrix/documents.mts';
import {
	answerFor,
	attempt,
	complaint,
	hints,
	ownDocuments,
	run,
	transaction,
} from '../../support/operations.mts';
import { until } from '../../support/until.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Copy: a transaction that has ended becomes a draft, and what it lacks is told. */

useSandbox();
let number = 0;
beforeEach(() => void number++);

type Platform = (typeof PLATFORMS)[number];
const FILES = { 'Deed of Trust.pdf': '%1', 'Affidavit_of_Occupancy.pdf': '%2' };

/** Brings a file to a draft, so that its documents have references of the node, or sends it. */
async function made(platform: Platform, then: string, more: IDataObject = {}): Promise<string> {
	const [build, field] =
		platform === 'business' ? [businessFile, 'external_id'] : [closingFile, 'loan_number'];
	const fields = toForm({ [field]: numberOf(), ...more });
	const { json } = await run(
		build({ then, documentRules: RULES, ...fields }),
		await withFiles(FILES),
	);
	return String(json.transaction_id);
}
const numberOf = () => `copy-${process.pid}-${number}`;
const sent = async (platform: Platform, more: IDataObject = {}) =>
	await made(platform, 'send', more);
async function expired(platform: Platform, more: IDataObject = {}): Promise<string> {
	const old = await sent(platform, more);
	await sandbox.act.expire(old);
	sandbox.requests.length = 0;
	return old;
}
const copying = (platform: Platform, old: unknown, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'copy',
	platform,
	transactionId: id(String(old)),
	settingsNotShown: 'none',
	...more,
});
const reasonsFor = (json: IDataObject, field: string) =>
	(json.not_copied as IDataObject[])
		.filter((entry) => entry.field === field)
		.map(({ subject, reason }) => [subject, reason].filter(Boolean).join(': '));
/** The documents that weren't copied for a reason. */
const documentsFor = (json: IDataObject, reason: string) =>
	(json.not_copied as IDataObject[])
		.filter((entry) => entry.field === 'Document' && entry.reason === reason)
		.flatMap(({ subject }) => String(subject).split(', '))
		.sort();
const names = (transactionId: unknown) =>
	ownDocuments(transactionId)
		.map(({ name }) => name)
		.sort();
const BOTH = ['Affidavit_of_Occupancy', 'Deed of Trust'];
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe.each(PLATFORMS)('on %s', (platform) => {
	test('an expired one becomes a draft with its documents, in their order', async () => {
		const old = await expired(platform);
		const outcome = await run(copying(platform, old));
		const { transaction_id: copy, ...json } = outcome.json;
		expect(json).toMatchObject({ existing: false, old_transaction_id: old, status: 'started' });
		expect(copy).not.toBe(old);
		const shown = ((await answerFor(copy, platform)).documents as IDataObject[])
			.map(({ document_name: name }) => String(name))
			.filter((name) => !name.startsWith('eSign Consent'));
		expect((json.steps as IDataObject[]).map(({ sentence }) => sentence)).toEqual([
			`Create a copy of ${old} for Jane Borrower · jane.borrower@example.com`,
			...shown.map((name) => `Copy ${name}`),
		]);
		expect([...shown].sort()).toEqual(BOTH);
		expect(json.documents_added).toMatchObject([
			{ file_from: 'transaction', proven: true },
			{ file_from: 'transaction', proven: true },
		]);
		const contents = (of: unknown) =>
			ownDocuments(of).map(({ name, uploaded }) => [name, Buffer.from(uploaded).toString('hex')]);
		expect(contents(copy).sort()).toEqual(contents(old).sort());
		expect(hints(outcome)).toContain(
			platform === 'business'
				? "The copy is a draft. Look at it, and use 'Transaction: Send'"
				: "The copy is a draft. Once its places to sign are set, use 'Transaction: Send'",
		);
	});
	test('run again, the copy is found, nothing is written, and what was changed by hand is told', async () => {
		const old = await expired(platform);
		const { json: first } = await run(copying(platform, old));
		transaction(first.transaction_id).fields.message_subject = 'By hand';
		sandbox.requests.length = 0;
		const { json } = await run(copying(platform, old));
		expect(json).toMatchObject({
			existing: true,
			transaction_id: first.transaction_id,
			steps: [{}],
		});
		expect([writes(), json.documents_added]).toEqual([[], []]);
		transaction(old).fields.message_subject = 'Old';
		const { json: changed } = await run(copying(platform, old));
		expect(changed.differences).toMatchObject([{ expected: 'Old', actual: 'By hand' }]);
		expect(writes()).toEqual([]);
	});
	test('what is missing in the copy is added, and a sent one stays as it is', async () => {
		const old = await expired(platform);
		const { json: first } = await run(copying(platform, old));
		const copy = transaction(first.transaction_id);
		copy.documents = copy.documents.filter(({ name }) => name !== 'Deed of Trust');
		sandbox.requests.length = 0;
		const { json } = await run(copying(platform, old));
		expect(json.documents_added).toMatchObject([{ document_name: 'Deed of Trust' }]);
		expect([writes(), names(copy.id)]).toEqual([['POST /transactions/ID/documents'], BOTH]);
		copy.documents = copy.documents.filter(({ name }) => name !== 'Deed of Trust');
		Object.assign(copy, { status: 'sent', detailedStatus: 'sent_to_signer' });
		sandbox.requests.length = 0;
		const { json: after } = await run(copying(platform, old));
		expect(after).toMatchObject({ transaction_id: copy.id, status: 'sent' });
		expect(reasonsFor(after, 'Document')).toContain('Deed of Trust: the copy was sent without it');
		expect(writes()).toEqual([]);
	});
	test('a document that a killed run has added late is told', async () => {
		const old = await expired(platform);
		const { json: first } = await run(copying(platform, old));
		const { documents } = transaction(first.transaction_id);
		documents.push({ ...documents.find(({ name }) => name === 'Deed of Trust')!, id: 'do_late' });
		const again = await run(copying(platform, old));
		expect(hints(again)).toContain('Deed of Trust');
		expect(again.json.differences).toMatchObject([{ subject: 'Deed of Trust', kind: 'extra' }]);
	});
	test.each(['decline', 'cancel'] as const)('what ended by %s is copied', async (action) => {
		const old = await sent(platform);
		await sandbox.act[action](old);
		const { json } = await run(copying(platform, old));
		expect(names(json.transaction_id)).toEqual(BOTH);
	});
	test.each(['draft', 'send'])(
		'a live one (%s) is refused, and nothing is written',
		async (then) => {
			const old = await made(platform, then);
			sandbox.requests.length = 0;
			const said = await complaint(copying(platform, old));
			expect(said).toContain(`${old} hasn't ended: it's `);
			expect(said).toContain(
				"'Transaction: Update', 'Transaction: Replace Documents' or 'Transaction: Correct Signer'",
			);
			expect(said).toContain("turn on 'Delete the Old One'");
			expect(writes()).toEqual([]);
		},
	);
	test.each([false, true])(
		'of a live one that somebody has signed, it is said when it can be copied (%s)',
		async (deleteOld) => {
			const old = await sent(platform);
			Object.assign(transaction(old).signers[0], { signing_status: 'complete' });
			sandbox.requests.length = 0;
			const said = await complaint(copying(platform, old, { deleteOld }));
			expect(said).toContain(
				`Somebody has signed ${old}, and it hasn't ended. Nothing was created. Copy it once it has expired, or was declined or canceled. For other papers until then, use 'Transaction: Create and Send'`,
			);
			expect(writes()).toEqual([]);
		},
	);
	test('a completed one is refused, also with Delete the Old One', async () => {
		const old = await sent(platform);
		await sandbox.act.complete(old);
		sandbox.requests.length = 0;
		const parameters = copying(platform, old, { deleteOld: true });
		expect(await complaint(parameters)).toContain("so there's nothing to start over");
		expect(writes()).toEqual([]);
	});
	test('a live one is deleted once the copy is there, and run again, the copy is found', async () => {
		const old = await sent(platform);
		const parameters = copying(platform, old, { deleteOld: true });
		sandbox.requests.length = 0;
		const { json } = await run(parameters);
		expect(writes()).toEqual([
			'POST /transactions',
			'POST /transactions/ID/documents',
			'POST /transactions/ID/documents',
			'DELETE /transactions/ID',
		]);
		expect([transaction(old), names(json.transaction_id)]).toEqual([undefined, BOTH]);
		sandbox.requests.length = 0;
		const { json: again } = await run(parameters);
		expect(again).toMatchObject({ existing: true, transaction_id: json.transaction_id });
		expect(writes()).toEqual([]);
		expect(await complaint(copying(platform, old))).toMatch(/was not found|doesn't know/);
	});
	test('the copy of one that had ended is found after its deletion, or it is said how', async () => {
		const old = await expired(platform, { external_id: `E-${platform}` });
		const parameters = copying(platform, old, { deleteOld: true });
		const { json } = await run(parameters);
		expect(transaction(old)).toBeUndefined();
		const given = platform === 'business' ? { external_id: 'E-business' } : {};
		if (platform === 'business')
			expect(await complaint(parameters)).toBe(
				`${old} isn't at the service, and no copy of it is found. If an earlier run has copied and deleted it, the copy has its External ID: enter that in 'New External ID', and the copy is found. Otherwise, check 'Transaction'`,
			);
		const { json: again } = await run({ ...parameters, additionalFields: given });
		expect(again).toMatchObject({ existing: true, transaction_id: json.transaction_id });
	});
	test('one that somebody signs meanwhile stays, and no new run is advised', async () => {
		const old = await sent(platform);
		sandbox.requests.length = 0;
		const sign = until(() => writes().some((text) => /documents$/.test(text))).then(() =>
			Object.assign(transaction(old).signers[0], { signing_status: 'complete' }),
		);
		const [said] = await Promise.all([
			complaint(copying(platform, old, { deleteOld: true })),
			sign,
		]);
		expect(said).toContain(
			`Deletion: Somebody has signed in ${old} meanwhile, so the service doesn't delete it. Two are there now: delete the copy with 'Transaction: Delete', unless the old one is to end by itself`,
		);
		expect(said).toMatch(/Not done: Deletion. The copy ot_\w+ is kept$/);
	});
	test('nothing is deleted whose documents the copy would lack', async () => {
		const old = await sent(platform);
		for (const { flags } of ownDocuments(old)) delete flags.tracking_id;
		sandbox.requests.length = 0;
		const said = await complaint(copying(platform, old, { deleteOld: true }));
		expect(said).toContain(`would be lost with ${old}`);
		expect(said).toContain("turn on 'Copy Files Unproven', or turn off 'Delete the Old One'");
		expect(writes()).toEqual([]);
	});
	test.each([
		['is lost', { kind: 'cutAfter' as const }],
		['never comes', { kind: 'cutBefore' as const }],
	])(
		'an answer that %s while documents are added keeps the old one, or adds once',
		async (_how, fault) => {
			const old = await sent(platform);
			sandbox.faults.add({ method: 'POST', path: /documents$/, ...fault });
			const parameters = copying(platform, old, { deleteOld: true });
			const { error } = await attempt(parameters);
			expect([error === undefined, transaction(old) === undefined]).toEqual(
				fault.kind === 'cutAfter' ? [true, true] : [false, false],
			);
			const { json } = await run(parameters);
			expect([transaction(old), names(json.transaction_id)]).toEqual([undefined, BOTH]);
		},
	);
	test('documents of one in which somebody has signed are not copied', async () => {
		const old = await sent(platform);
		transaction(old).signers[0].signing_status = 'complete';
		await sandbox.act.expire(old);
		sandbox.requests.length = 0;
		const outcome = await run(copying(platform, old, { copyFilesUnproven: true }));
		expect(names(outcome.json.transaction_id)).toEqual([]);
		expect(documentsFor(outcome.json, 'somebody has signed')).toEqual(BOTH);
		expect(hints(outcome)).toContain('(somebody has signed)');
		expect(sandbox.requests.filter(({ path }) => /documents\/do_/.test(path))).toEqual([]);
		const { json } = await run(copying(platform, old), await withFiles(FILES));
		expect(names(json.transaction_id)).toEqual(BOTH);
	});
	test('where somebody has begun to sign, only proven files are copied', async () => {
		const old = await expired(platform);
		transaction(old).signers[0].signing_status = 'in_progress';
		const [first] = ownDocuments(old);
		delete first.flags.tracking_id;
		const { json } = await run(copying(platform, old, { copyFilesUnproven: true }));
		expect(names(json.transaction_id)).toEqual(BOTH.filter((name) => name !== first.name));
		expect(documentsFor(json, 'somebody has begun to sign')).toEqual([first.name]);
	});
	test('a file that nothing proves is copied only if that is chosen', async () => {
		const old = await expired(platform);
		for (const { flags } of ownDocuments(old)) delete flags.tracking_id;
		const { json } = await run(copying(platform, old));
		const unproven = 'nothing proves that the file is the one that was uploaded';
		expect(documentsFor(json, unproven)).toEqual(BOTH);
		expect(names(json.transaction_id)).toEqual([]);
		const parameters = copying(platform, old, { copyFilesUnproven: true });
		const { json: chosen } = await run(parameters);
		expect(chosen).toMatchObject({ existing: true, transaction_id: json.transaction_id });
		expect(chosen.documents_added).toMatchObject([{ proven: false }, { proven: false }]);
		expect(names(json.transaction_id)).toEqual(BOTH);
	});
	test("what the service gives as another file is not copied, but the item's is", async () => {
		const old = await expired(platform);
		for (const document of ownDocuments(old))
			document.uploaded = Buffer.concat([document.uploaded, Buffer.from('%stamped')]);
		const { json } = await run(copying(platform, old));
		expect(names(json.transaction_id)).toEqual([]);
		const { json: withFile } = await run(
			copying(platform, old),
			await withFiles({ 'Deed of Trust.pdf': '%1' }),
		);
		expect(withFile.documents_added).toMatchObject([{ file_from: 'item', proven: true }]);
		expect(names(json.transaction_id)).toEqual(['Deed of Trust']);
	});
	test('another version of a file is added without the places of the old one', async () => {
		const old = await expired(platform);
		for (const { flags } of ownDocuments(old)) delete flags.tracking_id;
		const { json } = await run(
			copying(platform, old),
			await withFiles({ 'Affidavit_of_Occupancy.pdf': '%new' }),
		);
		expect(json.documents_added).toMatchObject([{ file_from: 'item', proven: false }]);
		const [reason] = reasonsFor(json, 'Where to Sign');
		expect(reason).toBe("Affidavit_of_Occupancy: the item's file may have other places");
		expect(ownDocuments(json.transaction_id)[0].designations).toEqual([]);
	});
	test('settings that are not shown stop the item, unless somebody says what they are', async () => {
		sandbox.world.settings.switches.schemaOnlySigners = 'hidden';
		try {
			const old = await expired(platform);
			const said = await complaint(copying(platform, old, { settingsNotShown: 'stop' }));
			expect(said).toMatch(/say in 'Settings Not Shown'/);
			expect(writes()).toEqual([]);
			const { json } = await run(
				copying(platform, old, {
					settingsNotShown: 'set',
					signerSettings: { row: [{ signerId: id('borrower-1'), middle_name: 'Ann' }] },
					closingSettings: {},
				}),
			);
			expect(transaction(json.transaction_id).signers[0].middle_name).toBe('Ann');
			expect(reasonsFor(json, 'Middle Name')).toEqual([]);
			expect(reasonsFor(json, 'Date of Birth')).toEqual([
				"Jane Borrower · jane.borrower@example.com: the service doesn't show it",
			]);
		} finally {
			sandbox.world.settings.switches.schemaOnlySigners = 'shown';
		}
	});
	test('times that are over are not copied, those to come are, and new ones are taken', async () => {
		const end = platform === 'business' ? 'expiry' : 'expiration_time';
		const old = await expired(platform, {
			activation_time: '2024-01-01T12:00:00Z',
			notary_meeting_time: later(9),
			[end]: later(20),
		});
		const { json } = await run(copying(platform, old));
		expect(reasonsFor(json, 'Activation Time')).toEqual(["it's in the past"]);
		expect(reasonsFor(json, 'Notary Meeting Time')).toEqual([]);
		const { fields } = transaction(json.transaction_id);
		expect(fields.activation_time).toBeUndefined();
		expect(fields.notary_meeting_time).toBe(transaction(old).fields.notary_meeting_time);
		expect(Date.parse(String(fields[end]))).toBeGreaterThan(Date.now());
		transaction(old).fields[end] = '2024-02-01T12:00:00Z';
		const { json: second } = await run(copying(platform, old));
		expect(reasonsFor(second, 'Expiration')).toEqual(["it's in the past"]);
		transaction(json.transaction_id).status = 'expired';
		const times = { expiry: later(30), activation_time: later(1), notary_meeting_time: later(2) };
		const { json: third } = await run(copying(platform, old, { additionalFields: times }));
		expect(third.existing).toBe(false);
		forEachCase(Object.entries(times), ([name, time]) => {
			const field = name === 'expiry' ? end : name;
			const value = String(transaction(third.transaction_id).fields[field]);
			expect([field, Date.parse(value)]).toEqual([field, Date.parse(time)]);
		});
		expect(reasonsFor(third, 'Expiration')).toEqual([]);
	});
	test('two items that copy the same one are one too many', async () => {
		const old = await expired(platform);
		const items = [{ json: {} }, { json: {} }];
		expect(await complaint(copying(platform, old), { items })).toContain(
			`'Transaction' is ${old}, which item 1 copies, too`,
		);
		const made = [...sandbox.world.transactions.values()].filter(
			({ fields }) => fields.external_id === numberOf() || fields.loan_number === numberOf(),
		);
		expect(made.length).toBeLessThanOrEqual(2);
	});
	test('a new External ID is that of the copy', async () => {
		const old = await expired(platform);
		const more = { additionalFields: { external_id: `${numberOf()}-b` } };
		const { json } = await run(copying(platform, old, more));
		expect(transaction(json.transaction_id).fields.external_id).toBe(`${numberOf()}-b`);
		sandbox.requests.length = 0;
		expect((await run(copying(platform, old, more))).json.existing).toBe(true);
		expect(writes()).toEqual([]);
	});
});

test('business: the External ID is kept if the old one has ended, and not if it is still there', async () => {
	const { json } = await run(copying('business', await expired('business')));
	expect(transaction(json.transaction_id).fields.external_id).toBe(numberOf());
	number++;
	const live = copying('business', await sent('business'), { deleteOld: true });
	expect(await complaint({ ...live, additionalFields: { external_id: numberOf() } })).toMatch(
		/'New External ID' is .* until it's deleted/,
	);
	const { json: second } = await run(live);
	expect(reasonsFor(second, 'External ID')).toEqual(['the old one keeps it']);
	expect(transaction(second.transaction_id).fields.external_id).toMatch(/^n8n-/);
});
test('a closing keeps its loan number, and not its External ID', async () => {
	const old = await expired('realEstate', { external_id: 'case-77' });
	const { json } = await run(copying('realEstate', old));
	expect(transaction(json.transaction_id).fields).toMatchObject({ loan_number: numberOf() });
	expect(reasonsFor(json, 'External ID')).toEqual(['the old one keeps it']);
});
test('an eNote is never copied, consent forms are the own ones of the copy', async () => {
	const old = await made('realEstate', 'draft', { paper_note_consent: undefined });
	await run(addEnote(old, `${sandbox.url}/samples/enote.xml`));
	Object.assign(transaction(old), { status: 'canceled', detailedStatus: 'canceled' });
	const outcome = await run(copying('realEstate', old));
	const { documents } = transaction(outcome.json.transaction_id);
	expect(documents.filter(({ isEnote }) => isEnote)).toEqual([]);
	expect(documents.filter(({ isConsentForm }) => isConsentForm)).toHaveLength(1);
	expect(reasonsFor(outcome.json, 'Document')).toEqual(
		expect.arrayContaining([
			'enote.xml: an eNote is never copied',
			'eSign Consent Form - Signer 1: the service adds its own',
		]),
	);
	expect(hints(outcome)).toContain("Add the eNote with 'eNote: Add'");
});
test('places to sign are those of the old one where answers show them', async () => {
	const old = await expired('business');
	const { json } = await run(copying('business', old));
	const places = (of: unknown) => ownDocuments(of).map(({ designations }) => designations);
	expect(places(json.transaction_id).flat()).toEqual(places(old).flat());
	expect(places(old).flat()).not.toEqual([]);
	expect(reasonsFor(json, 'Where to Sign')).toEqual([]);
});
test('Create and Send goes on with a copy: no document comes twice, and its places come back', async () => {
	const old = await expired('realEstate');
	const { json } = await run(copying('realEstate', old));
	const again = {
		documentRules: RULES,
		then: 'draft',
		...toForm({ loan_number: numberOf(), ifItDiffers: 'update', settingsNotShown: 'none' }),
	};
	const { json: updated } = await run(closingFile(again), await withFiles(FILES));
	expect(updated).toMatchObject({ transaction_id: json.transaction_id, existing: true });
	expect(names(json.transaction_id)).toEqual(BOTH);
	const places = (of: unknown) => ownDocuments(of).flatMap(({ designations }) => designations);
	expect(places(json.transaction_id)).toEqual(places(old));
});
