import type { IDataObject } from 'n8n-workflow';

import { placeByHand, type Paper } from './papers.mts';
import {
	closingColumns,
	columnsOf,
	DISCLOSURE,
	paperOf,
	roleRow,
	ruleOf,
	RULES,
	signedBy,
} from './workflow.mts';

/** Mistakes of a loan with two borrowers. Each has its own, and nothing else is wrong. */

export interface Mistake {
	name: string;
	row?: IDataObject;
	rules?: IDataObject[];
	papers?: Paper[];
	platform?: 'business';
	/**
	 * stops: nothing is written. check: the draft is made, and nothing is sent. told: it's sent, and
	 * the hint says so.
	 */
	ends: 'stops' | 'check' | 'told';
	/** What the message says, or the hint. */
	says: RegExp[];
}

/** The loan. */
export const COUPLE = [
	['Borrower', 'Jane Miller'],
	['Co-Borrower', 'John Miller'],
] as const;
export const DEED = paperOf('Deed of Trust', 'Borrower', 'Co-Borrower', 'Notary');
const BORROWERS = [...signedBy('Borrower'), ...signedBy('Co-Borrower')];
const [NOTARY] = signedBy('notary', 'Notary Signature');
const LAST = RULES.at(-1)!;

const isNow = (row: IDataObject, more: IDataObject = {}) => ({ ...row, ...more });
/** The rules, with other texts for the deed. */
export const rulesOf = (texts: IDataObject[], more: IDataObject = {}): IDataObject[] => [
	ruleOf('Deed of Trust', 'notarization', texts, more),
	LAST,
];
/** The same without a notary, whose places are another matter. */
export const esigned = (texts: IDataObject[], more: IDataObject = {}): IDataObject[] =>
	rulesOf(texts, { requirement: 'esign', ...more });
const ANY_LOAN = closingColumns('0');

const TEXTS: Mistake[] = [
	{
		name: 'a misspelt text of a signer who signs nowhere else in the document',
		rules: rulesOf([
			...signedBy('Borrower', 'Borower Signature'),
			...signedBy('Co-Borrower'),
			NOTARY,
		]),
		ends: 'stops',
		says: [/'Borower Signature' wasn't found/, /Borrower would have no place to sign/],
	},
	{
		name: 'a misspelt text, and the rule stops for texts',
		rules: rulesOf([...BORROWERS, { ...BORROWERS[0], text: 'Borrowers Signature' }, NOTARY], {
			ifTextMissing: 'stop',
		}),
		ends: 'stops',
		says: [/Borrowers Signature/, /Deed of Trust/],
	},
	{
		name: 'a text with other capital letters',
		rules: rulesOf([
			...signedBy('Borrower', 'Borrower signature'),
			...signedBy('Co-Borrower'),
			NOTARY,
		]),
		ends: 'stops',
		says: [/'Borrower signature' wasn't found/, /Borrower would have no place to sign/],
	},
	{
		name: 'a second text of a signer that is misspelt',
		rules: rulesOf([...BORROWERS, { ...BORROWERS[0], text: 'Borrower Initials Here' }, NOTARY]),
		ends: 'told',
		says: [/'Borrower Initials Here' isn't in Deed of Trust: 1 place left out/],
	},
	{
		name: 'a misspelt text of a signer who only dates the document elsewhere',
		rules: rulesOf([{ ...BORROWERS[0], text: 'Borower Signature' }, ...BORROWERS.slice(1), NOTARY]),
		ends: 'stops',
		says: [/'Borower Signature' wasn't found/, /Borrower would have no place to sign/],
	},
	{
		name: 'a misspelt text that belongs to another one',
		rules: rulesOf([
			BORROWERS[0],
			{ ...BORROWERS[1], nextText: 'Dated' },
			...BORROWERS.slice(2),
			NOTARY,
		]),
		ends: 'stops',
		says: [/'Dated' for 'Borrower Signature'/],
	},
	{
		name: 'a paper without the line of a co-borrower who is there',
		papers: [paperOf('Deed of Trust', 'Borrower', 'Notary'), DISCLOSURE],
		ends: 'stops',
		says: [/'Co-Borrower Signature' wasn't found/, /Co-Borrower would have no place to sign/],
	},
	{
		name: 'a paper without the line of the notary',
		papers: [paperOf('Deed of Trust', 'Borrower', 'Co-Borrower'), DISCLOSURE],
		ends: 'stops',
		says: [/'Notary Signature' wasn't found/, /Notary would have no place to sign/],
	},
	{
		name: 'a text that stands there twice',
		papers: [paperOf('Deed of Trust', 'Borrower', 'Co-Borrower', 'Borrower', 'Notary'), DISCLOSURE],
		ends: 'stops',
		says: [/'Borrower Signature' stands 2 times/],
	},
	{
		name: 'a text that is part of a longer word',
		papers: [{ ...DEED, labels: ['Borrower Signatures', ...DEED.labels.slice(1)] }, DISCLOSURE],
		ends: 'stops',
		says: [/it stands only inside 'Borrower Signatures'/],
	},
	{
		name: 'pages that the document does not have',
		rules: rulesOf([...BORROWERS.map((row) => isNow(row, { pages: '9' })), NOTARY]),
		ends: 'stops',
		says: [/no page 9/],
	},
];

const FILES: Mistake[] = [
	{
		name: 'a scan without text',
		papers: [{ ...DEED, labels: [], page: { picture: 1 } }, DISCLOSURE],
		ends: 'stops',
		says: [/'Borrower Signature' isn't on pages 1 to 2; page 2 is a scan/],
	},
	{
		name: 'a text that may be in a picture',
		papers: [{ ...DEED, labels: DEED.labels.slice(1), page: { picture: 0.6 } }, DISCLOSURE],
		ends: 'stops',
		says: [/'Borrower Signature' isn't on [^]*page 2 has a large picture/],
	},
	{
		name: 'a page that is rotated',
		papers: [{ ...DEED, page: { rotate: 90 } }, DISCLOSURE],
		ends: 'stops',
		says: [/rotated/],
	},
	{
		name: 'a file that is no PDF',
		papers: [{ ...DEED, content: 'Not found' }, DISCLOSURE],
		ends: 'stops',
		says: [/'Deed of Trust\.pdf' isn't a PDF/],
	},
	{
		name: 'a needed rule that no file fits',
		papers: [DEED],
		ends: 'stops',
		says: [/No document is for rule 7 \(Disclosure\)/],
	},
	{
		name: 'a file with a misspelt name',
		papers: [{ ...DEED, name: 'Dead of Trust' }, DISCLOSURE],
		ends: 'stops',
		says: [/No rule names Dead of Trust\.pdf/],
	},
	{
		name: 'a deed on which nobody of the closing signs',
		papers: [paperOf('Warranty Deed', 'Seller', 'Buyer', 'Notary'), DISCLOSURE],
		ends: 'told',
		says: [
			/No Seller in this closing: 2/,
			/Jane Miller \S+ \S+ has nothing to sign/,
			/John Miller \S+ \S+ has nothing/,
		],
	},
	{
		name: 'an affidavit on which nobody at all signs',
		rules: esigned(signedBy('Seller')),
		papers: [paperOf('Deed of Trust', 'Seller'), DISCLOSURE],
		ends: 'stops',
		says: [/leaves no place to sign: no Seller is there/],
	},
];

const SIGNERS: Mistake[] = [
	{
		name: 'an external ID that nobody has',
		rules: rulesOf([...BORROWERS, { ...NOTARY, signer_identifier: 'jane.miller' }]),
		ends: 'stops',
		says: [/'jane\.miller' [^.]*isn't a signer/, /borrower-1/],
	},
	{
		name: 'an external ID with a letter too many',
		rules: rulesOf([...BORROWERS, { ...NOTARY, signer_identifier: 'signer-1x' }]),
		ends: 'stops',
		says: [/'signer-1x' [^.]*isn't a signer/],
	},
	{
		name: 'a misspelt role of a place',
		rules: rulesOf([
			...signedBy('Borrower'),
			...signedBy('Co-Borower', 'Co-Borrower Signature'),
			NOTARY,
		]),
		ends: 'stops',
		says: [/'Co-Borower' [^.]*isn't a signer/],
	},
	{
		name: 'a misspelt role in the sheet',
		row: roleRow(ANY_LOAN, [COUPLE[0], ['Cobrrower', 'John Miller']]),
		ends: 'stops',
		says: [/'Signer 2 Role' is 'Cobrrower', which isn't a role/, /Co-Borrower/],
	},
	{
		name: 'two signers of one role and number',
		row: roleRow(ANY_LOAN, [
			['Borrower 1', 'Jane Miller'],
			['Borrower 1', 'John Miller'],
		]),
		ends: 'stops',
		says: [/has the role Borrower twice/],
	},
	{
		name: "an external ID that is made of somebody else's role",
		row: { ...roleRow(ANY_LOAN, COUPLE), 'Signer 1 External ID': 'borrower-2' },
		ends: 'stops',
		says: [/has the external ID 'borrower-2' twice/],
	},
	{
		name: 'a column that says there is a co-borrower, and nobody is',
		row: {
			...columnsOf('Borrower', 'Jane Miller'),
			...columnsOf('Co-Borrower'),
			'Co-Borrower': 'Yes',
			...ANY_LOAN,
		},
		ends: 'stops',
		says: [/'Co-Borrower' is 'Yes'/],
	},
	{
		name: 'a co-borrower whose cells were forgotten, and the row says that there is one',
		row: {
			...columnsOf('Borrower', 'Jane Miller'),
			...columnsOf('Co-Borrower'),
			'Has Co-Borrower': 'yes',
			...ANY_LOAN,
		},
		ends: 'stops',
		says: [/'Has Co-Borrower' is 'yes'/],
	},
	{
		name: 'a co-borrower whose headings are misspelt, and the row says that there is one',
		row: {
			...columnsOf('Borrower', 'Jane Miller'),
			...columnsOf('Co-Borower', 'John Miller'),
			'Has Co-Borrower': 'yes',
			...ANY_LOAN,
		},
		ends: 'stops',
		says: [/'Has Co-Borrower' is 'yes'/],
	},
	{
		name: "a role that is also somebody else's external ID: business",
		platform: 'business',
		row: {
			...roleRow({ 'External ID': '0' }, COUPLE),
			'Signer 1 External ID': 'Co-Borrower',
			'Signer 2 External ID': '',
		},
		rules: esigned(BORROWERS),
		papers: [paperOf('Deed of Trust', 'Borrower', 'Co-Borrower'), DISCLOSURE],
		ends: 'stops',
		says: [/John Miller \S+ \S+ has nothing to sign/],
	},
	{
		name: "a role that is also somebody else's external ID: real estate",
		row: {
			...roleRow(ANY_LOAN, COUPLE),
			'Signer 1 External ID': 'Co-Borrower',
			'Signer 2 External ID': '',
		},
		ends: 'told',
		says: [/John Miller \S+ \S+ has nothing to sign/],
	},
	{
		name: 'a signer for whom no rule has a place: business',
		platform: 'business',
		row: roleRow({ 'External ID': '0' }, [COUPLE[0], ['Spouse', 'John Miller']]),
		rules: esigned(signedBy('Borrower')),
		papers: [paperOf('Deed of Trust', 'Borrower'), DISCLOSURE],
		ends: 'stops',
		says: [/John Miller \S+ \S+ has nothing to sign/],
	},
	{
		name: 'a signer for whom no rule has a place: real estate',
		row: roleRow(ANY_LOAN, [COUPLE[0], ['Spouse', 'John Miller']]),
		rules: rulesOf([...signedBy('Borrower'), NOTARY]),
		papers: [paperOf('Deed of Trust', 'Borrower', 'Notary'), DISCLOSURE],
		ends: 'told',
		says: [/John Miller \S+ \S+ has nothing to sign/],
	},
	{
		name: 'an absent co-borrower, and the rule stops for signers',
		row: roleRow(ANY_LOAN, [COUPLE[0]]),
		rules: rulesOf([...BORROWERS, NOTARY], { ifSignerMissing: 'stop' }),
		ends: 'stops',
		says: [/'Co-Borrower' [^.]*isn't a signer/, /borrower-1/],
	},
];

export const byHand = (whereToSign: string, more: IDataObject): IDataObject[] => [
	{ ...RULES[0], texts: {}, whereToSign, ...more },
	LAST,
];
const OTHER_WAYS: Mistake[] = [
	{
		name: 'designations by hand for a misspelt role',
		rules: byHand('rows', {
			designations: { row: [{ ...placeByHand('Borrowr', 0), page: 2 }] },
		}),
		ends: 'stops',
		says: [/'Borrowr' [^.]*isn't a signer/],
	},
	{
		name: 'JSON for an external ID that nobody has',
		rules: byHand('json', {
			designationsJson: JSON.stringify([placeByHand('Borrower', 0), placeByHand('b-7', 1)]),
		}),
		ends: 'stops',
		says: [/'b-7' [^.]*isn't a signer/],
	},
	{
		name: 'fields whose names nobody matches',
		rules: byHand('fields', { fieldsByName: true }),
		papers: [{ ...DEED, fields: ['Signature1', 'Signature2'] }, DISCLOSURE],
		ends: 'stops',
		says: [/no name of a field says which signer's it is: 'Signature1'/],
	},
	{
		name: 'a field of the form for a misspelt role',
		rules: byHand('fields', {
			fieldsByName: false,
			formFields: {
				row: [{ fieldName: 'Signature1', signer_identifier: 'Borower', type: 'signature' }],
			},
		}),
		papers: [{ ...DEED, fields: ['Signature1'] }, DISCLOSURE],
		ends: 'stops',
		says: [/'Borower' [^.]*isn't a signer/],
	},
	{
		name: "a name of a field that the file doesn't have",
		rules: byHand('fields', {
			fieldsByName: false,
			formFields: {
				row: [{ fieldName: 'Sign Here', signer_identifier: 'Borrower', type: 'signature' }],
			},
		}),
		papers: [{ ...DEED, fields: ['Signature1'] }, DISCLOSURE],
		ends: 'stops',
		says: [/no form field has the name 'Sign Here'/],
	},
];

export const PLANTED: Mistake[] = [...TEXTS, ...FILES, ...SIGNERS, ...OTHER_WAYS];
