/** Importing documents of an outside generator (docs/service/documents.md#external-documents). */

import { expect, test } from '@jest/globals';

import { IMPORT_MS } from '../../../../sandbox/world/config.mts';
import { newClosing, newDraft } from '../../support/client.mts';
import { client, receiver, sandbox, useReceiver } from '../../support/useSandbox.mts';

useReceiver({}, ['transaction.import.processed', 'transaction.import.failed']);

const BODY = { document_code: 'DM-1001', external_source: 'docmagic' };

test('an import answers that it is processing, without an id; the document and an event follow', async () => {
	const id = await newClosing(client);
	const path = `/mortgage/v2/transactions/${id}/documents/external`;
	expect(await client.ok('POST', path, BODY)).toEqual({ response: 'processing' });
	const names = () => sandbox.world.transactions.get(id)!.documents.map(({ name }) => name);
	expect(names()).not.toContain('Closing Disclosure (imported)');
	await sandbox.clock.advance(IMPORT_MS);
	expect(names()).toContain('Closing Disclosure (imported)');
	expect(receiver.received.at(-1)).toMatchObject({
		event: 'transaction.import.processed',
		data: { transaction_id: id },
	});
});

test('while a job of the transaction exists, another one is refused', async () => {
	const id = await newClosing(client);
	const path = `/mortgage/v2/transactions/${id}/documents/external`;
	await client.ok('POST', path, BODY);
	expect(await client.refused('POST', path, BODY)).toEqual([
		400,
		'Mortgage::ExternalDocumentService::JobExists',
	]);
	await sandbox.clock.advance(IMPORT_MS);
	await client.ok('POST', path, BODY);
});

test('an import that fails is told by an event and brings no document', async () => {
	const id = await newClosing(client);
	const before = sandbox.world.transactions.get(id)!.documents.length;
	await client.ok('POST', `/mortgage/v2/transactions/${id}/documents/external`, BODY);
	await sandbox.act.failImport(id);
	await sandbox.clock.advance(IMPORT_MS);
	expect(receiver.received.filter(({ data }) => data.transaction_id === id)).toMatchObject([
		{ event: 'transaction.import.failed' },
	]);
	expect(sandbox.world.transactions.get(id)!.documents).toHaveLength(before);
});

test('only of real estate, and only from a known generator', async () => {
	const draft = await newDraft(client);
	const refused = async (id: string, body: object) =>
		(await client.refused('POST', `/mortgage/v2/transactions/${id}/documents/external`, body))[0];
	expect(await refused(draft, BODY)).toBe(404);
	const id = await newClosing(client);
	expect(await refused(id, { ...BODY, external_source: 'paper' })).toBe(422);
	expect(await refused(id, { external_source: 'docmagic' })).toBe(422);
});
