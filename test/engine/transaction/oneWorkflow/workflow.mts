import type { IDataObject } from 'n8n-workflow';

import { TITLE, toForm } from '../../../support/closing.mts';
import type { Paper } from './papers.mts';

/** One workflow for every loan: its parameters, which no closing changes, and closings as people have them. */

const LEAVE_OUT = { ifSignerMissing: 'leaveOut', ifTextMissing: 'leaveOut' };

/** A signature and the date beside it. */
export const signedBy = (signer: string, label = `${signer} Signature`): IDataObject[] => {
	const row = { text: label, signer_identifier: signer, where: 'above', moveUp: 4, height: 20 };
	return [
		{ ...row, type: 'signature', width: 180 },
		{ ...row, type: 'date_signed', width: 90, nextText: 'Date', nextSide: 'right' },
	];
};
const NOTARY = signedBy('notary', 'Notary Signature').slice(0, 1);

/** A rule that places at texts. */
export const ruleOf = (
	nameContains: string,
	requirement: string,
	row: IDataObject[],
	more: IDataObject = {},
): IDataObject => ({
	...{ nameContains, requirement, needed: false, whereToSign: 'text', texts: { row } },
	...LEAVE_OUT,
	...more,
});

export const OWNERS = ['Borrower', 'Co-Borrower', 'Borrower 3', 'Borrower 4', 'Spouse'];
const TRUSTEES = ['Trustee', 'Trustee 2'];
const byAll = (...signers: string[]) => signers.flatMap((signer) => signedBy(signer));

/** All that the office has papers of. Only the disclosure is in every package. */
export const RULES: IDataObject[] = [
	ruleOf('Deed of Trust', 'notarization', [...byAll(...OWNERS, ...TRUSTEES), ...NOTARY]),
	ruleOf('Warranty Deed', 'notarization', [...byAll('Seller', 'Buyer'), ...NOTARY]),
	ruleOf('Power of Attorney', 'notarization', [...byAll('Grantor'), ...NOTARY]),
	ruleOf(
		'Note',
		'esign',
		byAll('Borrower', 'Co-Borrower', 'Borrower 3', 'Borrower 4', ...TRUSTEES),
	),
	ruleOf('Rider', 'esign', byAll('Borrower', 'Co-Borrower', 'Borrower 3', 'Borrower 4')),
	ruleOf('Settlement Statement', 'esign', byAll('Buyer', 'Seller')),
	{ nameContains: 'Disclosure', requirement: 'readonly', whereToSign: 'nobody' },
];

/** The parameters. What a row has is in the row. */
export const workflowOf = (
	platform: 'realEstate' | 'business' = 'realEstate',
	more: IDataObject = {},
): IDataObject => ({
	resource: 'transaction',
	operation: 'createAndSend',
	platform,
	fieldsFrom: 'row',
	...(platform === 'realEstate' && {
		transactionType: 'refinance',
		matchBy: 'loan_number',
		...toForm({ ...TITLE, paper_note_consent: true }),
	}),
	documentRules: { row: RULES },
	then: 'send',
	...more,
});

/** A person of a row; the heading says which one. */
export const columnsOf = (whose: string, name = '', more: IDataObject = {}): IDataObject => {
	const [first = '', last = ''] = name.split(' ');
	const email = name === '' ? '' : emailOf(name);
	return {
		[`${whose} First Name`]: first,
		[`${whose} Last Name`]: last,
		[`${whose} Email`]: email,
		...Object.fromEntries(Object.entries(more).map(([what, value]) => [`${whose} ${what}`, value])),
	};
};
export const emailOf = (name: string): string =>
	`${name.toLowerCase().replace(' ', '.')}@example.com`;

/** The rest of a closing's row. */
export const closingColumns = (loan: string, more: IDataObject = {}): IDataObject => ({
	'Loan Number': loan,
	'Property Address': '100 Harbor Street',
	'Property City': 'Boston',
	'Property State': 'MA',
	'Property Zip': '02110',
	...more,
});

/** A row of the sheet of loans, which has columns for four borrowers and a spouse. */
export const loanRow = (loan: string, names: string[], spouse?: string): IDataObject => ({
	...Object.assign({}, ...OWNERS.map((whose, at) => columnsOf(whose, names[at]))),
	...columnsOf('Spouse', spouse),
	...closingColumns(loan),
});

/** A row of a sheet that says the role of each signer; all its rows have columns for so many. */
export const roleRow = (
	others: IDataObject,
	people: ReadonlyArray<readonly [role: string, name: string]>,
	columns = 2,
): IDataObject => ({
	...Object.assign(
		{},
		...Array.from({ length: columns }, (_, at) => {
			const [role = '', name = ''] = people[at] ?? [];
			return columnsOf(`Signer ${at + 1}`, name, { Role: role });
		}),
	),
	...others,
});

const signatures = (...signers: string[]) => signers.map((signer) => `${signer} Signature`);

/** A paper on which these people sign, with the notary if it says so. */
export const paperOf = (name: string, ...signers: string[]): Paper => ({
	name,
	labels: signatures(...signers),
});
export const DISCLOSURE: Paper = { name: 'Disclosure', labels: [] };
