/** What a document looks like when its transaction has ended: what everybody wrote, and where. */

import { filledDesignations } from './designations.mts';
import { finishPdf } from './pdf.mts';
import { fullName } from '../people/signers.mts';
import { isHybrid, isNotarized } from '../signingMethods.mts';
import { witnessesOf, witnessOf } from '../../data/witnesses.mts';
import type { Designation, Document, Notary, Signer, Transaction } from '../../world/world.mts';

/** Fixed, so that a run repeats byte for byte. */
const SIGNED_ON = '2026-01-02';
/** Requirements of documents that nobody signs. */
const NOT_SIGNED = new Set(['readonly', 'non_essential']);

/**
 * The finished PDF: filled in, sealed where it is notarized, with a footer that tells how it ended.
 */
export async function finalDocument(
	transaction: Transaction,
	document: Document,
	notary: Notary,
): Promise<Buffer> {
	// Nothing can be written on a PDF that could not be read.
	if (document.pages === 0) return document.uploaded;
	const rejected = document.rejectionReason !== undefined;
	const notarized = !rejected && isNotarized(document);
	// What is e-signed in a hybrid closing stays e-signed.
	const onPaper =
		transaction.onPaper === true && !(isHybrid(transaction) && document.requirement === 'esign');
	const signerOf = (designation: Designation) =>
		transaction.signers.find(({ external_id }) => external_id === designation.signer_identifier);
	const selected = transaction.signers.flatMap(
		({ id }) => transaction.identities.get(id)?.selected ?? [],
	);
	const hasSelection = transaction.signers.some(
		({ id }) => transaction.identities.get(id)?.selected !== undefined,
	);
	return await finishPdf(document.uploaded, {
		designations:
			rejected || onPaper
				? []
				: filledDesignations(document.designations, hasSelection ? selected : undefined),
		valueOf: (designation) =>
			designation.signer_identifier === 'notary'
				? notaryValue(designation.type, notary)
				: signerValue(
						designation.type,
						signerOf(designation),
						witnessOf(designation.signer_identifier).name,
					),
		footer: `${outcomeText(transaction, document, { notary, notarized, onPaper })} - transaction ${transaction.id}`,
		seal: notarized
			? `${notary.name}|NOTARY PUBLIC|${notary.county}|No. ${notary.registration}`
			: undefined,
	});
}

/** How a document ended, in one line for its footer. */
function outcomeText(
	transaction: Transaction,
	document: Document,
	{ notary, notarized, onPaper }: { notary: Notary; notarized: boolean; onPaper: boolean },
): string {
	if (document.rejectionReason !== undefined) return `Rejected: ${document.rejectionReason}`;
	const signers = transaction.signers.map(fullName).join(', ');
	if (NOT_SIGNED.has(document.requirement)) return `Read by ${signers}`;
	const witnesses = witnessesOf([document])
		.map(({ name }) => name)
		.join(', ');
	return [
		`${onPaper ? 'Signed on paper by' : 'Signed by'} ${signers}`,
		notarized && `notarized by ${notary.name}`,
		witnesses && `witnessed by ${witnesses}`,
	]
		.filter(Boolean)
		.join(', ');
}

function initialsOf(name: string): string {
	return name
		.split(/\s+/)
		.map((part) => part.charAt(0).toUpperCase())
		.join('');
}

const DATES: Record<string, string> = {
	date_signed: SIGNED_ON,
	year_signed: SIGNED_ON.slice(0, 4),
	month_signed: SIGNED_ON.slice(5, 7),
	day_signed: SIGNED_ON.slice(8),
};

function signerValue(type: string, signer: Signer | undefined, witness: string): string {
	const name = signer === undefined ? witness : fullName(signer);
	const address = (signer?.address ?? {}) as Record<string, string>;
	const values: Record<string, string> = {
		...DATES,
		first_name: signer?.first_name ?? name.split(' ')[0],
		middle_name: signer?.middle_name ?? '',
		last_name: signer?.last_name ?? name.split(' ').slice(-1)[0],
		initials: initialsOf(name),
		checkmark: 'X',
		radio_checkmark: 'X',
		free_text: 'as agreed',
		signature_and_date: `${name} ${SIGNED_ON}`,
		dob: String(signer?.dob ?? '1980-05-17'),
		email: signer?.email ?? '',
		address_line1: address.line1 ?? '',
		address_line2: address.line2 ?? '',
		address_city: address.city ?? '',
		address_state: address.state ?? '',
		address_zip5: (address.postal ?? address.zip_code ?? '').slice(0, 5),
		representative_capacity_type: String(signer?.capacity ?? 'individual'),
	};
	return values[type] ?? name;
}

function notaryValue(type: string, { name, county, state, registration }: Notary): string {
	const values: Record<string, string> = {
		...DATES,
		initials: initialsOf(name),
		checkmark: 'X',
		disclosure: 'Completed by means of audio-video communication',
		notary_id: registration,
		commission_expiration_date: '2029-06-30',
		commission_state: state,
		commission_county: county,
		county,
		notary_city: 'Boston',
		principal_id_type: 'Driver license',
	};
	return values[type] ?? name;
}
