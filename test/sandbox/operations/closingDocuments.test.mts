/**
 * What only closings have: the eNote (docs/service/closings.md#enote) and documents of an outside
 * generator (docs/service/documents.md#external-documents).
 */

import { IMPORT_MS } from '../../../sandbox/world/config.mts';
import { addDocument, base64, newClosing, newDraft, R, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox, withSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('eNote', () => {
	const NOTE = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><DATA/></SMART_DOCUMENT>';
	const ENOTE = { file: base64(NOTE), type: 'ENOTE' };
	const CONTAINER = {
		document_id: 'vault-1',
		transaction_id: 'vault-2',
		transaction_name: 'Refinance of Jane Borrower',
	};
	const pathOf = async (closing: object = {}) => `${R}/${await newClosing(client, closing)}/enote`;
	const add = async (body: object) => await client.call('POST', await pathOf(), body);
	const sample = (name: string) => `${sandbox.url}/samples/${name}`;

	const withFile = (text: string, type: string) => ({ file: base64(text), type });
	const without = (name: string) => ({ ...CONTAINER, [name]: undefined });
	const vault = { type: 'EORIGINAL_CONTAINER' };
	const docutech = { integration: 'DOCUTECH' };
	test.each<[string, () => object, number]>([
		['a SMART document of version 1.02', () => ENOTE, 200],
		['a SMART document at a URL', () => ({ ...ENOTE, file: sample('enote.xml') }), 200],
		['a seed', () => withFile('<seed/>', 'SCHEMA'), 200],
		['what is no XML', () => withFile('no xml', 'SCHEMA'), 422],
		['tags that cross', () => withFile('<a><b></a></b>', 'SCHEMA'), 422],
		['a tag that does not end', () => withFile('<a>', 'SCHEMA'), 422],
		['two roots', () => withFile('<a/><b/>', 'SCHEMA'), 422],
		['XML that is no SMART document', () => withFile('<note/>', 'ENOTE'), 422],
		['a type without a file', () => ({ type: 'ENOTE' }), 422],
		['a file without a type', () => ({ file: sample('deed-of-trust.pdf') }), 422],
		['a copy from an outside vault', () => ({ ...vault, container: CONTAINER }), 200],
		['a copy without its container', () => vault, 422],
		...Object.keys(CONTAINER).map((name): [string, () => object, number] => [
			`a container without ${name}`,
			() => ({ ...vault, container: without(name) }),
			422,
		]),
		[
			'an integration, whose file is the URL of a PDF',
			() => ({ ...docutech, file: sample('deed-of-trust.pdf') }),
			200,
		],
		['an integration with base64', () => ({ ...docutech, file: ENOTE.file }), 422],
		['an integration with XML', () => ({ ...docutech, file: sample('enote.xml') }), 422],
		[
			'an integration with a type',
			() => ({ ...docutech, ...ENOTE, file: sample('deed-of-trust.pdf') }),
			422,
		],
		['borrowers that are no list', () => ({ ...ENOTE, borrowers: { first_name: 'Jane' } }), 400],
	])('%s: %#', async (_name, body, status) => {
		expect((await add(body())).status).toBe(status);
	});
	test('not in hybrid closings (403), on paper (422), on business (404), by a title agency (403)', async () => {
		for (const [transaction_type, status, text] of [
			['hybrid_refinance', 403, 'Cannot add enotes to hybrid transactions.'],
			['wet_sign', 422, 'Cannot add enotes to wet sign transactions.'],
		] as const)
			await client.refuses('POST', await pathOf({ transaction_type }), ENOTE, status, text);
		await client.refuses('POST', `${R}/${await newDraft(client)}/enote`, ENOTE, 404);
		await withSandbox({ account: 'title' }, async (agency) => {
			const path = `${R}/${await newClosing(agency)}/enote`;
			const text = 'Only a lender account may add an eNote';
			await agency.refuses('POST', path, ENOTE, 403, text);
		});
	});
	test('only once, only in a draft; it can be deleted', async () => {
		const id = await newClosing(client);
		const path = `${R}/${id}/enote`;
		await client.ok('POST', path, ENOTE);
		await client.refuses('POST', path, ENOTE, 422);
		expect(await client.ok('DELETE', path)).toEqual({ message: 'Deleted enote successfully' });
		await client.refuses('DELETE', path, undefined, 404);
		await client.ok('POST', path, ENOTE);
		await addDocument(client, id);
		await client.ok('POST', `${R}/${id}/place_order`);
		const text = 'Transaction cannot be modified from sent state';
		await client.refuses('POST', path, ENOTE, 422, text);
		await client.refuses('DELETE', path, undefined, 422, text);
	});
	test('a social security number is not in the request log', async () => {
		const borrowers = [{ first_name: 'J', last_name: 'B', ssn: '078-05-1120' }];
		await add({ ...ENOTE, borrowers });
		expect(JSON.stringify(sandbox.requests.at(-1))).toMatch(/\[secret\]/);
		expect(JSON.stringify(sandbox.requests)).not.toContain('078-05-1120');
	});
	test.each([
		['refinance', 422, 'eNote Required'],
		['purchase_buyer_loan', 422, 'eNote Required'],
		['purchase_seller', 200, ''],
	])('%s needs one when it is sent: %i', async (transaction_type, status, text) => {
		const id = await newClosing(client, { transaction_type, paper_note_consent: undefined });
		await addDocument(client, id);
		if (status === 200) await client.ok('POST', `${R}/${id}/place_order`);
		else await client.refuses('POST', `${R}/${id}/place_order`, undefined, status, text);
	});
});

describe('documents of an outside generator', () => {
	const BODY = { document_code: 'DM-1001', external_source: 'docmagic' };
	const EVENTS = ['transaction.import.processed', 'transaction.import.failed'];
	const pathOf = (id: string) => `/mortgage/v2/transactions/${id}/documents/external`;
	const namesOf = (id: string) => client.stored(id).documents.map(({ name }) => name);
	const NAME = 'Closing Disclosure (imported)';
	test('an import answers that it is processing, without an id; the document and an event follow', async () => {
		const receiver = await Receiver.on(client, EVENTS);
		const id = await newClosing(client);
		expect(await client.ok('POST', pathOf(id), BODY)).toEqual({ response: 'processing' });
		// While a job of the transaction exists, another one is refused.
		const text = 'Mortgage::ExternalDocumentService::JobExists';
		await client.refuses('POST', pathOf(id), BODY, 400, text);
		expect(namesOf(id)).not.toContain(NAME);
		await sandbox.clock.advance(IMPORT_MS);
		expect(namesOf(id)).toContain(NAME);
		expect(await receiver.all()).toMatchObject([
			{ event: EVENTS[0], data: { transaction_id: id } },
		]);
		await client.ok('POST', pathOf(id), BODY);
	});
	test('only of real estate, and only from a known generator', async () => {
		await client.refuses('POST', pathOf(await newDraft(client)), BODY, 404);
		const path = pathOf(await newClosing(client));
		await client.refuses('POST', path, { ...BODY, external_source: 'paper' }, 422);
		await client.refuses('POST', path, { external_source: 'docmagic' }, 422);
	});
});
