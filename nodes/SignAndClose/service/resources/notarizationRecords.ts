import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { unexpectedAnswer } from '../errors/refusal';
import { asObject, asObjects, asText } from '../values/json';

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
	const record = asObject(
		await service.json('getNotarizationRecord', { path: { recordId }, platform }),
	);
	if (asText(record.id) === undefined) throw unexpectedAnswer(200);
	return record;
}

/**
 * Returns ten fields of a record, without links and without what identifies the signer, except for
 * the e-mail address.
 */
export function simplifyRecord(record: IDataObject): IDataObject {
	const credentials = asObject(record.verification_credentials);
	return {
		notarization_record_id: record.id,
		meeting_start: record.meeting_start ?? null,
		meeting_end: record.meeting_end ?? null,
		notary_name: record.notary_name ?? null,
		notary_county_city: record.notary_county_city ?? null,
		notary_registration: record.notary_registration ?? null,
		signer_email: asObject(record.signer_info).email ?? null,
		notarized_documents: Array.isArray(record.notarized_documents)
			? record.notarized_documents.length
			: 0,
		retrieval_id: credentials.retrieval_id ?? null,
		has_video: asText(record.video_url) !== undefined,
	};
}

/** An image of an identification. */
interface IdentityImage {
	/** Number of the signer, from 1. */
	signer: number;
	side: 'primary_front' | 'primary_back' | 'secondary_front';
	link: string;
}

/**
 * Finds the identification images of all signers: in `signers`, or else in
 * `signer_photo_identification` (docs/service/notarization.md#identity-images).
 */
export function identityImages(record: IDataObject): IdentityImage[] {
	const found = imagesOf(asObjects(record.signers));
	return found.length > 0 ? found : imagesOf([asObject(record.signer_photo_identification)]);
}

function imagesOf(people: IDataObject[]): IdentityImage[] {
	return people.flatMap((person, index) =>
		(['primary_front', 'primary_back', 'secondary_front'] as const).flatMap(
			(side): IdentityImage[] => {
				const link = asText(person[side]);
				return link === undefined ? [] : [{ signer: index + 1, side, link }];
			},
		),
	);
}
