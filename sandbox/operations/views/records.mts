/** How notarization records look in answers (docs/service/notarization.md#notarization-record). */

import { createHash } from 'node:crypto';

import { documentView } from './documents.mts';
import { witnessesOf, type Witness } from '../../data/witnesses.mts';
import { videoUrl } from '../../domain/meetingVideo.mts';
import { isNotarized } from '../../domain/signingMethods.mts';
import type { LinkVersion } from '../../http/signedLinks.mts';
import type { Fields, NotarizationRecord, Platform, Signer, World } from '../../world/world.mts';

interface RecordViewOptions {
	/** Of the call: business lists acts, real estate whole documents. */
	platform: Platform;
	links?: LinkVersion;
}

const ADDRESS = {
	line1: '100 Harbor Street',
	line2: '',
	city: 'Boston',
	state: 'MA',
	postal: '02110',
	country: 'US',
};

export function recordView(
	world: World,
	record: NotarizationRecord,
	options: RecordViewOptions,
): Fields {
	const full = world.settings.profile === 'full';
	const transaction = world.transactions.get(record.transactionId)!;
	const identification = () => ({
		...pictureLinks(world, record, options.links),
		...(full && {
			primary_type: 'driver_license',
			primary_issuer: 'US',
			primary_expiry_date: '2029-05-17',
		}),
	});
	const people = transaction.signers.map(personView);
	return {
		id: record.id,
		meeting_start: record.start,
		meeting_end: record.end,
		notary_name: record.notary.name,
		notary_county_city: `${record.notary.county}, ${record.notary.state}`,
		notary_registration: record.notary.registration,
		signer_info: people[0],
		signers: people.map((person) => ({ ...person, ...identification() })),
		notarized_documents: notarizedDocuments(world, record, options),
		verification_credentials: credentialsView(record, transaction.signers[0]),
		signer_photo_identification: identification(),
		video_url: videoUrl(world, record),
		...(full && {
			cosigner_info: people[1] ?? null,
			witnesses: witnessesOf(transaction.documents).map((witness, index) =>
				witnessView(world, record, options.links, witness, index),
			),
			chat_url: null,
		}),
	};
}

function personView({ email, first_name, middle_name, last_name, dob }: Signer): Fields {
	return {
		email,
		first_name: first_name ?? '',
		middle_name: middle_name ?? null,
		last_name: last_name ?? '',
		dob: dob ?? '1980-05-17',
		address: ADDRESS,
	};
}

function pictureLinks(
	{ links }: World,
	{ id, pictures }: NotarizationRecord,
	version?: LinkVersion,
): Fields {
	return Object.fromEntries(
		Object.keys(pictures).map((kind) => [kind, links.sign(`picture/${id}/${kind}`, version)]),
	);
}

/** docs/service/notarization.md#notarized-documents */
function notarizedDocuments(
	world: World,
	{ transactionId }: NotarizationRecord,
	{ platform, links }: RecordViewOptions,
): Fields[] {
	const transaction = world.transactions.get(transactionId)!;
	const notarized = transaction.documents.filter(isNotarized);
	if (world.settings.profile === 'documented')
		return notarized.map(({ id, flags }, index) => ({
			tracking_id: Number(flags.tracking_id ?? index + 1),
			notarial_acts: ['acknowledgement'],
			document_url: world.links.sign(`final/${id}`, links),
		}));
	if (platform === 'realEstate')
		return notarized.map((document) =>
			documentView(world, transaction, document, { platform, links }),
		);
	// Live services misspell the acts with an o.
	return notarized.map(({ id, flags }) => ({
		document_url: world.links.sign(`final/${id}`, links),
		notorial_acts: ['acknowledgement'],
		tracking_id: flags.tracking_id ?? null,
	}));
}

/** What a third person needs to look the notarization up. It has no name for who gave none. */
function credentialsView({ id, end }: NotarizationRecord, { last_name }: Signer): Fields {
	const [year, month, day] = end.slice(0, 10).split('-').map(Number);
	const code = createHash('sha256').update(id).digest('hex').toUpperCase();
	return {
		retrieval_id: code.slice(0, 8),
		retrieval_pin: code.slice(8, 14),
		...(last_name !== undefined && { last_name }),
		date_completed: `${month}/${day}/${year}`,
	};
}

/** docs/service/notarization.md#witnesses */
function witnessView(
	world: World,
	record: NotarizationRecord,
	version: LinkVersion | undefined,
	{ name }: Witness,
	index: number,
): Fields {
	const [first_name, last_name] = name.split(' ');
	const { primary_front: url } = pictureLinks(world, record, version);
	return {
		first_name,
		middle_name: '',
		last_name,
		address: { ...ADDRESS, line1: `${index + 1} Witness Way` },
		credential_assets: [
			{ credential_type: 'primary', credential_images: [{ url, descriptor: 'front' }] },
		],
	};
}
