import type { IDataObject } from 'n8n-workflow';

import { CLOSING, createClosing, id } from '../closing.mts';
import {
	credential,
	draftClosing,
	each,
	finishedClosing,
	ids,
	locator,
	NAMES,
	sentClosing,
	type Fixture,
	type Scene,
} from './scene.mts';

const RETRIEVE = { method: 'GET', path: /\/transactions\/[^/]+$/ };
const REAL_ESTATE = { platform: 'realEstate', simplify: true };

/** Something that is done to each of three transactions. */
function toEach(
	make: (sandbox: Parameters<Fixture['build']>[0]) => Promise<string>,
	request: Scene['request'],
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const made = await each(async () => await make(sandbox));
		return {
			parameters: { ...REAL_ESTATE, ...parameters, transactionId: locator('id') },
			items: ids(made),
			request,
			mark: (json) => json.transaction_id,
			expected: made,
			broken: { id: 'unknown' },
		};
	};
}

const draft = async (sandbox: Parameters<Fixture['build']>[0]) =>
	(await draftClosing(sandbox)).transactionId;
const finished = async (sandbox: Parameters<Fixture['build']>[0]) =>
	(await finishedClosing(sandbox)).transactionId;

export const TRANSACTIONS: Record<string, Fixture> = {
	'transaction/create': {
		kind: 'write',
		build: async (sandbox) => ({
			parameters: {
				transactionName: '={{ $json.name }}',
				signers: {
					row: [
						{
							email: '={{ $json.email }}',
							first_name: 'Jane',
							last_name: 'Signer',
							external_id: 's1',
						},
					],
				},
				documents: {
					row: [
						{
							source: 'url',
							fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
							requirement: 'notarization',
							name: 'Deed',
						},
					],
				},
				draft: true,
				additionalFields: { external_id: '={{ $json.name }}' },
				simplify: true,
			},
			items: NAMES.map((name) => ({ json: { name, email: `${name}@example.com` } })),
			request: { method: 'POST', path: /\/transactions$/ },
			mark: (json) => json.transaction_name,
			expected: NAMES,
			broken: { email: 'x@gmial.com' },
		}),
	},
	'transaction/createClosing': {
		kind: 'write',
		build: async () => ({
			parameters: {
				...CLOSING,
				transactionName: '={{ $json.name }}',
				signerEmail: '={{ $json.email }}',
			},
			items: NAMES.map((name) => ({ json: { name, email: `${name}@example.com` } })),
			request: { method: 'POST', path: /\/transactions$/ },
			mark: (json) => json.transaction_name,
			expected: NAMES,
			broken: { email: 'x@gmial.com' },
		}),
	},
	'transaction/update': {
		kind: 'write',
		undocumented: true,
		async build(sandbox) {
			const made = await each(async () => await createClosing(credential(sandbox)));
			return {
				parameters: {
					...REAL_ESTATE,
					transactionId: locator('id'),
					updateFields: { transaction_name: '={{ $json.name }}', loan_number: '={{ $json.name }}' },
				},
				items: made.map((transactionId, index) => ({
					json: { id: transactionId, name: NAMES[index] },
				})),
				request: { method: 'PUT', path: /\/transactions\/[^/]+$/ },
				mark: (json) => json.transaction_name,
				expected: NAMES,
				broken: { id: 'unknown' },
			};
		},
	},
	'transaction/getAll': {
		kind: 'read',
		undocumented: true,
		lists: true,
		async build(sandbox) {
			for (const name of [...NAMES, 'Fourth', 'Fifth'])
				await createClosing(credential(sandbox), {
					transactionName: name,
					additionalFields: { loan_number: name },
				});
			const parameters = {
				...REAL_ESTATE,
				returnAll: false,
				limit: '={{ $json.limit ?? 50 }}',
				filters: { loan_number: '={{ $json.name }}' },
			};
			return {
				parameters,
				items: NAMES.map((name) => ({ json: { name } })),
				request: { method: 'GET', path: /\/transactions$/ },
				mark: (json) => json.transaction_name,
				expected: NAMES,
				broken: { limit: 'some' },
				pages: {
					parameters: { ...parameters, filters: {} },
					expected: ['Fifth', 'Fourth', 'Third', 'Second', 'First'],
				},
			};
		},
	},
	'transaction/get': { kind: 'read', build: toEach(finished, RETRIEVE) },
	'transaction/getAuditTrail': {
		kind: 'read',
		binary: 'data',
		build: toEach(finished, RETRIEVE, { binaryPropertyName: 'data' }),
	},
	'transaction/send': {
		kind: 'write',
		undocumented: true,
		build: toEach(draft, { method: 'POST', path: /\/place_order$/ }, { additionalFields: {} }),
	},
	'transaction/recall': {
		kind: 'write',
		undocumented: true,
		build: toEach(
			sentClosing,
			{ method: 'POST', path: /\/recall$/ },
			{ recallReason: 'Wrong name' },
		),
	},
	'transaction/delete': {
		kind: 'write',
		undocumented: true,
		build: toEach(draft, { method: 'DELETE', path: /\/transactions\/[^/]+$/ }),
	},
	'transaction/resendEmail': {
		kind: 'write',
		undocumented: true,
		traceless: true,
		build: toEach(
			sentClosing,
			{ method: 'POST', path: /\/send_email$/ },
			{ messageToSigner: 'Please sign' },
		),
	},
	'transaction/resendSms': {
		kind: 'write',
		undocumented: true,
		traceless: true,
		build: toEach(
			sentClosing,
			{ method: 'POST', path: /\/send_sms$/ },
			{ phoneNumber: '617 555 0123', phoneCountryCode: '+1' },
		),
	},
	'transaction/correctSigner': {
		kind: 'write',
		undocumented: true,
		build: toEach(
			sentClosing,
			{ method: 'POST', path: /\/place_order$/ },
			{
				signerId: id('borrower-1'),
				corrections: { email: 'jane.right@example.com' },
				sendAgain: true,
				recallReason: '',
			},
		),
	},
};
