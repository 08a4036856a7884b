import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	fieldsIn,
	id,
	pdfItem,
	TITLE,
	toForm,
} from '../../../support/closing.mts';
import type { RunOptions } from '../../../support/engine.mts';
import { BUSINESS, JANE, run, sendClosing } from '../../../support/operations.mts';
import { credential, sandbox } from '../../../support/useSandbox.mts';
import { addDeed, borrowers, draft, on, refuse, type Person } from '../person.mts';

/** Messages of creating transactions, and of adding what belongs to them. */

type Play = (person: Person) => Promise<void>;

const CREATE = /\/transactions\/?$/;
const creates = () =>
	sandbox.requests.filter(
		({ method, path, status }) => method === 'POST' && CREATE.test(path) && status === 200,
	).length;

/** A create that the service refuses with a text, until something of the item is changed. */
const refusedCreate =
	(status: number, text: string, name: string, wrong: object, right: object): Play =>
	async (person) => {
		refuse('POST', CREATE, status, text);
		await person.fails({ ...BUSINESS, ...wrong });
		expect(person.said).not.toMatch(/still a draft/);
		await person.again(name, { ...BUSINESS, ...right });
		expect(creates()).toBe(1);
	};
const signers = (more: object) => ({ signers: { row: [{ ...JANE, ...more }] } });

const enote = (closing: string) => ({
	resource: 'enote',
	operation: 'add',
	transactionId: id(closing),
	enoteType: 'ENOTE',
	source: 'url',
	fileUrl: `${sandbox.url}/samples/enote.xml`,
});
/** An eNote for a closing of a type whose note is on paper. */
const paperType =
	(type: string): Play =>
	async (person) => {
		const closing = await createClosing(credential(), { transactionType: type });
		await addDeed(closing);
		await person.fails(enote(closing));
		await person.does('Leave out the eNote', sendClosing(id(closing)));
	};
const add = async (
	closing: string,
	more: object = {},
): Promise<[IDataObject, Partial<RunOptions>]> => [
	{ ...ADD_DOCUMENT, transactionId: id(closing), ...more },
	{ items: [await pdfItem()] },
];

export const CREATING: Record<string, Play> = {
	'text: customer email not present': refusedCreate(
		422,
		'Customer email not present',
		"'Email' of every signer",
		signers({}),
		signers({ email: 'right@example.com' }),
	),
	'text: typo in domain name': refusedCreate(
		400,
		'Typo in domain name. Did you mean: jane@gmail.com?',
		"'Email' that it names",
		signers({ email: 'jane@gmial.com' }),
		signers({ email: 'jane@gmail.com' }),
	),
	'text: invalid email format': refusedCreate(
		400,
		'Invalid email format.',
		"'Email' that it names",
		signers({ email: 'jane@x.example' }),
		signers({}),
	),
	'text: invalid phone number': refusedCreate(
		400,
		'Invalid Phone Number. Please include country code and phone number in e164 format.',
		"'Phone' with its country code",
		signers({ phone_number: '555 0123 999' }),
		signers({ phone_number: '+1 617 555 0123' }),
	),
	'text: /does not have access to (\\w+)/i': refusedCreate(
		403,
		'Organization does not have access to notary_instructions',
		"Leave out 'Notary Instructions'",
		{ ...toForm({ additionalJson: '{"notary_instructions":[{"notary_note":"Knock"}]}' }) },
		{},
	),
	'text: /cannot override default value for (\\w+)/i': refusedCreate(
		422,
		'Cannot override default value for allow_signer_annotations',
		'Leave out "allow_signer_annotations"',
		{ ...toForm({ additionalJson: '{"allow_signer_annotations":true}' }) },
		{},
	),
	'text: /\\b(recording_jurisdiction|title_agency|title_underwriter)_id\\b/i': async (person) => {
		const wrong = { ...TITLE, recordingJurisdictionId: id('rlsalem') };
		await person.fails({ ...CLOSING, ...toForm(wrong) });
		person.reads("'Recording Jurisdiction' does not belong to the address");
		await person.again("Choose 'Recording Jurisdiction' again", CLOSING);
		expect(creates()).toBe(1);
	},
	'text: not found: organization': async (person) => {
		const fields = { ...fieldsIn(CLOSING), loan_number: '7020' };
		refuse('POST', CREATE, 404, 'Not Found: Organization');
		const wrong = { ...fields, organization_id: 'or_wrong' };
		await person.fails({ ...CLOSING, ...toForm(wrong) });
		await person.again("'Organization ID'", { ...CLOSING, ...toForm(fields) });
		expect(creates()).toBe(1);
	},
	'text: WRONG_PLATFORM.business': async (person) => {
		const text = 'Unauthorized: This organization must use the Business API for transactions';
		refuse('POST', CREATE, 401, text);
		await person.fails(CLOSING);
		await person.does("'Transaction: Create'", BUSINESS);
		expect(creates()).toBe(1);
	},
	'text: WRONG_PLATFORM.realEstate': async (person) => {
		const closing = await draft();
		const text = 'You must use the RealEstate API for real estate transactions';
		refuse('GET', closing, 422, text);
		await person.fails(on(closing, 'get', {}, 'business'));
		await person.again("'Platform' to Real Estate", on(closing, 'get'));
	},
	'text: WRONG_PLATFORM.unnamed': async (person) => {
		const closing = await draft();
		refuse('GET', closing, 401, 'Feature not available in current tier');
		await person.fails(on(closing, 'get', {}, 'business'));
		await person.again("Set 'Platform' to the one your organization uses", on(closing, 'get'));
	},
	'text: file is too big': async (person) => {
		const closing = await createClosing(credential());
		refuse('POST', 'documents', 422, 'File is too big (max is 30MB)');
		await person.fails(...(await add(closing)));
		await person.again('reduce its size', ...(await add(closing)));
	},
	'text: transaction size too large': async (person) => {
		const [first, second] = [await createClosing(credential()), await draft()];
		refuse('POST', 'documents', 422, 'Argument Error, transaction size too large');
		await person.fails(...(await add(first)));
		await person.again(
			'into another transaction',
			...(await add(second, { documentName: 'Rider' })),
		);
	},
	'text: /\\bpage_number (\\d+)\\b.*\\b(?:not exist|out of range|beyond|invalid)\\b/i': async (
		person,
	) => {
		const closing = await createClosing(credential());
		const at = (page_number: number) => ({
			designationsJson: JSON.stringify([
				{
					signer_identifier: 'notary',
					type: 'seal',
					page_number,
					x: 72,
					y: 96,
					width: 90,
					height: 24,
				},
			]),
		});
		refuse('POST', 'documents', 422, 'Designation is invalid: page_number 1 does not exist');
		await person.fails(...(await add(closing, at(1))));
		await person.again('The document has no page 2', ...(await add(closing, at(0))));
	},
	'text: externaldocumentservice::jobexists': async (person) => {
		const closing = await createClosing(credential());
		const run_ = {
			resource: 'document',
			operation: 'import',
			transactionId: id(closing),
			documentCode: '7001234-CLOSING',
			externalSource: 'docmagic',
		};
		await run(run_);
		await person.fails(run_);
		person.reads("Wait for the event 'Import Finished'");
		await sandbox.act.importDocument(closing);
		expect(sandbox.world.transactions.get(closing)!.documents.length).toBeGreaterThan(0);
	},
	'text: cannot add enotes to hybrid': paperType('hybrid_refinance'),
	'text: cannot add enotes to wet sign': paperType('wet_sign'),
	'text: only available to lenders and title agencies': async (person) => {
		const closing = await createClosing(credential());
		refuse('POST', 'enote', 403, 'Only available to lenders and title agencies');
		await person.fails(enote(closing), {
			credential: credential({ apiKey: sandbox.keys.childFull }),
		});
		await person.again("'API Key' of an organization that may do this", enote(closing));
	},
	'text: organization not permitted': async (person) => {
		const agencies = {
			resource: 'titleAgency',
			operation: 'getAll',
			filters: { email: 'a@example.com' },
		};
		refuse('GET', 'title_agencies', 403, 'Organization not permitted to use this endpoint');
		await person.fails(agencies);
		await person.again("'API Key' of an organization that may do this", agencies);
	},
	'code: existingUnknown': async (person) => {
		const loan = { ...fieldsIn(CLOSING), loan_number: '7021' };
		const create = (ifExists: string) => ({
			...CLOSING,
			...toForm({ ...loan, ifExists, matchBy: 'loan_number' }),
		});
		const path = CREATE;
		sandbox.faults.add({ method: 'GET', path, times: Infinity, status: 422, body: {} });
		await person.fails(create('return'));
		person.reads('Nothing was created');
		await person.again("set 'If It Exists' to Create Another", create('another'));
		expect(creates()).toBe(1);
	},
	'status: badValue': refusedCreate(
		400,
		'Invalid value for name - expected String',
		'Correct the parameter it names',
		{ transactionName: '7' },
		{},
	),
	'status: againstRule': refusedCreate(
		422,
		'The name is taken',
		"Fix what's named above",
		{},
		{ transactionName: 'Another name' },
	),
	'status: tooBig': async (person) => {
		const closing = await createClosing(credential());
		refuse('POST', 'documents', 413);
		await person.fails(...(await add(closing)));
		await person.again('reduce its size', ...(await add(closing)));
	},
	'status: conflict': async (person) => {
		const closing = await draft();
		refuse('POST', 'place_order', 409, 'Somebody else is at it');
		await person.fails(sendClosing(id(closing)));
		person.reads('Retrieve it to see its state');
		expect((await run(on(closing, 'get'))).json.status).toBe('started');
		await person.again('run the node again', sendClosing(id(closing)));
	},
	'code: refused': async (person) => {
		const form = { ...CLOSING, signers: borrowers({ email: 'jane@x.example' }) };
		refuse('POST', CREATE, 418, 'Not this one');
		await person.fails(form);
		await person.again("Fix what's named above", { ...form, signers: borrowers() });
		expect(creates()).toBe(1);
	},
};
