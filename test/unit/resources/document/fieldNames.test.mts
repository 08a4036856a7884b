import {
	findSignerId,
	parseFieldName,
	parseParty,
} from '../../../../nodes/SignAndClose/resources/document/places/formFields/fieldNames.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** What names of fields say, as forms of courts, lenders and agents have them. */

const read = (name: string, kind: 'signature' | 'text' = 'signature') => {
	const meaning = parseFieldName(name, kind);
	return meaning && `${meaning.party} ${meaning.number} ${meaning.type}`;
};

test('a name says the party, its number and the type', () => {
	forEachCase(
		[
			['Borrower1_Sig', 'borrower 1 signature'],
			['Sign Here (Co-Applicant)', 'borrower 2 signature'],
			['CoBorrowerSig', 'borrower 2 signature'],
			['Second Seller Initials', 'seller 2 initials'],
			['Initials of Seller 2', 'seller 2 initials'],
			['form1[0].Page2[1].Borrower[0].Signature[0]', 'borrower 1 signature'],
			['Witness 2', 'witness 2 signature'],
		],
		([name, expected]) => expect(read(name)).toBe(expected),
	);
});

test('a name that says two things, or has an unknown word, says nothing', () => {
	forEachCase(
		[
			'Borrower/Co-Borrower Signature',
			"Buyer's Agent Signature",
			'Seller 1 Attorney in Fact',
			'Signature of Spouse if joint',
			'Seller Second Signature',
			'Seller Co. Signature',
			'Borrower Co-Signature',
			'Co-Borrower 2 Signature',
			'Borrower Signature 2',
			'Borrower[1].Signature[0]',
			'form1[0].Page1[0].BorrowerSignature[1]',
			'topmostSubform[0].Page1[0].Signature1[0]',
			'Borrower Constructor Signature',
			'Notary Sig/Seal',
		],
		(name) => expect(read(name)).toBeUndefined(),
	);
	forEachCase(['Borrower First Name', 'Buyer Co Name', 'Date_2', 'Date of Birth'], (name) =>
		expect(read(name, 'text')).toBeUndefined(),
	);
});

test('an external ID is a party only by the same words', () => {
	forEachCase(
		[
			['co-borrower', { party: 'borrower', number: 2 }],
			['second_seller', { party: 'seller', number: 2 }],
			['seller-agent', undefined],
			['borrower-1-signature', undefined],
		] as const,
		([id, expected]) => expect(parseParty(id)).toEqual(expected),
	);
});

describe('numbered signers', () => {
	const [first, second] = [1, 2].map((number) => ({ party: 'grantor', number }));
	const ids = ['signer-1', 'signer-2'];
	test('are parties if the file has a place for each of them', () => {
		expect(findSignerId(second, { ids }, [first, second])).toBe('signer-2');
		expect(findSignerId(first, { ids: ['signer-1'] }, [first, second])).toBe('signer-1');
	});
	test('are none if one of them may be a party without places in the file', () => {
		expect(findSignerId(first, { ids }, [first])).toBeUndefined();
	});
	test('are none beside another party, unless it is an official', () => {
		const notary = { party: 'notary', number: 1 };
		const buyer = { party: 'buyer', number: 1 };
		expect(findSignerId(first, { ids }, [first, second, buyer])).toBeUndefined();
		expect(findSignerId(first, { ids }, [first, second, notary])).toBe('signer-1');
	});
});

test('parties that a file counts from 0 are nobody', () => {
	const parties = [0, 1].map((number) => ({ party: 'borrower', number }));
	forEachCase(parties, (party) =>
		expect(findSignerId(party, { ids: ['borrower-1', 'borrower-2'] }, parties)).toBeUndefined(),
	);
	const witness = { party: 'witness', number: 0 };
	expect(findSignerId(witness, { ids: [] }, [witness])).toBeUndefined();
});
