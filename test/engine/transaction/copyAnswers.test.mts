import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { hints } from '../../support/operations.mts';
import { withService, type Script } from '../../support/live/service.mts';
import { signerOf } from '../../support/live/signers.mts';

/** Transaction: Copy with answers as live services were seen to give them. */

beforeAll(async () => await useBinaryMode('filesystem'));

const OLD = 'ot_old4kenk';
const COPY = 'ot_new4kenk';
const FILE = Buffer.from(
	'%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
).toString('base64');
const JANE = {
	email: 'jane@example.com',
	first_name: 'Jane',
	last_name: 'Borrower',
	external_id: 'borrower-1',
	phone_number: '6175550123',
};
/** What both platforms answer of an expired one, as the examples have it. */
const SHARED: IDataObject = {
	id: OLD,
	status: 'expired',
	detailed_status: 'expired',
	transaction_name: 'Harbor Street',
	external_id: 'case-118',
	date_created: '2026-01-10T09:00:00.000000Z',
	date_updated: '2026-02-10T09:00:00.000000Z',
	activation_time: '2026-01-12T00:00:00.000Z',
	notary_meeting_time: '2026-01-13T15:00:00.000Z',
	message_to_signer: 'Please sign',
	redirect: {},
	notary_instructions: [],
	attachments: [],
	cost: 0,
	cc_recipient_emails: ['files@example.com'],
	require_secondary_photo_id: false,
	referral_code: null,
	signers: [signerOf(JANE, 0)],
};
const CLOSING: IDataObject = {
	...SHARED,
	status_description: '',
	transaction_type: 'refinance',
	loan_number: '7001',
	file_number: null,
	expiry: '2026-02-01T23:59:59.000Z',
	lender: { id: 'or_lender', name: 'Harbor Bank' },
	recording_jurisdiction: null,
	contacts: [
		{
			id: 'oc_1',
			email: 'sam@title.example',
			role: 'title_agent',
			date_created: '2026-01-10T09:00:00.000000Z',
			date_updated: '2026-01-10T09:00:00.000000Z',
		},
	],
	underwriter_override: false,
};
const BUSINESS: IDataObject = {
	...SHARED,
	transaction_type: 'Power of attorney',
	config_id: 'notarization',
	expiry: '2026-02-01T17:00:00.000Z',
	payer: 'sender',
	sender_name: 'Harbor Legal',
};

/** A service that shows the old transaction, and what is created. */
function showing(old: IDataObject, document: IDataObject, hidesDocuments = false) {
	const created: IDataObject[] = [];
	const documents: IDataObject[] = [];
	const copy = () =>
		liveClosing(hidesDocuments ? [] : documents, {
			...created[0],
			id: COPY,
			date_created: new Date().toISOString(),
			signers: ((created[0].signers ?? [created[0].signer]) as IDataObject[]).map(signerOf),
			redirect: {},
		});
	const script: Script = ({ method, path, body }) => {
		if (method === 'POST' && path.endsWith('/documents')) {
			const { filename, requirement, tracking_id: tracking } = body as IDataObject;
			const fields = { document_name: filename, requirement, tracking_id: tracking };
			documents.push({ ...document, ...fields, id: 'do_copy' });
			return { body: path.includes('/mortgage') ? documents : documents[0] };
		}
		if (method === 'POST') {
			created.push(body as IDataObject);
			return { body: copy() };
		}
		if (path.endsWith(`/${OLD}`)) return { body: { ...old, documents: [document] } };
		if (path.endsWith(`/${COPY}`)) return { body: copy() };
		if (path.includes('/documents/')) return { body: { id: document.id, data: FILE } };
		if (!path.endsWith('/transactions')) return undefined;
		const data = [{ ...old, documents: [document] }, ...created.map(copy)];
		return { body: { total_count: data.length, count: data.length, data } };
	};
	return { script, created, documents };
}

type Platform = 'realEstate' | 'business';
async function copy(platform: Platform, more: IDataObject = {}, times = 1) {
	const [old, document] =
		platform === 'realEstate'
			? [CLOSING, liveDocument({ id: 'do_old', signing_designations: [{ id: 'ad1' }] })]
			: [BUSINESS, liveBusinessDocument({ id: 'do_old' })];
	const service = showing(old, document);
	return await withService(service.script, async ({ credential, requests }) => {
		let outcome;
		for (let time = 0; time < times; time++)
			outcome = await runNode({
				credential,
				parameters: {
					resource: 'transaction',
					operation: 'copy',
					platform,
					transactionId: id(OLD),
					settingsNotShown: 'none',
					copyFilesUnproven: true,
					...more,
				},
			});
		const { error, items } = outcome!;
		const writes = requests.filter(({ method }) => method !== 'GET');
		return { ...service, writes, json: items[0]?.json, error };
	});
}
const told = (json: IDataObject) =>
	(json.not_copied as IDataObject[]).map(
		({ field, reason }) => `${String(field)}: ${String(reason)}`,
	);

const HIDDEN_OF_SIGNER = [
	'Identity Checks',
	'Middle Name',
	'Date of Birth',
	'Capacity',
	'Entity',
	'Signing Requirement',
	'Order',
	'Notary',
];

describe.each(['realEstate', 'business'] as const)('%s', (platform) => {
	test('settings that no answer shows stop the item, by default', async () => {
		const { error, writes } = await copy(platform, { settingsNotShown: 'stop' });
		expect(error?.message).toContain("say in 'Settings Not Shown'");
		expect(error?.description).toContain('Identity Checks');
		expect(writes).toEqual([]);
	});
	test('what is shown is sent, what is hidden or over is told, and run again, it is found', async () => {
		const { json, created, error, writes } = await copy(platform, {}, 2);
		expect(error).toBeUndefined();
		expect([created.length, writes.length]).toEqual([1, 2]);
		expect(json).toMatchObject({ existing: true, transaction_id: COPY, old_transaction_id: OLD });
		const [body] = created;
		expect(body).toMatchObject({
			transaction_name: 'Harbor Street',
			message_to_signer: 'Please sign',
			cc_recipient_emails: ['files@example.com'],
			require_secondary_photo_id: false,
		});
		for (const name of [
			'activation_time',
			'notary_meeting_time',
			'expiry',
			'expiration_time',
			'redirect',
			'notary_instructions',
			'id',
			'cost',
			'status',
			'sender_name',
			'lender',
		])
			expect([name, body[name]]).toEqual([name, undefined]);
		expect(told(json)).toEqual(
			expect.arrayContaining([
				"Activation Time: it's in the past",
				"Expiration: it's in the past",
				"Notary Meeting Time: it's in the past",
				...HIDDEN_OF_SIGNER.map((name) => `${name}: the service doesn't show it`),
			]),
		);
	});
});

test('a closing: numbers, contacts and the type are copied; title and property are told', async () => {
	const { json, created, documents } = await copy('realEstate');
	expect(created[0]).toMatchObject({
		loan_number: '7001',
		transaction_type: 'refinance',
		contacts: [{ email: 'sam@title.example', role: 'title_agent' }],
		signer: { email: 'jane@example.com', external_id: 'borrower-1' },
		external_id: expect.stringMatching(/^n8n-/),
	});
	expect(told(json)).toEqual(
		expect.arrayContaining([
			'External ID: the old one keeps it',
			"Street Address: the service doesn't show it",
			"Title Agency: the service doesn't show it",
			"Title Underwriter: the service doesn't show it",
			"Paper Note Consent: the service doesn't show it",
			"Where to Sign: the service doesn't show where they were",
			"Esign Required: the service doesn't show it",
		]),
	);
	expect(documents).toMatchObject([
		{ document_name: 'Deed of Trust', requirement: 'notarization' },
	]);
	expect(json.documents_added).toMatchObject([{ proven: false, old_document_id: 'do_old' }]);
});
test('a document of which nothing shows whether it had places to sign is named as such', async () => {
	const document = { ...liveDocument({ id: 'do_old' }), signing_designations: undefined };
	await withService(showing(CLOSING, document).script, async ({ credential }) => {
		const outcome = await runNode({
			credential,
			parameters: {
				...{ resource: 'transaction', operation: 'copy', platform: 'realEstate' },
				...{ transactionId: id(OLD), settingsNotShown: 'none', copyFilesUnproven: true },
			},
		});
		expect(hints(outcome)).toContain(
			"No places to sign in the copy: Deed of Trust (the service doesn't show whether there were any). Before you send it, ",
		);
	});
});
test('a business transaction: the External ID, the type and the payer are copied', async () => {
	const { json, created } = await copy('business');
	expect(created[0]).toMatchObject({
		external_id: 'case-118',
		transaction_type: 'Power of attorney',
		payer: 'sender',
		draft: true,
		signers: [{ email: 'jane@example.com', external_id: 'borrower-1' }],
	});
	expect(told(json)).toEqual(
		expect.arrayContaining([
			"Authentication Requirement: the service doesn't show it",
			"Allow Signer Annotations: the service doesn't show it",
		]),
	);
	expect(told(json).filter((text) => text.startsWith('External ID'))).toEqual([]);
});
test('nothing is deleted if the copy does not show what was added to it', async () => {
	const live = { ...BUSINESS, status: 'sent', detailed_status: 'sent_to_signer' };
	const { script, documents } = showing(live, liveBusinessDocument(), true);
	await withService(script, async ({ credential, requests }) => {
		const { error } = await runNode({
			credential,
			parameters: {
				resource: 'transaction',
				operation: 'copy',
				platform: 'business',
				transactionId: id(OLD),
				settingsNotShown: 'none',
				copyFilesUnproven: true,
				deleteOld: true,
			},
		});
		expect(error?.message).toContain(`The copy ${COPY} doesn't show Deed of Trust`);
		expect(error?.description).toContain(`${OLD} wasn't deleted`);
		expect(documents).toHaveLength(1);
		expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
	});
});
test('what the service shows and the node does not know is told with its value', async () => {
	const script = showing({ ...BUSINESS, new_setting: 'on' }, liveBusinessDocument()).script;
	await withService(script, async ({ credential }) => {
		const { items } = await runNode({
			credential,
			parameters: {
				resource: 'transaction',
				operation: 'copy',
				platform: 'business',
				transactionId: id(OLD),
				settingsNotShown: 'none',
			},
		});
		expect(items[0].json.not_copied).toContainEqual({
			subject: '',
			field: 'New Setting',
			value: 'on',
			reason: "the node doesn't know this field",
		});
	});
});
