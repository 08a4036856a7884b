import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../closing.mts';
import {
	credential,
	done,
	draftClosing,
	each,
	finishedClosing,
	ids,
	LIMITED,
	LIMITS,
	limited,
	locator,
	NAMES,
	type Fixture,
	type Scene,
} from './scene.mts';

const RETRIEVE = { method: 'GET', path: /\/transactions\/[^/]+$/ };
const DOCUMENT = {
	platform: 'realEstate',
	simplify: true,
	transactionId: locator('transactionId'),
	documentId: locator('documentId'),
};

/** Something with each of three documents. */
function toDocuments(
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

/** A read of each of three notarization records. */
function toRecords(request: Scene['request'], parameters: IDataObject = {}): Fixture['build'] {
	return async (sandbox) => {
		const made = await each(async () => (await finishedClosing(sandbox)).recordId);
		return {
			parameters: {
				platform: 'realEstate',
				simplify: true,
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

const RECORD = { method: 'GET', path: /\/notarization_records\/[^/]+$/ };
const addEnote = (transactionId: string, fileUrl: string) => ({
	resource: 'enote',
	operation: 'add',
	transactionId: id(transactionId),
	source: 'url',
	fileUrl,
	enoteType: 'ENOTE',
	borrowers: {},
});

export const DOCUMENTS: Record<string, Fixture> = {
	'document/add': {
		kind: 'write',
		async build(sandbox) {
			const transactionId = await createClosing(credential(sandbox));
			return {
				parameters: {
					...ADD_DOCUMENT,
					transactionId: locator('id'),
					documentName: '={{ $json.name }}',
				},
				items: await each(
					async (name) => await pdfItem('deed-of-trust', 'a.pdf', { name, id: transactionId }),
				),
				request: { method: 'POST', path: /\/documents$/ },
				mark: (json) => json.document_name,
				expected: NAMES,
				broken: { id: 'unknown' },
			};
		},
	},
	'document/get': {
		kind: 'read',
		build: toDocuments(finishedClosing, { method: 'GET', path: /\/documents\/[^/]+$/ }),
	},
	'document/getAll': {
		kind: 'read',
		async build(sandbox) {
			const made = await each(async () => (await finishedClosing(sandbox)).transactionId);
			return {
				parameters: {
					platform: 'realEstate',
					simplify: true,
					returnAll: true,
					transactionId: locator('id'),
				},
				items: ids(made),
				request: RETRIEVE,
				mark: (json) => json.transaction_id,
				expected: made,
				broken: { id: 'unknown' },
			};
		},
	},
	'document/download': {
		kind: 'read',
		binary: 'data',
		build: toDocuments(finishedClosing, RETRIEVE, { binaryPropertyName: 'data' }),
	},
	'document/update': {
		kind: 'write',
		undocumented: true,
		build: toDocuments(
			draftClosing,
			{ method: 'PATCH', path: /\/documents\/[^/]+$/ },
			{ updateFields: { name: '={{ $json.name }}' } },
		),
	},
	'document/delete': {
		kind: 'write',
		undocumented: true,
		build: toDocuments(draftClosing, { method: 'DELETE', path: /\/documents\/[^/]+$/ }),
	},
	'enote/add': {
		kind: 'write',
		undocumented: true,
		async build(sandbox) {
			const made = await each(async () => await createClosing(credential(sandbox)));
			return {
				parameters: {
					...addEnote('', `${sandbox.url}/samples/enote.xml`),
					transactionId: locator('id'),
				},
				items: ids(made),
				request: { method: 'POST', path: /\/enote$/ },
				mark: (json) => json.transaction_id,
				expected: made,
				broken: { id: 'unknown' },
			};
		},
	},
	'enote/delete': {
		kind: 'write',
		undocumented: true,
		async build(sandbox) {
			const made = await each(async () => {
				const transactionId = await createClosing(credential(sandbox));
				await done(sandbox, addEnote(transactionId, `${sandbox.url}/samples/enote.xml`));
				return transactionId;
			});
			return {
				parameters: { transactionId: locator('id') },
				items: ids(made),
				request: { method: 'DELETE', path: /\/enote$/ },
				mark: (json) => json.transaction_id,
				expected: made,
				broken: { id: 'unknown' },
			};
		},
	},
	'notarizationRecord/get': { kind: 'read', build: toRecords(RECORD) },
	'notarizationRecord/getAll': {
		kind: 'read',
		undocumented: true,
		lists: true,
		async build(sandbox) {
			const made: string[] = [];
			for (let count = 0; count < 5; count++)
				made.unshift((await finishedClosing(sandbox)).recordId);
			return {
				parameters: { ...LIMITED, simplify: true },
				items: LIMITS.map((limit) => ({ json: { limit } })),
				request: { method: 'GET', path: /\/notarization_records$/ },
				mark: (json) => json.notarization_record_id,
				expected: limited(made),
				broken: { limit: 'some' },
				pages: { parameters: { simplify: true }, expected: made },
			};
		},
	},
	'notarizationRecord/downloadVideo': {
		kind: 'read',
		binary: 'data',
		build: toRecords(RECORD, { binaryPropertyName: 'data' }),
	},
	'notarizationRecord/downloadIdentityImages': {
		kind: 'read',
		outputs: 3,
		binary: 'data',
		build: toRecords(RECORD, { binaryPropertyName: 'data' }),
	},
};
