import type { IDataObject } from 'n8n-workflow';

import type { Paper } from './papers.mts';
import {
	closingColumns,
	DISCLOSURE,
	emailOf,
	loanRow,
	OWNERS,
	paperOf,
	roleRow,
	RULES,
} from './workflow.mts';

/** Closings as offices have them, each with the papers that it came with. */

export interface Closing {
	name: string;
	platform?: 'business';
	row: IDataObject;
	papers: Paper[];
	/** Who signs, by email address and by what the labels call them. */
	people: Record<string, string>;
}

const NAMES = ['Jane Miller', 'John Miller', 'Ann Alvarez', 'Omar Farouk'];
const [JANE, JOHN] = NAMES.map(emailOf);
/** Some documents have a line for each borrower there may be, used or not. */
const DEED_FOR_ALL = paperOf('Deed of Trust', ...OWNERS, 'Notary');
const rider = (...signers: string[]) => paperOf('Condominium Rider', ...signers);

/** So many borrowers: a deed with all lines, a note with theirs alone, and a rider for some. */
const loanOf = (count: number): Closing => {
	const signers = OWNERS.slice(0, count);
	return {
		name: `${count} borrowers`,
		row: loanRow(`530${count}`, NAMES.slice(0, count)),
		papers: [
			DEED_FOR_ALL,
			paperOf('Promissory Note', ...signers),
			...(count % 2 === 0 ? [rider(...signers)] : []),
			DISCLOSURE,
		],
		people: Object.fromEntries(signers.map((signer, at) => [signer, emailOf(NAMES[at])])),
	};
};

/** Rows of a sheet with columns of borrowers. */
export const LOANS: Closing[] = [
	...[1, 2, 3, 4].map(loanOf),
	{
		name: 'a married couple: the spouse signs the deed alone',
		row: loanRow('5305', ['Jane Miller'], 'John Miller'),
		papers: [
			paperOf('Deed of Trust', 'Borrower', 'Spouse', 'Notary'),
			paperOf('Promissory Note', 'Borrower'),
			DISCLOSURE,
		],
		people: { Borrower: JANE, Spouse: JOHN },
	},
	{
		name: 'a couple of whom both have the loan',
		row: loanRow('5306', ['Jane Miller', 'John Miller']),
		papers: [
			paperOf('Deed of Trust', 'Borrower', 'Co-Borrower', 'Notary'),
			paperOf('Promissory Note', 'Borrower', 'Co-Borrower', 'Borrower 3'),
			DISCLOSURE,
		],
		people: { Borrower: JANE, 'Co-Borrower': JOHN },
	},
];

/** Rows of a sheet that says the role of each signer. */
export const BY_ROLE: Closing[] = [
	{
		name: 'a trust with one trustee',
		row: roleRow(closingColumns('5311'), [['Trustee', 'Jane Miller']]),
		papers: [
			paperOf('Deed of Trust', 'Trustee', 'Notary'),
			paperOf('Promissory Note', 'Trustee', 'Trustee 2'),
			DISCLOSURE,
		],
		people: { Trustee: JANE },
	},
	{
		name: 'a trust with two trustees',
		row: roleRow(closingColumns('5312'), [
			['Trustee', 'Jane Miller'],
			['Trustee', 'John Miller'],
		]),
		papers: [
			paperOf('Deed of Trust', 'Borrower', 'Trustee', 'Trustee 2', 'Notary'),
			paperOf('Promissory Note', 'Trustee', 'Trustee 2'),
			DISCLOSURE,
		],
		people: { Trustee: JANE, 'Trustee 2': JOHN },
	},
	{
		name: 'seller and buyer, the second one first',
		row: roleRow(closingColumns('5313', { 'Closing Type': 'Other' }), [
			['Buyer', 'Jane Miller'],
			['Seller', 'John Miller'],
		]),
		papers: [
			paperOf('Warranty Deed', 'Seller', 'Buyer', 'Notary'),
			paperOf('Settlement Statement', 'Buyer', 'Seller'),
			DISCLOSURE,
		],
		people: { Buyer: JANE, Seller: JOHN },
	},
	{
		name: 'a seller alone',
		row: roleRow(closingColumns('5314', { 'Closing Type': 'Purchase, Seller' }), [
			['Seller', 'John Miller'],
		]),
		papers: [
			paperOf('Warranty Deed', 'Seller', 'Buyer', 'Notary'),
			paperOf('Settlement Statement', 'Seller'),
			DISCLOSURE,
		],
		people: { Seller: JOHN },
	},
];

/** Rows of a business sheet. */
export const BUSINESS: Closing[] = [
	{
		name: 'a business signer',
		platform: 'business',
		row: roleRow({ 'External ID': 'case-5321' }, [['Grantor', 'Jane Miller']], 1),
		papers: [paperOf('Power of Attorney', 'Grantor', 'Notary'), DISCLOSURE],
		people: { Grantor: JANE },
	},
];

function countEach(all: string[]): Record<string, number> {
	return Object.fromEntries(
		[...new Set(all)].map((one) => [one, all.filter((other) => other === one).length]),
	);
}

/** How many places of the rules nobody signs at, by who isn't there. */
export function countAbsent({ papers, people }: Closing): Record<string, number> {
	const rows = RULES.filter(({ nameContains }) =>
		papers.some(({ name }) => name.includes(String(nameContains))),
	).flatMap(({ texts }) => ((texts as IDataObject | undefined)?.row ?? []) as IDataObject[]);
	const signers = rows.map(({ signer_identifier: signer }) => String(signer));
	return countEach(signers.filter((signer) => signer !== 'notary' && !(signer in people)));
}

/** How many places the output says that were left out, by their signers. */
export const countLeftOut = ({ left_out: leftOut }: Record<string, unknown>) =>
	countEach((leftOut as IDataObject[]).map(({ signer }) => String(signer)));
