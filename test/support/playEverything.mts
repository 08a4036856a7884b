import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';
import { CLOSING, id, pdfItem } from './closing.mts';
import { credentialFor, runNode } from './engine.mts';

/**
 * Every field of every operation filled in, the way a person would in the editor: what the
 * interface has can be set, and it arrives.
 */

const DETAILS = {
	address_line1: '12 Elm Street',
	address_line2: 'Unit 4',
	address_city: 'Boston',
	address_state: 'MA',
	address_postal: '02110',
	address_country: 'US',
	capacity: 'Trustee',
	entity: 'Harbor Street Trust',
	dob: '1980-05-17',
	order: 1,
	country_code: '1',
	signing_requirement: 'standard',
	vesting_type: 'Joint tenants',
	additionalJson: '{}',
};
const CHECKS = ['selfie', 'knowledge', 'sms'];
const signer = (name: string) => ({
	email: `${name}@example.com`,
	first_name: 'Jane',
	middle_name: 'Ann',
	last_name: 'Borrower',
	phone_number: '(617) 555-0123',
	external_id: name,
	identityChecks: CHECKS,
	details: DETAILS,
});
const CONTACTS = {
	row: [
		{
			role: 'title_agent',
			email: 'a@title.example',
			first_name: 'Sam',
			last_name: 'Officer',
			phone_number: '6175550100',
			organization_name: 'Harbor Title',
		},
	],
};
const GROUPS = { row: [{ name: 'either', min_required: 1, max_required: 1 }] };

const CLOSING_FIELDS = {
	contacts: CONTACTS,
	expiration_time: '2099-01-01T12:00:00',
	external_id: 'case-1',
	file_number: 'F-1',
	jurisdiction_eligibility_consent: true,
	loan_number: '77',
	message_to_signer: 'Hello',
	organization_id: 'or_harbor',
	paper_note_consent: true,
	payer: 'sender',
	country: 'us',
	require_secondary_photo_id: true,
	skip_closing_ops: true,
};
const BUSINESS_FIELDS = {
	activation_time: '2098-01-01T12:00:00',
	authentication_requirement: 'sms',
	cc_recipient_emails: ['files@example.com'],
	expiry: '2099-01-01T12:00:00',
	external_id: 'case-2',
	message_signature: 'The team',
	message_subject: 'Sign',
	message_to_signer: 'Hello',
	notary_id: id('us_nora_notary'),
	notary_meeting_time: '2098-02-01T12:00:00',
	organization_id: 'or_harbor',
	payer: 'sender',
	redirect_message: 'Back',
	redirect_url: 'https://example.com/back',
	require_new_signer_verification: true,
	require_secondary_photo_id: true,
	pdf_bookmarked: false,
	suppress_email: true,
	transaction_type: 'Power of attorney',
};
const DOCUMENT_FIELDS = {
	authorization_header: 'Authorization: Bearer sesame-4711',
	bundle_position: 0,
	signing_designation_groups: GROUPS,
	esign_required: true,
	identity_confirmation_required: false,
	notarization_required: true,
	customer_can_annotate: true,
	signing_requires_meeting: true,
	pdf_bookmarked: false,
	text_tag_syntax: 'none',
	tracking_id: '1042',
	vaulted: true,
	witness_required: false,
};
const place = (name: string) => ({
	signer_identifier: name,
	type: 'checkmark',
	page: 1,
	x: 72,
	y: 96,
	width: 20,
	height: 20,
});
const designations = (name: string) => ({
	row: [
		{
			...place(name),
			details: {
				hint: 'Tick',
				instruction: 'Tick this',
				optional: true,
				primary_designation_identifier: 'more',
			},
		},
		{ ...place(name), type: 'free_text', details: { conditional_on_primary: 'more' } },
		{ ...place(name), details: { signing_designation_group: 'either' } },
		{ ...place('notary'), type: 'seal' },
	],
});

export interface Played {
	/** Raw outputs by operation. */
	outputs: Record<string, IDataObject[]>;
}

/** Plays everything once; the requests are in the sandbox's log afterwards. */
export async function playEverything(
	sandbox: Sandbox,
	credential: IDataObject = {},
): Promise<Played> {
	const outputs: Record<string, IDataObject[]> = {};
	const run = async (
		name: string,
		parameters: IDataObject,
		items?: INodeExecutionData[],
	): Promise<IDataObject> => {
		const [resource, operation] = name.split('/');
		const outcome = await runNode({
			credential: credentialFor(sandbox.url, credential as never),
			parameters: { simplify: false, ...parameters, resource, operation },
			items,
		});
		if (outcome.error)
			throw new Error(`${name}: ${outcome.error.message}. ${outcome.error.description}`);
		(outputs[name] ??= []).push(...outcome.items.map(({ json }) => json));
		return outcome.items[0]?.json ?? {};
	};
	const address = {
		transactionType: 'refinance',
		addressLine1: '1 Main St',
		addressLine2: 'Unit 2',
		addressCity: 'Boston',
		addressState: 'MA',
		addressZipCode: '02110',
		additionalFields: { country: 'us', organization_id: 'or_harbor' },
	};
	await run('address/verify', address);
	await run('recordingJurisdiction/getAll', { ...address, returnAll: true });
	await run('titleAgency/getAll', {
		returnAll: true,
		filters: {
			email: 'orders@harbor-title.example',
			addressLine1: '1 Main St',
			addressLine2: 'Unit 2',
			addressCity: 'Boston',
			addressState: 'MA',
			addressZipCode: '02110',
			addressCountry: 'US',
		},
	});
	await run('underwriter/getAll', {
		transactionType: 'refinance',
		returnAll: true,
		filters: { state_abbreviation: 'ma', title_agent_email: 'orders@harbor-title.example' },
	});
	await run('template/getAll', { returnAll: true });
	await run('notary/getAll', {
		returnAll: true,
		filters: { organization_id: 'or_harbor', us_state_abbr: 'ma' },
	});

	const hook = id(
		String(
			(
				await run('webhook/create', {
					url: `${sandbox.url}/samples/nothing`,
					events: ['*'],
					additionalFields: {
						headers: { row: [{ name: 'X-Case', value: 'sesame-1' }] },
						signing_key: 'sesame-2',
					},
				})
			).webhook_id,
		),
	);
	await run('webhook/update', {
		webhookId: hook,
		updateFields: {
			url: `${sandbox.url}/samples/none`,
			events: ['transaction.*'],
			headers: { row: [{ name: 'X-Case', value: 'sesame-3' }] },
			signing_key: 'sesame-4',
		},
	});
	await playClosing(sandbox, run);
	await playBusiness(sandbox, run);
	await sandbox.clock.settled();
	await run('webhook/getAll', { returnAll: true });
	await run('webhook/get', { webhookId: hook });
	await run('webhook/getEvents', { webhookId: hook, returnAll: true, filters: {} });
	await run('webhook/getMissedEvents', { webhookId: hook, returnAll: true, filters: {} });
	await run('webhook/getEventTypes', { group: 'all' });
	await run('webhook/delete', { webhookId: hook });
	return { outputs };
}

type Run = (
	name: string,
	parameters: IDataObject,
	items?: INodeExecutionData[],
) => Promise<IDataObject>;

async function playClosing(sandbox: Sandbox, run: Run): Promise<void> {
	const platform = 'realEstate';
	const people = {
		identityChecks: CHECKS,
		signerDetails: DETAILS,
		coSigners: { row: [signer('co')] },
	};
	const { transaction_id: closing } = await run('transaction/createClosing', {
		...CLOSING,
		...people,
		signerMiddleName: 'Ann',
		addressLine2: 'Unit 2',
		additionalFields: CLOSING_FIELDS,
	});
	const { transaction_id: typed } = await run('transaction/createClosing', {
		...CLOSING,
		additionalFields: { paper_note_consent: true },
	});
	const transactionId = id(String(closing));
	const add = async (more: IDataObject = {}) =>
		await run(
			'document/add',
			{
				platform,
				transactionId,
				source: 'binary',
				binaryPropertyName: 'data',
				documentName: 'Deed',
				requirement: 'notarization',
				specifyDesignations: 'fields',
				designations: designations('borrower-1'),
				additionalFields: DOCUMENT_FIELDS,
				...more,
			},
			[await pdfItem()],
		);
	const document = id(String((await add()).document_id));
	const other = id(
		String(
			(await add({ documentName: 'Other', designations: {}, additionalFields: {} })).document_id,
		),
	);
	await run(
		'document/update',
		{
			platform,
			transactionId,
			documentId: document,
			specifyDesignations: 'fields',
			designations: designations('borrower-1'),
			updateFields: { ...DOCUMENT_FIELDS, name: 'Deed of Trust', requirement: 'notarization' },
			replaceFile: true,
			source: 'binary',
			binaryPropertyName: 'data',
		},
		[await pdfItem()],
	);
	const updates = {
		transaction_name: 'B',
		recordingJurisdictionId: id('rlboston'),
		titleAgencyId: id('or_agency_harbor'),
		titleUnderwriterId: id('or_underwriter_atlantic'),
		documents: { row: [{ documentId: other }, { documentId: document }] },
	};
	const street_address = {
		row: { line1: '2 Main St', line2: 'Unit 3', city: 'Boston', state: 'ma', zipCode: '02111' },
	};
	await run('transaction/update', {
		platform,
		transactionId,
		updateFields: {
			...CLOSING_FIELDS,
			...updates,
			street_address,
			signers: { row: [signer('borrower-1'), signer('co')] },
		},
	});
	await run('transaction/update', {
		platform,
		transactionId: id(String(typed)),
		updateFields: { transaction_type: 'other' },
	});
	const borrowers = {
		row: [{ first_name: 'Jane', middle_name: 'Ann', last_name: 'Borrower', ssn: '078-05-1120' }],
	};
	const container = { document_id: 'd', transaction_id: 't', transaction_name: 'n' };
	await run('enote/add', {
		transactionId,
		source: 'url',
		fileUrl: `${sandbox.url}/samples/enote.xml`,
		enoteType: 'EORIGINAL_CONTAINER',
		borrowers,
		container,
	});
	await run('enote/delete', { transactionId });
	await run('document/delete', { platform, transactionId, documentId: other });
	const send = {
		platform,
		transactionId,
		additionalFields: {
			suppress_email: true,
			require_new_signer_verification: true,
			skip_closing_ops: true,
		},
	};
	await run('transaction/send', send);
	await run('transaction/resendEmail', { platform, transactionId, messageToSigner: 'Please' });
	await run('transaction/resendSms', {
		platform,
		transactionId,
		phoneNumber: '6175550123',
		phoneCountryCode: '1',
	});
	await run('transaction/recall', { platform, transactionId, recallReason: 'Wrong' });
	await run('transaction/send', send);
	await sandbox.act.completeTransaction(String(closing));
	await finish(run, { platform, transactionId, documentId: document });
	await run('transaction/getAll', {
		platform,
		returnAll: false,
		limit: 5,
		filters: {
			...TIMES,
			loan_number: '77',
			organization_id: 'or_harbor',
			transaction_status: 'completed',
		},
	});
	await run('transaction/delete', { platform, transactionId: id(String(typed)) });
}

const TIMES = {
	created_date_start: '2020-01-01T00:00:00',
	created_date_end: '2099-01-01T00:00:00',
	last_updated_date_start: '2020-01-01T00:00:00',
	last_updated_date_end: '2099-01-01T00:00:00',
};

async function playBusiness(sandbox: Sandbox, run: Run): Promise<void> {
	const platform = 'business';
	const first = {
		source: 'url',
		fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
		requirement: 'notarization',
		name: 'Deed',
		details: { ...DOCUMENT_FIELDS, signing_designation_groups: undefined },
	};
	const { transaction_id: created } = await run('transaction/create', {
		transactionName: 'A',
		signers: { row: [signer('s1')] },
		documents: { row: [first] },
		draft: true,
		additionalFields: BUSINESS_FIELDS,
	});
	const transactionId = id(String(created));
	const add = async (more: IDataObject = {}) =>
		await run(
			'document/add',
			{
				platform,
				transactionId,
				source: 'binary',
				binaryPropertyName: 'data',
				documentName: 'Deed',
				requirement: 'notarization',
				specifyDesignations: 'fields',
				designations: designations('s1'),
				additionalFields: DOCUMENT_FIELDS,
				...more,
			},
			[await pdfItem()],
		);
	const document = id(String((await add()).document_id));
	await run(
		'document/update',
		{
			platform,
			transactionId,
			documentId: document,
			specifyDesignations: 'fields',
			designations: designations('s1'),
			updateFields: { ...DOCUMENT_FIELDS, name: 'Deed of Trust', requirement: 'notarization' },
			replaceFile: true,
			source: 'binary',
			binaryPropertyName: 'data',
		},
		[await pdfItem()],
	);
	const other = id(
		String(
			(await add({ designations: {}, documentName: 'Other', additionalFields: {} })).document_id,
		),
	);
	await run('transaction/update', {
		platform,
		transactionId,
		updateFields: {
			...BUSINESS_FIELDS,
			transaction_name: 'B',
			signers: { row: [signer('s1')] },
			documents: { row: [{ documentId: other }, { documentId: document }] },
		},
	});
	await run('document/delete', { platform, transactionId, documentId: other });
	const send = {
		platform,
		transactionId,
		additionalFields: { suppress_email: true, require_new_signer_verification: true },
	};
	await run('transaction/send', send);
	await run('transaction/resendEmail', { platform, transactionId, messageToSigner: 'Please' });
	await run('transaction/resendSms', {
		platform,
		transactionId,
		phoneNumber: '6175550123',
		phoneCountryCode: '1',
	});
	await run('transaction/recall', { platform, transactionId, recallReason: 'Wrong' });
	await run('transaction/correctSigner', {
		platform,
		transactionId,
		signerId: id('s1'),
		corrections: { first_name: 'Janet' },
		sendAgain: true,
		recallReason: '',
	});
	await sandbox.act.completeTransaction(String(created));
	await finish(run, { platform, transactionId, documentId: document });
	await run('transaction/getAll', {
		platform,
		returnAll: false,
		limit: 5,
		filters: { ...TIMES, transaction_status: 'completed' },
	});
	const { transaction_id: second } = await run('transaction/create', {
		transactionName: 'C',
		signers: { row: [{ email: 'x@example.com' }] },
		documents: {},
		draft: true,
		additionalFields: {},
	});
	// Without a link the trail is asked for at its endpoint.
	sandbox.faults.add({
		method: 'GET',
		path: /\/transactions\/[^/]+$/,
		status: 200,
		body: { id: String(created), audit_trail_url: null },
	});
	await run('transaction/getAuditTrail', { platform, transactionId, binaryPropertyName: 'data' });
	await run('transaction/delete', { platform, transactionId: id(String(second)) });
}

async function finish(
	run: Run,
	{ platform, transactionId, documentId }: IDataObject,
): Promise<void> {
	const { notarization_record_id: record } = await run('transaction/get', {
		platform,
		transactionId,
	});
	await run('document/getAll', { platform, transactionId, returnAll: true });
	await run('document/get', { platform, transactionId, documentId, content: 'base64' });
	await run('notarizationRecord/get', { platform, recordId: id(String(record)) });
	await run('notarizationRecord/getAll', { returnAll: true });
	await run('notarizationRecord/downloadVideo', {
		platform,
		recordId: id(String(record)),
		binaryPropertyName: 'data',
	});
}
