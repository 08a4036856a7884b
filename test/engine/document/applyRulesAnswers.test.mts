import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Script } from '../../support/live/service.mts';
import { signerOf } from '../../support/live/signers.mts';

/** Document: Apply Rules with answers as live services were seen to give them. */

beforeAll(async () => await useBinaryMode('filesystem'));

const ID = 'ot_od4kenk';
const SIGNER = signerOf(
	{ email: 'jane.borrower@example.com', first_name: 'Jane', last_name: 'Borrower' },
	0,
);

interface Kept {
	/** Whether an update changes what the service shows, as opposed to answering 200 alone. */
	takes?: (field: string) => boolean;
	/** The answer to a document's update. */
	answer?: (document: IDataObject) => unknown;
	/** What the transaction shows beside its documents. */
	more?: IDataObject;
}

/** A service that keeps these documents. */
function keeping(
	documents: IDataObject[],
	{ takes = () => true, answer = (document) => document, more }: Kept = {},
): Script {
	const shown = () => liveClosing(documents, { signers: [SIGNER], ...more });
	return ({ method, path, body }) => {
		const [, documentId] = /\/documents\/(\w+)$/.exec(path) ?? [];
		const document = documents.find((one) => one.id === documentId);
		if (document !== undefined && method !== 'GET') {
			for (const [field, value] of Object.entries(body as IDataObject))
				if (takes(field)) document[field] = value;
			return { body: answer(document) };
		}
		if (method !== 'GET')
			for (const { id: one, ...place } of ((body as IDataObject).documents ?? []) as IDataObject[])
				Object.assign(
					documents.find((known) => known.id === one)!,
					place,
				);
		return { body: shown() };
	};
}

/** Runs it with these rules. */
async function apply(script: Script, row: IDataObject[], more: IDataObject = {}) {
	const parameters = {
		resource: 'document',
		operation: 'applyRules',
		platform: 'realEstate',
		transactionId: id(ID),
		documentRules: { row },
		ifSplitRunning: 'return',
		settingsNotShown: 'none',
		...more,
	};
	return await withService(script, async ({ credential, requests }) => {
		const outcome = await runNode({ credential, parameters });
		const writes = requests.filter(({ method }) => method !== 'GET');
		return { ...outcome, writes };
	});
}

const two = (shape = liveDocument) => [
	shape({ id: 'do_1', document_name: 'Deed of Trust', bundle_position: 0 }),
	shape({ id: 'do_2', document_name: 'Occupancy Affidavit', bundle_position: 1 }),
];
const AFFIDAVIT = {
	nameContains: 'Affidavit',
	requirement: 'notarization',
	flags: ['witness_required'],
};
const READ_ONLY = { nameContains: 'Affidavit', requirement: 'readonly' };

test('what a rule wants and a document shows already is not sent', async () => {
	const { items, error, writes } = await apply(keeping(two()), [
		{ nameContains: '*', requirement: 'notarization' },
	]);
	expect(error).toBeUndefined();
	expect(writes).toEqual([]);
	expect(items.map(({ json }) => [json.document_id, json.rule, json.not_applied])).toEqual([
		['do_1', 1, []],
		['do_2', 1, []],
	]);
});

test.each([
	['realEstate', two()],
	['business', two(liveBusinessDocument)],
])(
	'%s: a flag that no answer shows is sent, and once applied counts as it',
	async (platform, all) => {
		// Neither form has witness_required (docs/service/documents.md#two-forms-of-the-answer).
		const script = keeping(all, { takes: (field) => field !== 'witness_required' });
		const { items, error, writes } = await apply(script, [AFFIDAVIT], { platform });
		expect(error).toBeUndefined();
		expect(writes.map(({ path, body }) => [path.split('/').at(-1), body])).toEqual([
			['do_2', expect.objectContaining({ witness_required: true })],
		]);
		expect(items.map(({ json }) => [json.document_id, json.applied])).toEqual([
			['do_1', []],
			['do_2', ['requirement', 'witness_required']],
		]);
	},
);

test('a service that answers an update with all documents of the closing is believed by what it shows', async () => {
	const all = two();
	const { items, error } = await apply(keeping(all, { answer: () => all }), [READ_ONLY]);
	expect(error).toBeUndefined();
	expect(items[1].json).toMatchObject({ document_id: 'do_2', applied: ['requirement'] });
});

test('an update that is answered with 200 and changes nothing is no success', async () => {
	const script = keeping(two(), { takes: () => false });
	const { error } = await apply(script, [READ_ONLY]);
	expect(`${error?.message} ${error?.description}`).toMatch(
		/Occupancy Affidavit.*shows no change of 'Requirement'/,
	);
});

test('positions go through the draft, once', async () => {
	const script = keeping(two(), { more: { transaction_type: 'refinance' } });
	const rules = [{ ...READ_ONLY, position: 0 }];
	const first = await apply(script, rules);
	expect(first.error).toBeUndefined();
	expect(first.writes[0].body).toMatchObject({
		documents: [
			{ id: 'do_2', bundle_position: 0 },
			{ id: 'do_1', bundle_position: 1 },
		],
	});
	const again = await apply(script, rules);
	expect([again.error, again.writes]).toEqual([undefined, []]);
});

test('without a number, nothing tells whether a split is running, and that is said', async () => {
	const outcome = await apply(keeping(two()), [READ_ONLY]);
	expect(outcome.items[0].json.split_running).toBeNull();
	const counted = await apply(keeping(two()), [READ_ONLY], { numberOfDocuments: 3 });
	expect(counted.items[0].json.split_running).toBe(true);
});
