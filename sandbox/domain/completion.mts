import { filledDesignations, type Designation } from './designations.mts';
import { notaryOf } from '../data/notaries.mts';
import { isHybrid } from './outcome.mts';
import { finishPdf, linesPdf } from './pdf.mts';
import {
	move,
	type Document,
	type Notary,
	type Signer,
	type Transaction,
	type World,
} from '../state/world.mts';
import { witnessesOf, witnessOf } from '../data/witnesses.mts';

/**
 * Completion: the finished documents and the audit trail are made, then the world is told
 * (interface.md §3.3).
 */

const SIGNED_ON = '2026-01-02';
const UNTOUCHED = new Set(['readonly', 'non_essential']);

export async function finish(
	world: World,
	transaction: Transaction,
	status: 'completed' | 'completed_with_rejections',
	detailedStatus: string,
): Promise<void> {
	const notary = notaryOf(world, transaction);
	for (const document of transaction.documents) {
		document.state = 'done';
		document.final = await finalBytes(transaction, document, notary);
		document.updated = world.clock.stamp();
	}
	for (const signer of transaction.signers) signer.signing_status = 'complete';
	// Where the signer pays, completed comes before the documents may be downloaded (gaps.md §5).
	transaction.released = transaction.fields.payer !== 'signer';
	transaction.outcome = detailedStatus;
	const what = status === 'completed' ? 'all documents are finished' : 'ended with rejections';
	move(
		world,
		transaction,
		status,
		transaction.released ? detailedStatus : 'awaiting_payment',
		what,
	);
	transaction.auditTrail = await linesPdf('Audit trail', [
		`Transaction ${transaction.id}`,
		`Organization ${transaction.organization}`,
		'',
		...transaction.story,
	]);
	const signers = transaction.signers.map(({ email, first_name, last_name }) => ({
		email,
		first_name,
		last_name,
	}));
	world.emit(`transaction.${status}`, transaction, { signers });
	if (transaction.released) world.emit('transaction.released', transaction);
}

async function finalBytes(
	transaction: Transaction,
	document: Document,
	notary: Notary,
): Promise<Buffer> {
	const rejected = document.rejectionReason !== undefined;
	const notarized =
		!rejected &&
		(document.requirement === 'notarization' || document.flags.notarization_required === true);
	// Of a hybrid closing what is e-signed stays e-signed.
	const onPaper =
		transaction.onPaper === true && !(isHybrid(transaction) && document.requirement === 'esign');
	const witnesses = rejected ? [] : witnessesOf([document]);
	const by = transaction.signers.map(fullName).join(', ');
	const outcome = rejected
		? `Rejected: ${document.rejectionReason}`
		: UNTOUCHED.has(document.requirement)
			? `Read by ${by}`
			: `${onPaper ? 'Signed on paper by' : 'Signed by'} ${by}${notarized ? `, notarized by ${notary.name}` : ''}${witnesses.length > 0 ? `, witnessed by ${witnesses.map(({ name }) => name).join(', ')}` : ''}`;
	const signerOf = (designation: Designation) =>
		transaction.signers.find(({ external_id }) => external_id === designation.signer_identifier);
	const selected = transaction.signers.flatMap(
		({ id }) => transaction.identities.get(id)?.selected ?? [],
	);
	const told = transaction.signers.some(
		({ id }) => transaction.identities.get(id)?.selected !== undefined,
	);
	return await finishPdf(document.uploaded, {
		designations:
			rejected || onPaper
				? []
				: filledDesignations(document.designations, told ? selected : undefined),
		valueOf: (designation) =>
			designation.signer_identifier === 'notary'
				? notaryValue(designation.type, notary)
				: signerValue(
						designation.type,
						signerOf(designation),
						witnessOf(designation.signer_identifier).name,
					),
		footer: `${outcome} - transaction ${transaction.id}`,
		seal: notarized
			? `${notary.name}|NOTARY PUBLIC|${notary.county}|No. ${notary.registration}`
			: undefined,
	});
}

export function fullName({ first_name, middle_name, last_name, email }: Signer): string {
	return [first_name, middle_name, last_name].filter(Boolean).join(' ') || email;
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
