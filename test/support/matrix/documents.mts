import type { IDataObject } from 'n8n-workflow';

import { id } from '../closing.mts';
import type { draftClosing } from './scene.mts';
import { each, finishedClosing, ids, locator, type Fixture, type Scene } from './scene.mts';

/** Helpers for the fixtures of operations on documents, eNotes and notarization records. */

const DOCUMENT = {
	platform: 'realEstate',
	transactionId: locator('transactionId'),
	documentId: locator('documentId'),
};

/** The scene of something that is done with each of three documents. */
export function eachDocument(
	make: typeof draftClosing,
	request: Scene['request'],
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const rows = await each(async (name) => ({ ...(await make(sandbox)), name }));
		return {
			parameters: { ...DOCUMENT, ...parameters },
			items: rows.map((json) => ({ json })),
			request,
			mark: (json) => json.document_id,
			expected: rows.map(({ documentId }) => documentId),
			broken: { documentId: 'unknown' },
		};
	};
}

/** The scene of a read of each of three notarization records. */
export function eachRecord(
	request: Scene['request'],
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const made = await each(async () => (await finishedClosing(sandbox)).recordId);
		return {
			parameters: {
				platform: 'realEstate',
				...parameters,
				recordId: locator('id'),
			},
			items: ids(made),
			request,
			mark: (json) => json.notarization_record_id,
			expected: made,
			broken: { id: 'unknown' },
		};
	};
}

export const RECORD = { method: 'GET', path: /\/notarization_records\/[^/]+$/ };
/** The parameters that add an eNote to a closing. */
export const addEnote = (transactionId: string, fileUrl: string) => ({
	resource: 'enote',
	operation: 'add',
	transactionId: id(transactionId),
	source: 'url',
	fileUrl,
	enoteType: 'ENOTE',
	borrowers: {},
});
