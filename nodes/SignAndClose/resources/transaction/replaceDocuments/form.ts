import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import { platform, parsePlatform } from '../../../form/commonFields';
import { defineChoice, defineCollection, defineFlag, defineLongText } from '../../../form/fields';
import { transactionLocator } from '../../../form/locators';
import { documentRules } from '../../document/rules/ruleFields';
import { filesWithoutRule, sendAgainIfRecalled } from '../createAndSend/choices';
import { enoteOfItem } from '../createAndSend/form';
import { parseEndChoice } from '../createAndSend/item';
import { documentWait, parseWait } from '../documentWait';
import { parseSendOptions, sendOptions } from '../sendOptions';

/* The form: which transaction, the rules for the new papers, and what a person allows. */

const HIDDEN_FROM_MODELS = { hide: { '@tool': [true] } };

const thenChoice: INodeProperties = defineChoice(
	'Then',
	'thenReplace',
	[
		['Show the Plan', 'plan', 'Write nothing, and say what a run would do'],
		['Keep as Draft', 'draft', 'Replace the documents, and leave the draft. Nobody is told of it.'],
		['Send', 'send', 'Replace the documents, and send it to the signers unless something stops it'],
	],
	'How far to go',
);

const recallFromSigners: INodeProperties = {
	...defineFlag(
		'Recall from Signers',
		'evenIfSent',
		"Whether to take a sent transaction back from its signers. Until it's sent again, they can't sign.",
	),
	displayOptions: HIDDEN_FROM_MODELS,
};

const STOP = 'Stop Before Sending';

const documentsWithoutFile = defineChoice(
	'Documents Without a File',
	'documentsWithoutFile',
	[
		[STOP, 'stop', 'Send nothing with them'],
		['Leave Them', 'leave', 'Send them as they are'],
	],
	'What to do with documents that no file of the item replaces',
);

const filesWithoutDocument = defineChoice(
	'Files Without a Document',
	'filesWithoutDocument',
	[
		[STOP, 'stop', 'Add them to a draft, and send nothing with them'],
		['Add Them', 'add', 'Send them, too'],
	],
	'What to do with files that replace no document',
);

const flagsNotShown = defineChoice(
	'Flags Not Shown',
	'flagsNotShown',
	[
		[STOP, 'stop', 'Send nothing until you have said what holds'],
		['Only Those of the Rule', 'rule', "Turn on what the rule has in 'Flags', and nothing else"],
	],
	"What to do if the service doesn't show all flags of a replaced document, e.g. whether it needs a witness",
);

const replaceAddedByHand = defineFlag(
	'Replace Documents Added by Hand',
	'replaceAddedByHand',
	'Whether a file replaces a document of the same name that this node has not added',
);

const letTeamPlace: INodeProperties = {
	...defineFlag(
		'Let the Closing Team Place Again',
		'letTeamPlace',
		'Whether to replace documents in which the closing team may have set places to sign. The team has to set them again in the new ones (real estate only).',
	),
};

const reason = defineLongText(
	'Reason',
	'recallReason',
	'Why the transaction is recalled. The service stores the reason, with a mark by which the next run recognizes it.',
);

/** All fields but the output. */
export const replaceDocumentsFields: INodeProperties[] = [
	platform,
	transactionLocator,
	// A model has no files.
	{ ...documentRules, displayOptions: HIDDEN_FROM_MODELS },
	{
		...enoteOfItem,
		description: 'The new eNote, which replaces the one of the closing if it has other content',
		displayOptions: { ...HIDDEN_FROM_MODELS, show: { platform: ['realEstate'] } },
	},
	thenChoice,
	recallFromSigners,
	defineCollection(
		'Additional Fields',
		'additionalFields',
		[
			documentsWithoutFile,
			filesWithoutDocument,
			filesWithoutRule,
			flagsNotShown,
			letTeamPlace,
			reason,
			replaceAddedByHand,
			sendAgainIfRecalled,
			documentWait,
			...sendOptions,
		],
		{ displayOptions: HIDDEN_FROM_MODELS },
	),
];

/**
 * Parses what a person has chosen.
 * @throws InputFailure with all that can't be used
 */
export function parseReplaceForm(call: OperationCall) {
	const { params } = call;
	const platformOfItem = parsePlatform(params);
	const additional = readOptionalFields(params);
	const readChoice = ({ name }: INodeProperties) => params.getChoice(name, additional[name] ?? '');
	const readFlag = ({ name }: INodeProperties) => params.toBoolean(name, additional[name]) === true;
	return {
		platform: platformOfItem,
		...parseTogether({
			transactionId: () => params.getRequiredLocator('transactionId'),
			then: () => parseEndChoice(call, thenChoice.name),
			recalls: () => params.getBoolean(recallFromSigners.name),
			leavesDocuments: () => readChoice(documentsWithoutFile) === 'leave',
			addsFiles: () => readChoice(filesWithoutDocument) === 'add',
			leavesFilesOut: () => readChoice(filesWithoutRule) === 'leaveOut',
			takesFlagsOfRule: () => readChoice(flagsNotShown) === 'rule',
			replacesByHand: () => readFlag(replaceAddedByHand),
			letsTeamPlace: () => readFlag(letTeamPlace),
			sendsRecalled: () => readFlag(sendAgainIfRecalled),
			reason: () => params.getTextIn(additional, reason.name) ?? 'New documents',
			sendOptions: (): IDataObject => parseSendOptions(params, platformOfItem),
			limitMs: () => parseWait(params),
		}),
	};
}

const nameAdditional = ({ displayName }: INodeProperties): string =>
	`'${displayName}' in 'Additional Fields'`;

/** What messages call the fields that allow something. */
export const LABELS = {
	recall: `'${recallFromSigners.displayName}'`,
	documents: nameAdditional(documentsWithoutFile),
	files: nameAdditional(filesWithoutDocument),
	flags: nameAdditional(flagsNotShown),
	byHand: nameAdditional(replaceAddedByHand),
	team: nameAdditional(letTeamPlace),
	recalled: nameAdditional(sendAgainIfRecalled),
};
