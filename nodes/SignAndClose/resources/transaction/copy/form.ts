import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { platform, parsePlatform } from '../../../form/commonFields';
import { defineCollection, defineDateTime, defineFlag, defineText } from '../../../form/fields';
import { transactionLocator } from '../../../form/locators';
import { parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import { defineHiddenSettings, parseHiddenSettings } from '../../draft/hiddenSettings';
import type { HiddenSettings } from '../../draft/draftUpdate';
import type { TransactionTarget } from '../api';
import { parseTransactionFields } from '../create/fields';
import { documentWait, parseWait } from '../documentWait';
import { createdWithin, parseExistingOptions } from '../ifExists/options';

/* The form of Transaction: Copy. */

const times: INodeProperties[] = [
	defineDateTime(
		'Activation Time',
		'activation_time',
		"When signers can start to sign the copy. By default, that of the old one, if it isn't over",
	),
	defineDateTime(
		'Expiration',
		'expiry',
		"When the copy expires. By default, when the old one would, if that isn't over. A day without a time is included",
	),
	defineDateTime(
		'Notary Meeting Time',
		'notary_meeting_time',
		"When the signers are to meet the notary. By default, that of the old one, if it isn't over",
	),
];

export const newExternalId = defineText(
	'New External ID',
	'external_id',
	'case-118-2',
	'External ID of the copy. By default, a business transaction that has ended hands on its own, and any other copy has a reference of the node (n8n-...).',
);

export const takesUnproven = defineFlag(
	'Copy Files Unproven',
	'copyFilesUnproven',
	'Whether to copy documents, too, of which nothing shows that the file is the one that was uploaded, e.g. those that somebody has added by hand',
);

export const deleteOld = defineFlag(
	'Delete the Old One',
	'deleteOld',
	"Whether to delete the old transaction once the copy is there. One that hasn't ended is copied only with this. Its signers lose it, with everything they have filled in.",
);

/** All fields but the output. */
export const transactionCopyFields: INodeProperties[] = [
	platform,
	transactionLocator,
	takesUnproven,
	deleteOld,
	...defineHiddenSettings(),
	defineCollection('Additional Fields', 'additionalFields', [
		...times,
		createdWithin,
		newExternalId,
		{
			...documentWait,
			description:
				'How many seconds to wait until the service has processed the documents of the copy, before the old transaction is deleted',
		},
	]),
];

/** What a person chooses of a copy. */
export interface CopyChoices extends TransactionTarget {
	/** New times, as fields of the request for a business transaction. */
	times: IDataObject;
	/** Of the copy. */
	externalId: string | undefined;
	notShown: HiddenSettings;
	takesUnproven: boolean;
	deletesOld: boolean;
	/** How many days back a copy is looked for. */
	days: number;
	limitMs: number;
}

/** @throws InputFailure with everything that can't be used */
export function parseCopy({ params, service }: OperationCall): CopyChoices {
	const additional = readOptionalFields(params);
	return parseTogether({
		transactionId: () => params.getRequiredLocator('transactionId'),
		platform: () => parsePlatform(params),
		times: () => parseTransactionFields(params, additional, times),
		externalId: () => params.getTextIn(additional, newExternalId.name),
		notShown: () => parseHiddenSettings(params, service.settings.assuranceField),
		takesUnproven: () => params.getBoolean(takesUnproven.name),
		deletesOld: () => params.getBoolean(deleteOld.name),
		days: () => parseExistingOptions(params, additional).days,
		limitMs: () => parseWait(params),
	});
}
