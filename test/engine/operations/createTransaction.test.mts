import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { id } from '../../support/closing.mts';
import { storeFile } from '../../support/engine.mts';
import { attempt, BUSINESS, complaint, JANE, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Create, for business transactions. */

useSandbox();

describe('business transactions', () => {
	test('files of the item and a template in one request, sent at once', async () => {
		const [deed, letter] = [
			(await samplePdf('deed-of-trust'))!,
			(await samplePdf('closing-disclosure'))!,
		];
		const item = {
			json: {},
			binary: {
				deed: await storeFile(deed, 'Deed.pdf', 'application/pdf'),
				letter: await storeFile(letter, 'Letter.pdf', 'application/pdf'),
			},
		};
		const rows = [
			{ source: 'binary', binaryPropertyName: 'deed', requirement: 'notarization', name: '' },
			{
				source: 'binary',
				binaryPropertyName: 'letter',
				requirement: 'readonly',
				name: 'The letter',
			},
			{
				source: 'template',
				templateId: id('od_affidavit'),
				requirement: 'notarization',
				name: 'Affidavit',
			},
		];
		const { json } = await run(
			{ ...BUSINESS, draft: false, signers: { row: [JANE] }, documents: { row: rows } },
			{ items: [item] },
		);
		expect(json.detailed_status).toBe('sent_to_signer');
		const { documents } = transaction(json.transaction_id);
		expect(documents.map(({ name }) => name)).toEqual(['Deed', 'The letter', 'Affidavit']);
		expect(documents[0].uploaded.equals(deed) && documents[1].uploaded.equals(letter)).toBe(true);
	});
	test.each([
		['no signer', { signers: {} }, /'Signers' is empty.*Add at least one signer/],
		[
			'a signer without email',
			{ signers: { row: [JANE, { ...JANE, external_id: 's2', email: '' }] } },
			/'Signers, row 2: Email' is empty/,
		],
		[
			'one external ID twice',
			{ signers: { row: [JANE, { ...JANE, email: 'joe@example.com' }] } },
			/has the external ID 's1' twice/,
		],
		[
			'eleven signers',
			{
				signers: {
					row: Array.from({ length: 11 }, (_, index) => ({ email: `s${index}@example.com` })),
				},
			},
			/has 11 signers; the service accepts up to 10/,
		],
		[
			'SMS without a phone',
			{ signers: { row: [{ ...JANE, identityChecks: ['sms'] }] } },
			/'Signers, row 1: Phone' is empty.*SMS code/,
		],
		[
			'an invalid birthday',
			{ signers: { row: [{ ...JANE, details: { dob: '17.05.1980' } }] } },
			/Date of Birth' is '17.05.1980'.*1980-05-17/,
		],
		[
			'no document and no draft',
			{ signers: { row: [JANE] }, draft: false },
			/'Documents' is empty.*'Create as Draft'/,
		],
		[
			'a document that is not there',
			{
				signers: { row: [JANE] },
				documents: {
					row: [{ source: 'binary', binaryPropertyName: 'data', requirement: 'esign' }],
				},
			},
			/'Documents', row 1: 'Input Binary Field' is 'data'/,
		],
	])('%s is reported before anything is sent', async (_name, more, expected) => {
		const before = sandbox.requests.length;
		const { error } = await attempt({ ...BUSINESS, ...(more as IDataObject) });
		expect(`${error?.message}. ${error?.description}`).toMatch(expected);
		expect(sandbox.requests).toHaveLength(before);
	});
});

describe('organizations', () => {
	test("the credential's is sent on creation and used as a filter, the node's own wins", async () => {
		const branch = {
			credential: credential({ organizationId: 'or_harbor_branch' }),
		};
		const create = async (more: IDataObject = {}) =>
			(await run({ ...BUSINESS, signers: { row: [JANE] }, output: 'raw', ...more }, branch)).json;
		const own = await create();
		const overridden = await create({ additionalFields: { organization_id: 'or_harbor' } });
		expect([own.organization_id, overridden.organization_id]).toEqual([
			'or_harbor_branch',
			'or_harbor',
		]);
		const list = async (filters: IDataObject) =>
			(
				await run(
					{
						resource: 'transaction',
						operation: 'getAll',
						platform: 'business',
						returnAll: true,
						filters,
					},
					branch,
				)
			).items.map(({ json }) => json.transaction_id);
		expect(await list({})).toEqual([own.transaction_id]);
		expect(await list({ organization_id: 'or_harbor' })).toEqual(
			expect.arrayContaining([overridden.transaction_id]),
		);
	});
});

describe('Create as Draft', () => {
	test.each([
		['={{ $json.nothing }}', true],
		['', true],
		['TRUE', true],
		['1', true],
		['no', false],
		[false, false],
	])('"Create as Draft" %j is %s', async (draft, expected) => {
		const documents = {
			row: [
				{
					source: 'url',
					fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
					requirement: 'notarization',
				},
			],
		};
		const { json } = await run({ ...BUSINESS, documents, draft });
		expect(transaction(json.transaction_id).detailedStatus).toBe(
			expected ? 'draft' : 'sent_to_signer',
		);
	});
	test('a boolean that is neither true nor false is reported', async () => {
		expect(
			await complaint({
				...BUSINESS,
				draft: true,
				additionalFields: { suppress_email: 'perhaps' },
			}),
		).toMatch(/'Suppress Email' is 'perhaps', which isn't true or false/);
	});
});
