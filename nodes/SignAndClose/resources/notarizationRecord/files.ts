import type { IDataObject } from 'n8n-workflow';

import type { Words } from '../../messages/failures';
import type { OperationCall, OperationResult } from '../../run/operation';
import { findFiles, type LinkedFile } from '../../transport/fileDownload/linkedFiles';
import { asObjects, asText } from '../../values/json';
import { readFinalLink } from '../document/api';
import { parsePlatform } from '../../form/commonFields';
import { pickFields, toOutputValue } from '../../form/output';
import { listIdentityImages, retrieveRecord } from './api';

/* The files of a notarization record, behind its temporary links. */

/** A file of a record, and what outputs say about it. */
export interface RecordFile extends LinkedFile {
	output: IDataObject;
}

/**
 * The documents that were notarized (docs/service/notarization.md#notarized-documents). Where no ID
 * is shown, nothing but their tracking IDs or their places tell them apart.
 */
export function listNotarizedFiles(record: IDataObject): RecordFile[] {
	const recordId = String(record.id);
	return asObjects(record.notarized_documents).map((document, index) => {
		const { id, tracking_id: tracking, document_name: name, document_url: link } = document;
		const place = `${recordId} document ${index + 1}`;
		const tracked = toOutputValue(tracking) === null ? place : `${recordId} ${String(tracking)}`;
		return {
			kind: 'notarized_document',
			id: toOutputValue(id) === null ? tracked : String(id),
			name: asText(name) ?? place,
			mimeType: 'application/pdf',
			// Real estate shows it as a whole document.
			link: () => asText(link) ?? readFinalLink(document),
			output: {
				document_id: id ?? null,
				...pickFields(document, ['document_name', 'tracking_id']),
				// Both spellings are in use.
				notarial_acts: document.notarial_acts ?? document.notorial_acts ?? null,
			},
		};
	});
}

/** The identification images of each signer (docs/service/notarization.md#identity-images). */
export function listImageFiles(record: IDataObject): RecordFile[] {
	return listIdentityImages(record).map(({ signer, side, link }) => {
		const name = `${String(record.id)} signer ${signer} ${side.replaceAll('_', ' ')}`;
		return {
			kind: 'identity_image',
			id: name,
			name,
			mimeType: 'image/png',
			link: () => link,
			output: { signer, side },
		};
	});
}

/**
 * The recording of the meeting. Its link is usually on the service's own host, where it needs the API
 * key (docs/service/notarization.md#meeting-video).
 */
export function getRecordingFile(record: IDataObject): RecordFile {
	const id = String(record.id);
	return {
		kind: 'recording',
		id,
		name: `Notarization ${id}`,
		mimeType: 'video/mp4',
		link: () => asText(record.video_url),
		output: {},
	};
}

/**
 * Downloads files of the record of an item.
 * @returns a result for each file that there is, and how many the record lists
 */
export async function downloadRecordFiles(
	{ context, service, params }: OperationCall,
	list: (record: IDataObject) => RecordFile[],
): Promise<{ results: OperationResult[]; count: number }> {
	const recordId = params.getRequiredLocator('recordId');
	const field = params.getRequired('binaryPropertyName');
	const files = await findFiles(service, async () =>
		list(await retrieveRecord(service, recordId, parsePlatform(params))),
	);
	const downloads = await files.downloadAll(context);
	const results = downloads.map(({ file, binary, facts }) => ({
		json: { notarization_record_id: recordId, ...file.output, ...facts },
		binary: { [field]: binary },
	}));
	return { results, count: files.list.length };
}

/** Why there's no recording yet, and what to do. */
export const RECORDING_LATE: Words = [
	"The recording isn't ready yet",
	"It can take a while after the meeting. The event 'Recording Ready' of the 'Sign and Close Trigger' tells when",
];
