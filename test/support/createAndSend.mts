import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../sandbox/data/samples.mts';
import { borrowers, fieldsIn, TITLE, toForm } from './closing.mts';
import { storeFile } from './engine.mts';
import { sandbox } from './useSandbox.mts';

/** Parameters of Transaction: Create and Send, so that a test shows only what it is about. */

const NAMING: IDataObject = { resource: 'transaction', operation: 'createAndSend' };

/** Rules for a deed, which a notary sees, and for an affidavit, which the first signer signs. */
export const RULES = {
	row: [
		{ nameContains: 'Deed of Trust', requirement: 'notarization', whereToSign: 'rows' },
		{
			nameContains: 'Affidavit',
			requirement: 'esign',
			whereToSign: 'json',
			designationsJson:
				'[{"signer_identifier":"borrower-1","type":"signature","page_number":0,"x":72,"y":96,"width":180,"height":24}]',
			flags: ['witness_required'],
			position: 0,
		},
	],
};

/** The rule for a deed alone. */
export const DEED = { row: [RULES.row[0]] };

/** A closing that goes on with the draft of its loan number. */
export const closingFile = (more: IDataObject = {}): IDataObject => ({
	...NAMING,
	platform: 'realEstate',
	fieldsFrom: 'form',
	transactionType: 'refinance',
	signers: borrowers(),
	property: {
		row: {
			addressLine1: '100 Harbor Street',
			addressCity: 'Boston',
			addressState: 'MA',
			addressZipCode: '02110',
		},
	},
	matchBy: 'loan_number',
	documentRules: RULES,
	then: 'draft',
	...more,
	...toForm({
		...TITLE,
		paper_note_consent: true,
		...fieldsIn(more),
	}),
});

/** A business transaction, which has its External ID. */
export const businessFile = (more: IDataObject = {}): IDataObject => ({
	...NAMING,
	platform: 'business',
	fieldsFrom: 'form',
	signers: borrowers(),
	documentRules: RULES,
	then: 'draft',
	...more,
});

/** An item with these files, by their names; a content is that of the deed with something behind it. */
export async function withFiles(
	files: Record<string, string>,
	json: IDataObject = {},
): Promise<{ items: INodeExecutionData[] }> {
	const deed = (await samplePdf('deed-of-trust'))!;
	const binary: INodeExecutionData['binary'] = {};
	for (const [index, [name, more]] of Object.entries(files).entries()) {
		const isPdf = name.endsWith('.pdf');
		const bytes = isPdf ? Buffer.concat([deed, Buffer.from(more)]) : Buffer.from(more);
		binary[`file${index}`] = await storeFile(bytes, name, isPdf ? 'application/pdf' : 'text/plain');
	}
	return { items: [{ json, binary }] };
}

/** What the sandbox was asked to write, in order, without the IDs. */
export const writes = (): string[] =>
	sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(
			({ method, path }) =>
				`${method} ${path
					.replace(/^\/mortgage\/v\d/, '')
					.replace(/ot_\w+/, 'ID')
					.replace(/do_[\w-]+/, 'DO')}`,
		);
