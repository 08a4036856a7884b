import type { IDataObject } from 'n8n-workflow';

import { CLOSING, id } from '../../closing.mts';
import type { FaultService } from '../../faultService/service.mts';
import type { Platform } from '../../faultService/types.mts';
import { BOTH, chosen, each, itemsOf, numbered, type FaultScene, type Kind } from '../scene.mts';
import {
	makeCompleted,
	makeDraft,
	makeDraftWithDocument,
	makeSent,
	markerOf,
	SIGNER,
} from '../setup.mts';

/** The scenes of operations on transactions. */

type Make = (service: FaultService, platform: Platform, index: number) => Promise<string>;

const draft: Make = async (...all) => (await makeDraftWithDocument(...all)).transactionId;
const completed: Make = async (...all) => (await makeCompleted(...all)).transactionId;

/** Something that is done with each of some transactions. */
function eachTransaction(
	kind: Kind,
	make: Make,
	effects: string[],
	parameters: IDataObject = {},
): FaultScene {
	return {
		kind,
		platforms: BOTH,
		build: async (service, platform, count) => ({
			parameters: { platform, simplify: true, transactionId: chosen('id'), ...parameters },
			items: itemsOf(
				await each(count, async (index) => ({ id: await make(service, platform, index) })),
			),
			effects: Array.from({ length: count }, (_, index) =>
				effects.map((effect) => ({ kind: `transaction.${effect}`, marker: markerOf(index) })),
			),
		}),
	};
}

const reminder = (effect: string, parameters: IDataObject): FaultScene => {
	const scene = eachTransaction('reminder', makeSent, [], parameters);
	return {
		...scene,
		build: async (service, platform, count) => ({
			...(await scene.build(service, platform, count)),
			effects: Array.from({ length: count }, (_, index) => [
				{ kind: effect, marker: markerOf(index) },
			]),
		}),
	};
};

const create = (platform: Platform, parameters: IDataObject): FaultScene => ({
	kind: 'create',
	platforms: [platform],
	build: async (_service, _platform, count) => ({
		parameters,
		items: itemsOf(
			Array.from({ length: count }, (_, index) => ({
				name: `Case ${index}`,
				case: markerOf(index),
			})),
		),
		effects: Array.from({ length: count }, (_, index) => [
			{ kind: 'transaction.created', marker: markerOf(index) },
		]),
	}),
});

export const transactionScenes: Record<string, FaultScene> = {
	'transaction/get': eachTransaction('read', completed, []),
	'transaction/getAll': {
		kind: 'list',
		platforms: BOTH,
		async build(service, platform, count) {
			await each(3, async (index) => await makeDraft(service, platform, index));
			return {
				parameters: { platform, simplify: true, returnAll: true, filters: {} },
				items: numbered(count),
				effects: Array.from({ length: count }, () => []),
			};
		},
	},
	'transaction/getAuditTrail': eachTransaction('download', completed, [], {
		binaryPropertyName: 'data',
	}),
	'transaction/create': create('business', {
		transactionName: '={{ $json.name }}',
		signers: {
			row: [
				{
					email: 'jane@example.com',
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
					fileUrl: 'https://example.com/deed.pdf',
					requirement: 'notarization',
					name: 'Deed',
				},
			],
		},
		draft: true,
		additionalFields: { external_id: '={{ $json.case }}' },
		simplify: true,
	}),
	'transaction/createClosing': create('realEstate', {
		...CLOSING,
		recordingJurisdictionId: id('rlcounty0'),
		transactionName: '={{ $json.name }}',
		additionalFields: {
			external_id: '={{ $json.case }}',
			loan_number: '={{ $json.case }}',
		},
	}),
	'transaction/send': eachTransaction('write', draft, ['sent'], { additionalFields: {} }),
	'transaction/update': eachTransaction('write', draft, ['updated'], {
		updateFields: { transaction_name: 'Renamed' },
	}),
	'transaction/recall': eachTransaction('write', makeSent, ['recalled'], {
		recallReason: 'Wrong name',
	}),
	'transaction/correctSigner': eachTransaction('write', makeSent, ['recalled', 'updated', 'sent'], {
		signerId: id(SIGNER.external_id as string),
		corrections: { first_name: 'Anna' },
		sendAgain: true,
		recallReason: '',
		additionalFields: {},
	}),
	'transaction/delete': eachTransaction('write', draft, ['deleted']),
	'transaction/resendEmail': reminder('email.resent', { messageToSigner: '' }),
	'transaction/resendSms': reminder('sms.resent', {
		phoneNumber: '617 555 0123',
		phoneCountryCode: '+1',
	}),
};
