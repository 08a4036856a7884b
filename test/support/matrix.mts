import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';
import { ADD_DOCUMENT, CLOSING, completedClosing, createClosing, id, pdfItem } from './closing.mts';
import { credentialFor, runNode } from './engine.mts';

/**
 * What the matrix needs to know of an operation: how to get three items with different parameters, which request is the operation's own, and how
 * an item is broken. Everything else of the matrix is the same for all (test/contract/matrix.test.mts).
 */
export interface Scene {
	parameters: IDataObject;
	/** Three items whose parameters differ; expressions of `parameters` read them. */
	items: INodeExecutionData[];
	/** The method and path of the operation's own request. */
	request: { method: string; path: RegExp };
	/** What tells in an output item which input it came from: equal to `expected` of the same index, which is an array where an input gives several. */
	mark: (json: IDataObject) => unknown;
	expected: unknown[];
	/** What makes an item fail at the service or before. */
	broken: IDataObject;
	/** For operations that list: parameters that list everything, and the marks of at least five entries in order. */
	pages?: { parameters: IDataObject; expected: unknown[] };
}

export interface Fixture {
	/** Writes are counted: none may be made twice. */
	kind: 'read' | 'write';
	/** How many output items of the same mark an input item gives. */
	outputs?: number;
	/** Lists with limit and offset: two pages and more are tested. */
	lists?: true;
	/** Has a file in its output, in this field. */
	binary?: string;
	/** The documented interface has no such endpoint: the answer must say so plainly. */
	undocumented?: boolean;
	build(sandbox: Sandbox): Promise<Scene>;
}

const NAMES = ['First', 'Second', 'Third'];
const locator = (field: string) => id(`={{ $json.${field} }}`);
const credential = (sandbox: Sandbox) => credentialFor(sandbox.url);

async function each<T>(make: (name: string, index: number) => Promise<T>): Promise<T[]> {
	const made: T[] = [];
	for (const [index, name] of NAMES.entries()) made.push(await make(name, index));
	return made;
}

async function completed(sandbox: Sandbox): Promise<Array<{ transactionId: string; documentId: string; recordId: string }>> {
	return await each(async () => {
		const transactionId = await completedClosing(sandbox, credential(sandbox));
		const { documents, recordId } = sandbox.world.transactions.get(transactionId)!;
		return { transactionId, documentId: documents[0].id, recordId: recordId! };
	});
}

const PDF = { document: 'download', field: 'data' };

/** A read of something by its id. */
function byId(key: 'transactionId' | 'recordId', outputKey: string, parameters: IDataObject, request: Scene['request']) {
	return async (sandbox: Sandbox): Promise<Scene> => {
		const rows = await completed(sandbox);
		return {
			parameters: { platform: 'realEstate', binaryPropertyName: PDF.field, simplify: true, ...parameters, [key]: locator('id') },
			items: rows.map((row) => ({ json: { id: row[key] } })),
			request,
			mark: (json) => json[outputKey],
			expected: rows.map((row) => row[key]),
			broken: { id: 'unknown' },
		};
	};
}

const RETRIEVE = { method: 'GET', path: /\/transactions\/[^/]+$/ };
const RECORD = { method: 'GET', path: /\/notarization_records\/[^/]+$/ };

/** One entry an operation; a test fails when one is missing. */
export const FIXTURES: Record<string, Fixture> = {
	'address/verify': {
		kind: 'read',
		build: async () => ({
			parameters: { transactionType: 'refinance', addressLine1: '1 Main St', addressLine2: '', addressCity: '={{ $json.city }}', addressState: '={{ $json.state }}', addressZipCode: '01101' },
			items: ['Boston', 'Salem', 'Quincy'].map((city) => ({ json: { city, state: 'MA' } })),
			request: { method: 'GET', path: /verify_address$/ },
			mark: (json) => json.recording_jurisdiction_id,
			expected: ['rlboston', 'rlsalem', 'rlquincy'],
			broken: { state: 'Massachusetts' },
		}),
	},
	'transaction/createClosing': {
		kind: 'write',
		build: async () => ({
			parameters: { ...CLOSING, transactionName: '={{ $json.name }}', signerEmail: '={{ $json.email }}' },
			items: NAMES.map((name) => ({ json: { name, email: `${name}@example.com` } })),
			request: { method: 'POST', path: /\/transactions$/ },
			mark: (json) => json.transaction_name,
			expected: NAMES,
			broken: { email: 'x@gmial.com' },
		}),
	},
	'transaction/getAll': {
		kind: 'read',
		undocumented: true,
		lists: true,
		async build(sandbox) {
			for (const name of [...NAMES, 'Fourth', 'Fifth']) await createClosing(credential(sandbox), { transactionName: name, additionalFields: { loan_number: name } });
			const parameters = { platform: 'realEstate', returnAll: false, limit: '={{ $json.limit ?? 50 }}', filters: { loan_number: '={{ $json.name }}' }, simplify: true };
			return {
				parameters,
				items: NAMES.map((name) => ({ json: { name } })),
				request: { method: 'GET', path: /\/transactions$/ },
				mark: (json) => json.transaction_name,
				expected: NAMES,
				broken: { limit: 'some' },
				pages: { parameters: { ...parameters, filters: {} }, expected: ['Fifth', 'Fourth', 'Third', 'Second', 'First'] },
			};
		},
	},
	'transaction/get': { kind: 'read', build: byId('transactionId', 'transaction_id', {}, RETRIEVE) },
	'transaction/getAuditTrail': { kind: 'read', binary: 'data', build: byId('transactionId', 'transaction_id', {}, RETRIEVE) },
	'transaction/send': {
		kind: 'write',
		undocumented: true,
		async build(sandbox) {
			const ids = await each(async () => {
				const transactionId = await createClosing(credential(sandbox), { additionalFields: { paper_note_consent: true } });
				const added = await runNode({ credential: credential(sandbox), parameters: { ...ADD_DOCUMENT, transactionId: id(transactionId) }, items: [await pdfItem()] });
				if (added.error) throw added.error;
				return transactionId;
			});
			return {
				parameters: { platform: 'realEstate', transactionId: locator('id'), additionalFields: {}, simplify: true },
				items: ids.map((value) => ({ json: { id: value } })),
				request: { method: 'POST', path: /\/place_order$/ },
				mark: (json) => json.transaction_id,
				expected: ids,
				broken: { id: 'unknown' },
			};
		},
	},
	'document/add': {
		kind: 'write',
		async build(sandbox) {
			const transactionId = await createClosing(credential(sandbox));
			return {
				parameters: { ...ADD_DOCUMENT, transactionId: locator('id'), documentName: '={{ $json.name }}' },
				items: await each(async (name) => await pdfItem('deed-of-trust', 'a.pdf', { name, id: transactionId })),
				request: { method: 'POST', path: /\/documents$/ },
				mark: (json) => json.document_name,
				expected: NAMES,
				broken: { id: 'unknown' },
			};
		},
	},
	'document/download': {
		kind: 'read',
		binary: 'data',
		async build(sandbox) {
			const rows = await completed(sandbox);
			return {
				parameters: { platform: 'realEstate', transactionId: locator('transactionId'), documentId: locator('documentId'), binaryPropertyName: 'data' },
				items: rows.map((json) => ({ json })),
				request: RETRIEVE,
				mark: (json) => json.document_id,
				expected: rows.map(({ documentId }) => documentId),
				broken: { documentId: 'unknown' },
			};
		},
	},
	'enote/add': {
		kind: 'write',
		undocumented: true,
		async build(sandbox) {
			const ids = await each(async () => await createClosing(credential(sandbox)));
			return {
				parameters: { transactionId: locator('id'), source: 'url', fileUrl: `${sandbox.url}/samples/enote.xml`, enoteType: 'ENOTE', borrowers: {} },
				items: ids.map((value) => ({ json: { id: value } })),
				request: { method: 'POST', path: /\/enote$/ },
				mark: (json) => json.transaction_id,
				expected: ids,
				broken: { id: 'unknown' },
			};
		},
	},
	'notarizationRecord/get': { kind: 'read', build: byId('recordId', 'notarization_record_id', {}, RECORD) },
	'notarizationRecord/downloadVideo': { kind: 'read', binary: 'data', build: byId('recordId', 'notarization_record_id', {}, RECORD) },
	'notarizationRecord/downloadIdentityImages': { kind: 'read', outputs: 3, binary: 'data', build: byId('recordId', 'notarization_record_id', {}, RECORD) },
};
