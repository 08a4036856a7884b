import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { samplePdf } from '../../sandbox/data/samples.mts';
import { runNode, storeFile } from './engine.mts';

/** Parameters and shortcuts for closings, so that a test shows only what it is about. */

/** The primary signer of a closing. */
const BORROWER: IDataObject = {
	email: 'jane.borrower@example.com',
	first_name: 'Jane',
	last_name: 'Borrower',
	phone_number: '617 555 0123',
	external_id: 'borrower-1',
};

/**
 * The signers of a closing.
 * @param more what is different about the primary one
 */
export const borrowers = (more: IDataObject = {}, ...others: IDataObject[]): IDataObject => ({
	row: [{ ...BORROWER, ...more }, ...others],
});

/** Where the deed of a closing is recorded, and who handles and insures the title. */
export const TITLE: IDataObject = {
	recordingJurisdictionId: id('rlboston'),
	titleAgencyId: id('or_agency_harbor'),
	titleUnderwriterId: id('or_underwriter_atlantic'),
};

const CREATES = operations.filter(({ value }) => /^create/.test(value));
const SUBJECTS = ['numbers', 'invitation', 'meeting', 'additionalFields'];
/** The collection that has a field. */
const subjectOf = (field: string): string =>
	SUBJECTS.find((subject) =>
		CREATES.some(({ properties }) =>
			properties.some(
				({ name, options = [] }) => name === subject && options.some((one) => one.name === field),
			),
		),
	) ?? 'additionalFields';

/** Optional fields of a new transaction, in their places of the form and without any others. */
export function toForm(fields: IDataObject): IDataObject {
	const { paper_note_consent: isPaper, enote, ...others } = fields;
	const note = isPaper === true ? 'paper' : 'notChosen';
	const form: IDataObject = { enote, promissoryNote: enote === undefined ? note : 'enote' };
	for (const subject of SUBJECTS) form[subject] = {};
	for (const name of Object.keys(TITLE)) form[name] = undefined;
	if (isPaper !== true) others.paper_note_consent = isPaper;
	for (const [name, value] of Object.entries(others))
		if (name in TITLE) form[name] = value;
		else if (value !== undefined) (form[subjectOf(name)] as IDataObject)[name] = value;
	return form;
}

/** The optional fields that parameters have, wherever the form has them. */
export const fieldsIn = (parameters: IDataObject): IDataObject => ({
	...Object.fromEntries(
		[...Object.keys(TITLE), 'enote']
			.filter((name) => parameters[name] !== undefined)
			.map((name) => [name, parameters[name]]),
	),
	...(parameters.promissoryNote === 'paper' && { paper_note_consent: true }),
	...(Object.assign({}, ...SUBJECTS.map((name) => parameters[name])) as IDataObject),
});

export const CLOSING: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	transactionType: 'refinance',
	transactionName: 'Refinance 100 Harbor Street',
	signers: borrowers(),
	addressLine1: '100 Harbor Street',
	addressCity: 'Boston',
	addressState: 'MA',
	addressZipCode: '02110',
	...toForm({ ...TITLE, loan_number: '7001234' }),
};

/** What the editor stores for a resource locator in the mode "By ID". */
export function id(value: string): IDataObject {
	return { __rl: true, mode: 'id', value };
}

/** Creates a closing with the node and gives its id. */
export async function createClosing(
	credential: ICredentialDataDecryptedObject,
	more: IDataObject = {},
): Promise<string> {
	const fields = fieldsIn('additionalFields' in more ? more : CLOSING);
	const { items, error } = await runNode({
		credential,
		parameters: { ...CLOSING, ...more, ...toForm({ ...TITLE, ...fields }) },
	});
	if (error) throw error;
	return String(items[0].json.transaction_id);
}

/** An item that carries a PDF in the field `data`. */
export async function pdfItem(
	name = 'deed-of-trust',
	fileName = 'Deed of Trust.pdf',
	json: IDataObject = {},
) {
	const bytes = (await samplePdf(name))!;
	return { json, binary: { data: await storeFile(bytes, fileName, 'application/pdf') } };
}

export const ADD_DOCUMENT: IDataObject = {
	resource: 'document',
	operation: 'add',
	platform: 'realEstate',
	source: 'binary',
	binaryPropertyName: 'data',
	documentName: '',
	requirement: 'notarization',
	whereToSign: 'json',
	designationsJson: '[]',
	// Most tests add the same file, and count requests.
	additionalFields: { ifExists: 'add' },
};

/** A completed closing with one notarized document: created, filled, sent, signed, notarized. */
export async function completedClosing(
	sandbox: { act: { sign(id: string): Promise<void>; notarize(id: string): Promise<void> } },
	credential: ICredentialDataDecryptedObject,
	additionalFields: IDataObject = {},
): Promise<string> {
	const transactionId = await createClosing(credential, {
		...toForm({ paper_note_consent: true, ...additionalFields }),
	});
	const added = await runNode({
		credential,
		parameters: { ...ADD_DOCUMENT, transactionId: id(transactionId) },
		items: [await pdfItem()],
	});
	if (added.error) throw added.error;
	const sent = await runNode({
		credential,
		parameters: {
			resource: 'transaction',
			operation: 'send',
			platform: 'realEstate',
			transactionId: id(transactionId),
			additionalFields: {},
		},
	});
	if (sent.error) throw sent.error;
	await sandbox.act.sign(transactionId);
	await sandbox.act.notarize(transactionId);
	return transactionId;
}
