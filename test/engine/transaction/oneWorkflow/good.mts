import type { IDataObject } from 'n8n-workflow';

import { BUSINESS, BY_ROLE, LOANS, type Closing } from './closings.mts';
import { placeByHand } from './papers.mts';
import { byHand, COUPLE, DEED, esigned, rulesOf } from './planted.mts';
import {
	closingColumns,
	columnsOf,
	DISCLOSURE,
	emailOf,
	loanRow,
	paperOf,
	roleRow,
	signedBy,
} from './workflow.mts';

/** Packages of which nothing is missing, with what people name signers and places by. */

export interface GoodPackage extends Closing {
	/** The rules of the workflow, unless the package is about others. */
	rules?: IDataObject[];
	/** Designations by hand and fields have no places for dates. */
	isUndated?: true;
}

const PEOPLE = Object.fromEntries(COUPLE.map(([role, name]) => [role, emailOf(name)]));
const JANE_ALONE = { Borrower: PEOPLE.Borrower };
const COUPLE_ROW = roleRow(closingColumns('0'), COUPLE);
const JANE_ROW = roleRow(closingColumns('0'), [COUPLE[0]]);
const NOTARY = signedBy('notary', 'Notary Signature').slice(0, 1);
const couple = (name: string, more: Partial<GoodPackage>): GoodPackage => ({
	...{ name, row: COUPLE_ROW, papers: [DEED, DISCLOSURE], people: PEOPLE },
	...more,
});
const [one, two, three] = [0, 1, 2];
const HAND = [placeByHand('Borrower', one), placeByHand('Co-Borrower', two)];
const AT_NOTARY = placeByHand('notary', three);
const FIELDS = ['Borrower Signature', 'Co-Borrower Signature', 'Notary Signature'];
const field = (fieldName: string, signer: string) => ({
	...{ fieldName, signer_identifier: signer, type: 'signature' },
});

const NAMING: GoodPackage[] = [
	couple('external IDs of an office beside the roles', {
		row: { ...COUPLE_ROW, 'Signer 1 External ID': 'c-118', 'Signer 2 External ID': 'c-119' },
	}),
	couple("places by an office's external IDs", {
		row: { ...COUPLE_ROW, 'Signer 1 External ID': 'c-118', 'Signer 2 External ID': 'c-119' },
		rules: rulesOf([
			...signedBy('c-118', 'Borrower Signature'),
			...signedBy('c-119', 'Co-Borrower Signature'),
			...NOTARY,
		]),
	}),
	couple('places for the first and the second borrower', {
		rules: rulesOf([
			...signedBy('Borrower 1', 'Borrower Signature'),
			...signedBy('Second Borrower', 'Co-Borrower Signature'),
			...NOTARY,
		]),
	}),
	couple('roles in other words than the places', {
		row: roleRow(closingColumns('0'), [
			['applicant', 'Jane Miller'],
			['Borrower 2', 'John Miller'],
		]),
	}),
	couple('two borrowers without numbers', {
		row: roleRow(closingColumns('0'), [
			['Borrower', 'Jane Miller'],
			['Borrower', 'John Miller'],
		]),
	}),
	couple('the co-borrower in the first columns', {
		row: roleRow(closingColumns('0'), [COUPLE[1], COUPLE[0]]),
	}),
	couple('a buyer with a loan, who is the borrower, too', {
		row: {
			...columnsOf('Buyer', 'Jane Miller'),
			...columnsOf('Co-Buyer', 'John Miller'),
			...columnsOf('Seller', 'Omar Farouk'),
			...closingColumns('0', { 'Closing Type': 'Purchase, Buyer Loan' }),
		},
	}),
	couple('lines of nobody that some papers lack, where a rule stops for texts', {
		row: JANE_ROW,
		rules: rulesOf([...signedBy('Borrower'), ...signedBy('Co-Borrower'), ...NOTARY], {
			ifTextMissing: 'stop',
		}),
		papers: [paperOf('Deed of Trust', 'Borrower', 'Notary'), DISCLOSURE],
		people: JANE_ALONE,
	}),
	couple('places for signer-1, and for a signer-2 who is not there', {
		row: {
			...columnsOf('Signer 1', 'Jane Miller'),
			...columnsOf('Signer 2'),
			...closingColumns('0'),
		},
		rules: rulesOf([
			...signedBy('signer-1', 'Borrower Signature'),
			...signedBy('signer-2', 'Co-Borrower Signature'),
			...NOTARY,
		]),
		people: JANE_ALONE,
	}),
	couple('a role that stops if it is not there, and is', {
		rules: rulesOf([...signedBy('Borrower'), ...signedBy('Co-Borrower'), ...NOTARY], {
			ifSignerMissing: 'stop',
			ifTextMissing: 'stop',
		}),
	}),
];

const OTHER_WAYS: GoodPackage[] = [
	couple('designations by hand, of which one is for nobody', {
		row: JANE_ROW,
		rules: byHand('rows', {
			designations: { row: [...HAND, AT_NOTARY].map((row) => ({ ...row, page: 2 })) },
		}),
		people: JANE_ALONE,
		isUndated: true,
	}),
	couple('JSON by roles', {
		rules: byHand('json', { designationsJson: JSON.stringify([...HAND, AT_NOTARY]) }),
		isUndated: true,
	}),
	couple('JSON by roles, of which one is for nobody', {
		row: JANE_ROW,
		rules: byHand('json', { designationsJson: JSON.stringify([...HAND, AT_NOTARY]) }),
		people: JANE_ALONE,
		isUndated: true,
	}),
	couple('fields of a form, each for a role', {
		rules: byHand('fields', {
			fieldsByName: false,
			formFields: {
				row: [field('Sign1', 'Borrower'), field('Sign2', 'Co-Borrower'), field('Sign3', 'notary')],
			},
		}),
		papers: [{ ...DEED, fields: ['Sign1', 'Sign2', 'Sign3'] }, DISCLOSURE],
		isUndated: true,
	}),
	couple('fields of a form, of which one is for nobody', {
		row: JANE_ROW,
		rules: byHand('fields', {
			fieldsByName: false,
			formFields: {
				row: [field('Sign1', 'Borrower'), field('Sign2', 'Co-Borrower'), field('Sign3', 'notary')],
			},
		}),
		papers: [{ ...DEED, fields: ['Sign1', 'Sign2', 'Sign3'] }, DISCLOSURE],
		people: JANE_ALONE,
		isUndated: true,
	}),
	couple('fields of a form by their names', {
		rules: byHand('fields', { fieldsByName: true }),
		papers: [{ ...DEED, fields: FIELDS }, DISCLOSURE],
		isUndated: true,
	}),
	couple('fields of a form by their names, of which one is for nobody', {
		row: JANE_ROW,
		rules: byHand('fields', { fieldsByName: true }),
		papers: [{ ...DEED, fields: FIELDS }, DISCLOSURE],
		people: JANE_ALONE,
		isUndated: true,
	}),
	couple('a scan with designations by hand', {
		rules: byHand('rows', {
			designations: { row: [...HAND, AT_NOTARY].map((row) => ({ ...row, page: 2 })) },
		}),
		papers: [{ ...DEED, page: { picture: 1 } }, DISCLOSURE],
		isUndated: true,
	}),
];

const PAPERS: GoodPackage[] = [
	couple('a rider, of which only some have a line for the co-borrower', {
		row: loanRow('0', ['Jane Miller', 'John Miller']),
		papers: [DEED, paperOf('Condominium Rider', 'Borrower', 'Co-Borrower'), DISCLOSURE],
	}),
	couple('two riders by one rule', {
		papers: [
			DEED,
			paperOf('Condominium Rider', 'Borrower', 'Co-Borrower'),
			paperOf('Family Rider', 'Borrower', 'Co-Borrower', 'Borrower 3'),
			DISCLOSURE,
		],
	}),
	couple('a business affidavit of two', {
		platform: 'business',
		row: roleRow({ 'External ID': '0' }, COUPLE),
		rules: esigned([...signedBy('Borrower'), ...signedBy('Co-Borrower')]),
		papers: [paperOf('Deed of Trust', 'Borrower', 'Co-Borrower'), DISCLOSURE],
	}),
	couple('a business affidavit of one, with lines for two', {
		platform: 'business',
		row: roleRow({ 'External ID': '0' }, [COUPLE[0]]),
		rules: esigned([...signedBy('Borrower'), ...signedBy('Co-Borrower')]),
		papers: [paperOf('Deed of Trust', 'Borrower', 'Co-Borrower'), DISCLOSURE],
		people: JANE_ALONE,
	}),
];

export const GOOD: GoodPackage[] = [
	...[...LOANS, ...BY_ROLE, ...BUSINESS],
	...[...NAMING, ...OTHER_WAYS, ...PAPERS],
];
