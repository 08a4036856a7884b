import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	borrowers,
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	id,
	pdfItem,
} from '../support/closing.mts';
import { credentialFor, runNode, storeFile, useBinaryMode } from '../support/engine.mts';

/**
 * Bad input: each ends in a sentence that names the parameter and the remedy, before anything is
 * sent where that is possible.
 */

let sandbox: Sandbox;
let transactionId: string;
const credential = () => credentialFor(sandbox.url);
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
	transactionId = await createClosing(credential());
});
beforeEach(() => {
	sandbox.requests.length = 0;
});
afterAll(async () => await sandbox.close());

/** Runs an operation that has to fail, and gives what the person reads. */
async function complaint(
	parameters: IDataObject,
	items: INodeExecutionData[] = [{ json: {} }],
): Promise<string> {
	const { error } = await runNode({ credential: credential(), parameters, items });
	return `${error?.message}. ${error?.description ?? ''}`;
}

const get = (value: unknown) => ({
	resource: 'transaction',
	operation: 'get',
	platform: 'realEstate',
	transactionId: { __rl: true, mode: 'id', value },
});
const add = (more: IDataObject) => ({ ...ADD_DOCUMENT, transactionId: id(transactionId), ...more });

describe('the credential', () => {
	const cases: Array<[string, IDataObject, RegExp]> = [
		['an empty base URL', { baseUrl: '' }, /'Base URL'.*empty/],
		[
			'a base URL without scheme',
			{ baseUrl: 'api.example.com' },
			/'Base URL' isn't a complete address.*https:\/\//,
		],
		[
			'plain http to another machine',
			{ baseUrl: 'http://api.example.com' },
			/must start with https/,
		],
		[
			'a base URL with a query',
			{ baseUrl: 'https://api.example.com/?a=1' },
			/must end after the host or path/,
		],
		['an empty key', { apiKey: ' ' }, /'API Key' is empty/],
	];
	test.each(cases)('%s is told before anything is sent', async (_name, more, expected) => {
		const { error } = await runNode({
			credential: { ...credential(), ...more } as never,
			parameters: CLOSING,
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(expected);
		expect(sandbox.requests).toEqual([]);
	});

	test('a wrong key', async () => {
		const { error } = await runNode({
			credential: { ...credential(), apiKey: 'wrong-key-value' },
			parameters: CLOSING,
		});
		expect(error?.message).toBe("The service didn't accept the API key");
		expect(error?.description).toMatch(/'API Key'/);
		expect(error?.httpCode).toBe('401');
	});

	test('a key that may only create', async () => {
		const { error } = await runNode({
			credential: { ...credential(), apiKey: sandbox.keys.clientOnly },
			parameters: get(transactionId),
		});
		expect(error?.description).toMatch(/full-access key/);
	});

	test('an address where something else listens', async () => {
		const { error } = await runNode({
			credential: { ...credential(), baseUrl: `${sandbox.url}/console` },
			parameters: CLOSING,
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/'Base URL'/);
	});

	test('an unreachable service, after five tries for a read', async () => {
		const closed = await startSandbox();
		await closed.close();
		const { error } = await runNode({
			credential: credentialFor(closed.url),
			parameters: get('ot_1'),
		});
		expect(error?.message).toBe('The service refused the connection');
		expect(error?.description).toMatch(/'Base URL'.*Tried 5 times/);
	}, 30_000);
});

describe('ids', () => {
	test('an unknown one is reported with its parameter and the remedy', async () => {
		expect(await complaint(get('ot_unknown'))).toMatch(
			/'Transaction' ot_unknown was not found.*'Platform'/,
		);
	});
	test.each([
		['nothing', '={{ $json.nothing }}'],
		['an empty text', '={{ "" }}'],
		['the text undefined', '={{ "undefined" }}'],
		['null', '={{ null }}'],
	])('an expression that gives %s', async (_name, value) => {
		expect(await complaint(get(value), [{ json: {} }, { json: {} }])).toMatch(
			/'Transaction' is empty \(item 1 of 2\).*expression/,
		);
		expect(sandbox.requests).toEqual([]);
	});
	test.each(['..', '.', '../webhooks', 'a/b?c=d#e', '%2e%2e'])(
		'%s can not climb out of its place in the path',
		async (value) => {
			const text = await complaint(get(value));
			expect(text).toMatch(/'Transaction'/);
			for (const { path } of sandbox.requests)
				expect(path).toMatch(/^(\/mortgage\/v1)?\/transactions\/[^/]+$/);
		},
	);
});

describe('files', () => {
	test('no file in the field, and none at all', async () => {
		expect(await complaint(add({}), [{ json: {} }])).toMatch(
			/'Input Binary Field' is 'data', but the item has no such file.*Add a node before this one/,
		);
		const item = await pdfItem();
		expect(await complaint(add({ binaryPropertyName: 'other' }), [item])).toMatch(
			/'Input Binary Field' is 'other'.*one of the item's files: data/,
		);
	});
	test('not a PDF', async () => {
		const data = await storeFile(
			Buffer.from('PK\x03\x04 word document'),
			'deed.docx',
			'application/msword',
		);
		expect(await complaint(add({}), [{ json: {}, binary: { data } }])).toMatch(
			/'Input Binary Field' isn't a valid PDF.*Convert/,
		);
	});
	test('an empty file', async () => {
		const data = await storeFile(Buffer.alloc(0), 'empty.pdf', 'application/pdf');
		expect(await complaint(add({}), [{ json: {}, binary: { data } }])).toMatch(/is an empty file/);
	});
	const pdfOf = (megabytes: number) =>
		Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(megabytes * 1024 * 1024)]);
	test('over 50 MB, which no service accepts', async () => {
		const data = await storeFile(pdfOf(50), 'big.pdf', 'application/pdf');
		expect(await complaint(add({}), [{ json: {}, binary: { data } }])).toMatch(
			/50\.0 MB, more than the 50 MB that a service accepts.*Split/,
		);
	});
	test('an address that is none, and base64 that is none', async () => {
		expect(await complaint(add({ source: 'url', fileUrl: 'files/deed.pdf' }))).toMatch(
			/'File URL' isn't a complete address/,
		);
		expect(await complaint(add({ source: 'base64', fileBase64: 'hello, world!' }))).toMatch(
			/'File Content \(Base64\)' isn't base64/,
		);
		expect(
			await complaint(
				add({ source: 'base64', fileBase64: Buffer.from('plain').toString('base64') }),
			),
		).toMatch(/isn't a valid PDF/);
	});
	test('an empty eNote, and one that is no XML', async () => {
		const enote = {
			resource: 'enote',
			operation: 'add',
			transactionId: id(transactionId),
			source: 'base64',
			fileBase64: '={{ "" }}',
			enoteType: 'ENOTE',
			borrowers: {},
		};
		expect(await complaint(enote)).toMatch(/'File Content \(Base64\)' is empty/);
		expect(
			await complaint({ ...enote, fileBase64: Buffer.from('{"json": true}').toString('base64') }),
		).toMatch(/isn't a valid XML file/);
	});
	expectNothingSent();
});

test('between 30 and 50 MB the service judges', async () => {
	const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(31 * 1024 * 1024)]);
	const data = await storeFile(bytes, 'big.pdf', 'application/pdf');
	const refusal = { errors: ['File is too big (max is 30MB)'] };
	sandbox.faults.add({ method: 'POST', path: /documents$/, status: 422, body: refusal });
	expect(await complaint(add({}), [{ json: {}, binary: { data } }])).toMatch(
		/File is too big.*Split the file/,
	);
	const writes = sandbox.requests.filter(({ method }) => method !== 'GET');
	expect(writes.map(({ method }) => method)).toEqual(['POST']);
});

describe('designations', () => {
	const good = {
		signer_identifier: 'borrower-1',
		type: 'signature',
		page_number: 0,
		x: 1,
		y: 1,
		width: 10,
		height: 10,
	};
	const cases: Array<[string, unknown, RegExp]> = [
		['no JSON', '[{', /'Designations \(JSON\)' isn't valid JSON/],
		['an object', '{}', /must be a JSON array/],
		['a text among them', '["signature"]', /designation 1: must be an object/],
		[
			'no signer',
			JSON.stringify([good, { ...good, signer_identifier: '' }]),
			/designation 2: "signer_identifier" is missing/,
		],
		[
			'no page',
			JSON.stringify([{ ...good, page_number: undefined }]),
			/"page_number" is missing.*first page is 0/,
		],
		['a word for a number', JSON.stringify([{ ...good, x: 'left' }]), /"x" is not a number/],
		[
			'a condition without trigger',
			JSON.stringify([{ ...good, conditional_on_primary: 'box' }]),
			/primary_designation_identifier 'box'/,
		],
	];
	test.each(cases)('%s', async (_name, value, expected) => {
		expect(
			await complaint(
				add({
					source: 'url',
					fileUrl: 'https://files.example.com/a.pdf',
					designationsJson: value as string,
				}),
			),
		).toMatch(expected);
	});
	expectNothingSent();
});

test('a closing: state, email, JSON and phone are checked before anything is sent', async () => {
	expect(await complaint({ ...CLOSING, addressState: 'Bay State' })).toMatch(
		/'State' is 'Bay State'.*two-letter/,
	);
	expect(
		await complaint({ ...CLOSING, signers: borrowers({ email: '={{ $json.email }}' }) }),
	).toMatch(/'Signers, row 1: Email' is empty/);
	expect(await complaint({ ...CLOSING, additionalFields: { additionalJson: '[1]' } })).toMatch(
		/'Additional Fields \(JSON\)' is not a JSON object/,
	);
	expect(
		await complaint({
			...CLOSING,
			signers: borrowers({ identityChecks: ['sms'], phone_number: '' }),
		}),
	).toMatch(/'Signers, row 1: Phone' is empty/);
	expect(sandbox.requests).toEqual([]);
});

/** In the tests of this group, the service is not asked. */
function expectNothingSent(): void {
	afterEach(() => expect(sandbox.requests).toEqual([]));
}
