import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import { parseSettingsNotShown, settingsNotShown } from '../../drafts/settingsNotShown';
import { wholeNumber } from '../../shared/checks';
import { parsePlatform } from '../../shared/commonFields';
import { choice, number } from '../../shared/fields';
import { documentRules } from './form';
import { parseRules } from './rules';

/* The fields of rules that are applied to documents that are there. */

const MINUTE_MS = 60_000;

const ifSplitRunning = choice(
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
	number(
		'Wait Up To',
		'waitMinutes',
		[0, 10],
		'How many minutes to wait for a split. A split takes about five minutes.',
		{ displayOptions: { show: { ifSplitRunning: ['wait'] } } },
	),
	number(
		'Number of Documents',
		'numberOfDocuments',
		[0, 0],
		'How many documents there are after the split, without eNote and consent forms. With 0, the node waits until there is a document, and none is being processed.',
	),
	choice(
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
	...settingsNotShown({ platform: ['realEstate'] }),
];

/** What an item wants. */
export type Wish = ReturnType<typeof parseWish>;

/**
 * Parses what an item wants.
 * @throws InputFailure with all that can't be used
 */
export function parseWish(call: OperationCall) {
	const { params, service } = call;
	const parseNumber = (name: string, initial: number) =>
		wholeNumber(params.raw(name) ?? initial, 0, params.label(name));
	const { expected, waits, minutes, ...wish } = parseTogether({
		transactionId: () => params.requiredLocator('transactionId'),
		platform: () => parsePlatform(params),
		rules() {
			const rules = parseRules(call);
			if (rules.length > 0) return rules;
			throw new InputFailure(params.label(documentRules.name), 'is empty', 'Add a rule');
		},
		waits: () => params.choice(ifSplitRunning.name) !== 'return',
		minutes: () => parseNumber('waitMinutes', 10),
		expected: () => parseNumber('numberOfDocuments', 0),
		replaces: () => params.choice('notUpdatable') === 'replace',
		notShown: () => parseSettingsNotShown(params, service.settings.assuranceField),
	});
	return {
		...wish,
		/** How long to wait for the documents of a split; undefined to look once. */
		limitMs: waits ? minutes * MINUTE_MS : undefined,
		/** How many documents there will be; undefined if nobody has said it. */
		expected: expected === 0 ? undefined : expected,
	};
}
