import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import { toRecord } from '../../transport/answers/shapes';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { pickFields, withId } from '../../form/output';

/* Retrieves and reads notarization records (docs/service/notarization.md#notarization-record). */

/**
 * Retrieves a notarization record with new links.
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveRecord(
	service: ServiceClient,
	recordId: string,
	platform: Platform,
): Promise<IDataObject> {
	const call = { path: { recordId }, platform };
	return withId(toRecord(await service.json('getNotarizationRecord', call)));
}

/** Returns a record, as it's answered or simplified. */
export function recordJson(params: Params, record: IDataObject): IDataObject {
	return params.getBoolean('simplify')
		? simplifyRecord(record)
		: { notarization_record_id: record.id, ...record };
}

const SIMPLE_FIELDS =
	'meeting_start meeting_end notary_name notary_county_city notary_registration'.split(' ');

/** What anyone needs to look the notarization up at the service. */
const CREDENTIALS = ['retrieval_id', 'retrieval_pin', 'last_name', 'date_completed'];

/**
 * Returns a record without links. Of what identifies the signer, it has the email address, and the
 * last name, which the service asks for with the retrieval ID and PIN.
 */
export function simplifyRecord(record: IDataObject): IDataObject {
	const credentials = asObject(record.verification_credentials);
	return {
		notarization_record_id: record.id,
		...pickFields(record, SIMPLE_FIELDS),
		signer_email: asObject(record.signer_info).email ?? asObjects(record.signers)[0]?.email ?? null,
		notarized_documents: Array.isArray(record.notarized_documents)
			? record.notarized_documents.length
			: 0,
		...pickFields(credentials, CREDENTIALS),
		has_video: asText(record.video_url) !== undefined,
	};
}

/** The sides that stand in a signer or in its identification. */
const SIDES = ['primary_front', 'primary_back', 'secondary_front', 'secondary_back', 'selfie'];

/**
 * Finds the identification images of all signers: in `signers`, or for those who have none there,
 * beside that list (docs/service/notarization.md#identity-images).
 * @returns the number of the signer, from 1, and what each shows, e.g. primary_front or selfie; the
 *   second of a kind ends in _2
 */
export function listIdentityImages(record: IDataObject) {
	const unlisted = [
		{ ...asObject(record.signer_info), identification: record.signer_photo_identification },
		asObject(record.cosigner_info),
	];
	const signers = asObjects(record.signers);
	const people = Array.from({ length: Math.max(signers.length, unlisted.length) }, (_, index) => {
		const images = readImages(signers[index] ?? {});
		return images.size > 0 ? images : readImages(unlisted[index] ?? {});
	});
	return people.flatMap((images, index) =>
		[...images].map(([side, link]) => ({ signer: index + 1, side, link })),
	);
}

/**
 * The links to the images of one person, by their sides. They stand in the person, in its
 * identification, or in its credential assets (docs/service/signers.md#credential-assets).
 */
function readImages(person: IDataObject): Map<string, string> {
	const links = new Map<string, string>();
	for (const side of SIDES) {
		const link = asText(person[side]) ?? asText(asObject(person.identification)[side]);
		if (link !== undefined) links.set(side, link);
	}
	const sides = new Set(links.keys());
	for (const { credential_type: type, credential_images: images } of asObjects(
		person.credential_assets,
	))
		for (const { url, descriptor } of asObjects(images)) {
			const link = asText(url);
			const kind = asText(type) ?? 'identification';
			const side = asText(descriptor) === undefined ? kind : `${kind}_${asText(descriptor)}`;
			if (link !== undefined && !sides.has(side)) links.set(buildUnusedName(side, links), link);
		}
	return links;
}

function buildUnusedName(side: string, used: ReadonlyMap<string, string>): string {
	let name = side;
	for (let number = 2; used.has(name); number++) name = `${side}_${number}`;
	return name;
}
