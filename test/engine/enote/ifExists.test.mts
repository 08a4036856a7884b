import type { IDataObject } from 'n8n-workflow';

import { SAMPLE_ENOTE } from '../../../sandbox/data/samples.mts';
import { createClosing, id } from '../../support/closing.mts';
import { storeFile } from '../../support/engine.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { complaint, hints, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** eNote: Add where the closing has an eNote, or may have one. */

useSandbox();
let transactionId: string;
beforeEach(async () => {
	transactionId = await createClosing(credential());
});

const add = (more: IDataObject = {}): IDataObject => ({
	resource: 'enote',
	operation: 'add',
	transactionId: id(transactionId),
	source: 'binary',
	binaryPropertyName: 'data',
	enoteType: 'ENOTE',
	borrowers: {},
	ifExists: 'skip',
	...more,
});
const CORRECTED = SAMPLE_ENOTE.replace('350000.00', '360000.00');
const file = async (xml = SAMPLE_ENOTE) => ({
	items: [
		{
			json: {},
			binary: { data: await storeFile(Buffer.from(xml), 'Note 7001234.xml', 'text/xml') },
		},
	],
});
const refused = async (parameters: IDataObject, xml?: string) => {
	sandbox.requests.length = 0;
	const text = await complaint(parameters, await file(xml));
	expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	return text;
};
const UNCOMPARED =
	/^1 skipped\. 'enote\.xml' \(do_[\w-]+\) was there, and its content couldn't be compared/;

test('one of the same content is skipped', async () => {
	expect((await run(add(), await file())).json.existing).toBe(false);
	const found = await run(add(), await file());
	expect([found.json.existing, hints(found)]).toEqual([true, '1 skipped']);
	const fileBase64 = Buffer.from(SAMPLE_ENOTE).toString('base64');
	expect((await run(add({ source: 'base64', fileBase64 }))).json.existing).toBe(true);
});
test('one of other content is refused, until it is deleted', async () => {
	await run(add(), await file());
	expect(await refused(add(), CORRECTED)).toMatch(
		/^'If It Exists' can't be Skip: the closing has another eNote than the file Note 7001234: 'enote\.xml' \(do_[\w-]+\)\. If the new one is right, use 'eNote: Delete' first$/,
	);
	await run({ resource: 'enote', operation: 'delete', transactionId: id(transactionId) });
	expect((await run(add(), await file(CORRECTED))).json.existing).toBe(false);
});
describe('one that nobody can compare is skipped, and a hint says so', () => {
	const skipped = async (more: IDataObject) => {
		const found = await run(add(more), await file(CORRECTED));
		expect(found.json.existing).toBe(true);
		return hints(found);
	};
	beforeEach(async () => void (await run(add(), await file())));
	test('for a link', async () => {
		const fileUrl = `${sandbox.url}/samples/enote.xml`;
		expect(await skipped({ source: 'url', fileUrl })).toMatch(UNCOMPARED);
	});
	test('for a seed, of which the service makes its own', async () => {
		expect(await skipped({ enoteType: 'SCHEMA' })).toMatch(UNCOMPARED);
	});
	test('if the service shows it as PDF, or not at all', async () => {
		const [enote] = transaction(transactionId).documents.filter(({ isEnote }) => isEnote);
		delete enote.note;
		expect(await skipped({})).toMatch(UNCOMPARED);
		sandbox.faults.add({ method: 'GET', path: /documents\//, status: 409, body: { errors: [] } });
		expect(await skipped({})).toMatch(UNCOMPARED);
	});
	test('but not for one without a file', async () => {
		const container = { document_id: '8', transaction_id: '5', transaction_name: 'Loan' };
		expect(await skipped({ enoteType: 'EORIGINAL_CONTAINER', container })).toBe('1 skipped');
		const pdfUrl = `${sandbox.url}/samples/deed-of-trust.pdf`;
		expect(await skipped({ enoteType: 'integration', pdfUrl })).toBe('1 skipped');
	});
});

describe('a service that does not say which document is the eNote', () => {
	const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
	const UNTOLD = { is_enote: undefined };
	/** What comes of it, and whether an eNote was sent. */
	const come = async (...documents: IDataObject[]) =>
		await withService(
			({ method }) =>
				method === 'POST'
					? { body: liveDocument({ id: 'do_new', is_enote: true }) }
					: { body: liveClosing(documents.map(liveDocument), { id: transactionId }) },
			async (service) => {
				const options = { ...(await file()), credential: service.credential };
				const text = await complaint(add(), options);
				return [text, service.bodies('POST').length];
			},
		);
	test('is refused as unknown, with what it may be', async () => {
		const deed = { ...UNTOLD, id: 'do_1', document_name: 'Deed' };
		const note = { ...UNTOLD, id: 'do_2', document_name: 'Note' };
		const consent = {
			...UNTOLD,
			id: 'do_3',
			document_name: 'eSign Consent Form - Signer 1',
			requirement: 'esign',
		};
		const ours = { ...deed, id: 'do_4', tracking_id: OWN };
		expect(await come(deed, note, consent, ours, { id: 'do_5' })).toEqual([
			"'If It Exists' can't be Skip: the service doesn't say whether the eNote is among 'Deed' (do_1), 'Note' (do_2). Check the closing at the service. If it has no eNote, set it to Add",
			0,
		]);
	});
	test('takes one where nothing else can be it', async () => {
		const said = { id: 'do_1', is_enote: false };
		expect(await come(said, { ...UNTOLD, id: 'do_4', tracking_id: OWN })).toEqual([
			'undefined. ',
			1,
		]);
	});
});
