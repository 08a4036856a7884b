import type { IDataObject } from 'n8n-workflow';

import { CLOSING, id, TITLE } from '../../closing.mts';
import type { FaultService } from '../../faultService/service.mts';
import type { Platform } from '../../faultService/types.mts';
import {
	BOTH,
	chosen,
	each,
	eachOf,
	noEffects,
	numbered,
	type FaultScene,
	type Kind,
} from '../scene.mts';
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
const eachTransaction = (
	kind: Kind,
	make: Make,
	effects: string[],
	parameters: IDataObject = {},
): FaultScene =>
	eachOf(kind, BOTH, {
		make: async (...all) => ({ id: await make(...all) }),
		parameters: (platform) => ({
			platform,
			transactionId: chosen('id'),
			...parameters,
		}),
		effects: (index) => effects.map((effect) => ({ kind: effect, marker: markerOf(index) })),
	});

const nameOf = (index: number) => `Case ${index}`;

/** Something that is created. It carries a reference of the node. */
const create = (platform: Platform, parameters: IDataObject): FaultScene =>
	eachOf('create', [platform], {
		make: async (_service, _platform, index) => ({ name: nameOf(index), case: markerOf(index) }),
		parameters: () => parameters,
		effects: (index) => [{ kind: 'transaction.created', marker: nameOf(index) }],
	});

export const transactionScenes: Record<string, FaultScene> = {
	'transaction/get': eachTransaction('read', completed, []),
	'transaction/getAll': {
		kind: 'list',
		shares: true,
		platforms: BOTH,
		async build(service, platform, count) {
			await each(3, async (index) => await makeDraft(service, platform, index));
			return {
				parameters: { platform, returnAll: true, filters: {} },
				items: numbered(count),
				effects: noEffects(count),
			};
		},
	},
	'transaction/getAll#filtered': {
		kind: 'list',
		shares: true,
		platforms: BOTH,
		async build(service, platform, count) {
			await each(3, async (index) => await makeDraft(service, platform, index));
			return {
				parameters: {
					platform,
					output: 'simple',
					returnAll: false,
					limit: 50,
					filters: { detailed_status: ['open'], signer_email: SIGNER.email },
				},
				items: numbered(count),
				effects: noEffects(count),
			};
		},
	},
	'signer/getAll': eachTransaction('list', completed, [], {
		returnAll: true,
		filters: {},
		output: 'simple',
	}),
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
		additionalFields: {},
	}),
	'transaction/createClosing': create('realEstate', {
		...CLOSING,
		transactionName: '={{ $json.name }}',
		additionalFields: {
			...TITLE,
			recordingJurisdictionId: id('rlcounty0'),
			loan_number: '={{ $json.case }}',
		},
	}),
	'transaction/send': eachTransaction('write', draft, ['transaction.sent'], {
		additionalFields: {},
	}),
	'transaction/update': eachTransaction('write', draft, ['transaction.updated'], {
		updateFields: { transaction_name: 'Renamed' },
		settingsNotShown: 'none',
	}),
	'transaction/recall': eachTransaction('write', makeSent, ['transaction.recalled'], {
		evenIfSent: true,
		recallReason: 'Wrong name',
	}),
	'transaction/correctSigner': eachTransaction(
		'write',
		makeSent,
		['transaction.recalled', 'transaction.updated', 'transaction.sent'],
		{
			signerId: id(SIGNER.external_id as string),
			corrections: { first_name: 'Anna' },
			sendAgain: true,
			recallReason: '',
			settingsNotShown: 'none',
			additionalFields: {},
		},
	),
	'transaction/delete': eachTransaction('write', draft, ['transaction.deleted']),
	'transaction/resendEmail': eachTransaction('reminder', makeSent, ['email.resent'], {
		messageToSigner: '',
	}),
	'transaction/resendSms': eachTransaction('reminder', makeSent, ['sms.resent'], {
		phoneNumber: '617 555 0123',
		phoneCountryCode: '+1',
	}),
	'transaction/resendToContacts': {
		...eachTransaction('reminder', makeSent, ['contactsEmail.resent'], { contactEmail: '' }),
		platforms: ['realEstate'],
	},
	'transaction/forceComplete': eachTransaction('write', makeSent, ['transaction.forceCompleted']),
};
