import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { operations } from '../../nodes/SignAndClose/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { ADD_DOCUMENT, CLOSING, completedClosing, createClosing, id, pdfItem } from '../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';

/**
 * The output schemas that the editor previews are what the operations really give. After a change of an output:
 * UPDATE_SCHEMAS=1 npm test -- schemas
 */

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'nodes', 'SignAndClose', '__schema__', 'v1.0.0');
const update = process.env.UPDATE_SCHEMAS === '1';
let sandbox: Sandbox;
let draft: string;
let completed: string;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
	draft = await createClosing(credentialFor(sandbox.url), { additionalFields: { paper_note_consent: true } });
	completed = await completedClosing(sandbox, credentialFor(sandbox.url));
});
afterAll(async () => await sandbox.close());

/** Parameters with which each operation gives a typical output; in the order in which the draft can take them. */
const RUNS: Record<string, () => Promise<{ parameters: IDataObject; items?: INodeExecutionData[] }> | { parameters: IDataObject; items?: INodeExecutionData[] }> = {
	'address/verify': () => ({ parameters: { transactionType: 'refinance', addressLine1: '1 Main St', addressLine2: '', addressCity: 'Boston', addressState: 'MA', addressZipCode: '02110' } }),
	'transaction/createClosing': () => ({ parameters: CLOSING }),
	'transaction/getAll': () => ({ parameters: { returnAll: false, limit: 1, filters: { transaction_status: 'completed' }, simplify: true } }),
	'transaction/get': () => ({ parameters: { transactionId: id(completed), simplify: true } }),
	'document/add': async () => ({ parameters: { ...ADD_DOCUMENT, transactionId: id(draft) }, items: [await pdfItem()] }),
	'enote/add': () => ({ parameters: { transactionId: id(draft), source: 'url', fileUrl: `${sandbox.url}/samples/enote.xml`, enoteType: 'ENOTE', borrowers: {} } }),
	'transaction/send': () => ({ parameters: { transactionId: id(draft), additionalFields: {}, simplify: true } }),
	'document/download': () => ({ parameters: { transactionId: id(completed), documentId: id(sandbox.world.transactions.get(completed)!.documents[0].id), binaryPropertyName: 'data' } }),
	'transaction/getAuditTrail': () => ({ parameters: { transactionId: id(completed), binaryPropertyName: 'data' } }),
	'notarizationRecord/get': () => ({ parameters: { recordId: id(recordId()), simplify: true } }),
	'notarizationRecord/downloadVideo': () => ({ parameters: { recordId: id(recordId()), binaryPropertyName: 'data' } }),
	'notarizationRecord/downloadIdentityImages': () => ({ parameters: { recordId: id(recordId()), binaryPropertyName: 'data' } }),
};

const recordId = () => sandbox.world.transactions.get(completed)!.recordId!;

test('every operation has a run here and a schema', () => {
	const names = operations.map(({ resource, value }) => `${resource}/${value}`).sort();
	expect(Object.keys(RUNS).sort()).toEqual(names);
	if (!update) expect(readdirSync(FOLDER, { recursive: true }).map(String).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)).sort()).toEqual(names);
});

test.each(Object.keys(RUNS))('%s gives what its schema says', async (name) => {
	const [resource, operation] = name.split('/');
	const { parameters, items } = await RUNS[name]();
	const outcome = await runNode({ credential: credentialFor(sandbox.url), parameters: { platform: 'realEstate', ...parameters, resource, operation }, items });
	expect(outcome.error).toBeUndefined();
	const schema = { ...schemaOf(outcome.items[0].json), version: 1 };
	const file = join(FOLDER, resource, `${operation}.json`);
	if (update) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
});

function schemaOf(value: unknown): object {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
	if (typeof value === 'object') return { type: 'object', properties: Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, schemaOf(entry)])) };
	return { type: Number.isInteger(value) ? 'integer' : typeof value };
}
