import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { parseHiddenSettings, defineHiddenSettings } from '../../draft/hiddenSettings';
import { parseWholeNumber } from '../../../form/checks';
import { parsePlatform } from '../../../form/commonFields';
import { defineChoice, defineNumber } from '../../../form/fields';
import { documentRules } from './ruleFields';
import { parseRules } from './input';

/* The fields of rules that are applied to documents that are there. */

const MINUTE_MS = 60_000;

const ifSplitRunning = defineChoice(
	'If a Split Is Running',
	'ifSplitRunning',
	[
		['Return at Once', 'return', "Change nothing, and say so in the output ('split_running')"],
		['Wait', 'wait', 'Wait until its documents are there. Meanwhile, n8n shows no progress.'],
	],
	"What to do while the service splits a PDF at its bookmarks. The service doesn't show it: enter 'Number of Documents'.",
	{ default: 'wait' },
);

export const applyFields: INodeProperties[] = [
	ifSplitRunning,
	defineNumber(
		'Wait Up To',
		'waitMinutes',
		[0, 10],
		'How many minutes to wait for a split. A split takes about five minutes.',
		{ displayOptions: { show: { ifSplitRunning: ['wait'] } } },
	),
	defineNumber(
		'Number of Documents',
		'numberOfDocuments',
		[0, 0],
		'How many documents there are after the split, without eNote and consent forms. With 0, the node waits until there is a document, and none is being processed.',
	),
	defineChoice(
		"What Update Can't Set",
		'notUpdatable',
		[
			['List It', 'list', "Leave it out, and list it in the output as 'not_applied'"],
			[
				'Replace the Document',
				'replace',
				'Fetch the file, add it again with all that the rule says, and delete the document. One with designations is replaced only if the rule has its own.',
			],
		],
		'What to do about designations, tags and flags that the service takes only for new documents',
	),
	...defineHiddenSettings({ platform: ['realEstate'] }),
];

/** What an item wants. */
export type ApplyForm = ReturnType<typeof parseApplyForm>;

/**
 * Parses what an item wants.
 * @throws InputFailure with all that can't be used
 */
export function parseApplyForm(call: OperationCall) {
	const { params, service } = call;
	const parseNumber = (name: string, initial: number) =>
		parseWholeNumber(params.getRaw(name) ?? initial, 0, params.label(name));
	const { expected, waits, minutes, ...values } = parseTogether({
		transactionId: () => params.getRequiredLocator('transactionId'),
		platform: () => parsePlatform(params),
		rules() {
			const rules = parseRules(call);
			if (rules.length > 0) return rules;
			throw new InputFailure(params.label(documentRules.name), 'is empty', 'Add a rule');
		},
		waits: () => params.getChoice(ifSplitRunning.name) !== 'return',
		minutes: () => parseNumber('waitMinutes', 10),
		expected: () => parseNumber('numberOfDocuments', 0),
		replaces: () => params.getChoice('notUpdatable') === 'replace',
		notShown: () => parseHiddenSettings(params, service.settings.assuranceField),
	});
	return {
		...values,
		/** How long to wait for the documents of a split; undefined to look once. */
		limitMs: waits ? minutes * MINUTE_MS : undefined,
		/** How many documents there will be; undefined if nobody has said it. */
		expected: expected === 0 ? undefined : expected,
	};
}
