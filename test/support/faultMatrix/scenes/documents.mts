import type { IDataObject } from 'n8n-workflow';

import { pdfItem } from '../../closing.mts';
import type { Platform } from '../../faultService/types.mts';
import {
	BOTH,
	chosen,
	each,
	eachOf,
	itemsOf,
	noEffects,
	numbered,
	type FaultScene,
	type Kind,
	type Wanted,
} from '../scene.mts';
import {
	makeCompleted,
	makeDraft,
	makeDraftWithDocument,
	makeEnote,
	SSN,
	type Made,
} from '../setup.mts';

/** The scenes of operations on documents, eNotes and notarization records. */

/** Something that is done with each of some documents. */
const eachDocument = (
	kind: Kind,
	make: Made,
	effect: ((index: number) => Wanted) | undefined,
	parameters: IDataObject = {},
): FaultScene =>
	eachOf(kind, BOTH, {
		make: async (service, platform, index) => ({
			...(await make(service, platform, index)),
			name: `Renamed ${index}`,
		}),
		parameters: (platform) => ({
			platform,
			transactionId: chosen('transactionId'),
			documentId: chosen('documentId'),
			...parameters,
		}),
		effects: (index) => (effect ? [effect(index)] : []),
	});

const BORROWERS = { row: [{ first_name: 'Ann', middle_name: '', last_name: 'Able', ssn: SSN }] };

/** Something that is done with the eNote of each of some closings. */
const eachEnote = (
	kind: Kind,
	effect: string,
	parameters: IDataObject,
	hasEnote: boolean,
): FaultScene => ({
	kind,
	platforms: ['realEstate'],
	async build(service, platform: Platform, count) {
		const made = await each(count, async (index) => {
			const id = await makeDraft(service, platform, index);
			if (hasEnote) await makeEnote(service, id);
			return { id };
		});
		return {
			parameters: { transactionId: chosen('id'), ...parameters },
			items: itemsOf(made),
			effects: made.map(({ id }) => [{ kind: effect, marker: id }]),
		};
	},
});

/** Something that is read of each of some notarization records. */
const eachRecord = (kind: Kind, parameters: IDataObject = {}): FaultScene =>
	eachOf(kind, BOTH, {
		make: makeCompleted,
		parameters: (platform) => ({
			platform,
			recordId: chosen('recordId'),
			...parameters,
		}),
	});

export const documentScenes: Record<string, FaultScene> = {
	'document/get': eachDocument('read', makeCompleted, undefined, { content: 'base64' }),
	'document/getAll': eachDocument('list', makeCompleted, undefined, { returnAll: true }),
	'document/download': eachDocument('download', makeCompleted, undefined, {
		binaryPropertyName: 'data',
	}),
	'document/download#uploaded': eachDocument('download', makeDraftWithDocument, undefined, {
		binaryPropertyName: 'data',
		version: 'current',
	}),
	'document/add': {
		kind: 'create',
		platforms: BOTH,
		async build(service, platform, count) {
			const id = await makeDraft(service, platform, 0);
			return {
				parameters: {
					platform,
					source: 'binary',
					binaryPropertyName: 'data',
					requirement: 'notarization',
					specifyDesignations: 'json',
					designationsJson: '[]',
					additionalFields: {},
					transactionId: chosen('id'),
					documentName: '={{ $json.name }}',
				},
				items: await each(
					count,
					async (index) =>
						await pdfItem('deed-of-trust', 'deed.pdf', { id, name: `Deed ${index}` }),
				),
				effects: Array.from({ length: count }, (_, index) => [
					{ kind: 'document.added', marker: `Deed ${index}` },
				]),
			};
		},
	},
	'document/update': eachDocument(
		'write',
		makeDraftWithDocument,
		(index) => ({ kind: 'document.updated', marker: `Renamed ${index}` }),
		{ updateFields: { name: '={{ $json.name }}' } },
	),
	// Nothing but the answer shows that it has begun.
	'document/import': eachOf('reminder', ['realEstate'], {
		make: async (service, platform, index) => ({
			id: await makeDraft(service, platform, index),
			code: `set-${index}`,
		}),
		parameters: () => ({
			transactionId: chosen('id'),
			documentCode: '={{ $json.code }}',
			externalSource: 'docmagic',
		}),
		effects: (index) => [{ kind: 'documents.imported', marker: `set-${index}` }],
	}),
	'document/delete': eachDocument('write', makeDraftWithDocument, (index) => ({
		kind: 'document.deleted',
		marker: `Lease ${index}`,
	})),
	'enote/add': eachEnote(
		'create',
		'enote.added',
		{
			source: 'url',
			fileUrl: 'https://example.com/note.xml',
			enoteType: 'ENOTE',
			borrowers: BORROWERS,
		},
		false,
	),
	'enote/delete': eachEnote('write', 'enote.deleted', {}, true),
	'notarizationRecord/get': eachRecord('read'),
	'notarizationRecord/getAll': {
		kind: 'list',
		platforms: ['business'],
		async build(service, platform, count) {
			await each(3, async (index) => await makeCompleted(service, platform, index));
			return {
				parameters: { returnAll: true },
				items: numbered(count),
				effects: noEffects(count),
			};
		},
	},
	'notarizationRecord/downloadVideo': eachRecord('download', { binaryPropertyName: 'data' }),
	'notarizationRecord/downloadIdentityImages': eachRecord('download', {
		binaryPropertyName: 'data',
	}),
};
