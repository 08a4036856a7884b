import {
	defineOperation,
	type OperationCall,
	type OperationResult,
	type Parts,
} from '../../run/operation';
import { plainId } from '../../values/ids';
import { platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { fileOf } from './api';
import { applyFields, parseWish, type Wish } from './rules/applyForm';
import { partsOfDocument, planDocuments } from './rules/documentPart';
import { documentRules } from './rules/form';
import { orderOf, orderPart } from './rules/order';
import { unmetRules } from './rules/rules';
import { awaitDocuments, type Seen } from './rules/split';

/**
 * Sets what a table of rules says of the documents of a draft, e.g. of those that a split has made
 * (docs/service/documents.md#bookmarked-pdfs).
 */
export const applyRules = defineOperation({
	resource: 'document',
	value: 'applyRules',
	name: 'Apply Rules',
	action: 'Apply rules to documents',
	description:
		'Set requirement, flags and positions of the documents of a draft by their names, e.g. after a PDF was split at its bookmarks',
	kind: 'write',
	passesFiles: true,
	effect: 'Changes what the signers have to do with these documents',
	properties: [platform, transactionLocator, documentRules, ...applyFields],
	async divide(call) {
		const wish = parseWish(call);
		const seen = await awaitDocuments(call, {
			...wish,
			counted: (all) => planDocuments(wish, all),
		});
		if (seen.isWaiting) return waitingOnly(call, wish, seen);
		return partsOf(call, wish, seen);
	},
	summary: describeUnnamed,
});

/** The one output of an item whose split is running. */
function waitingOnly(
	{ params }: OperationCall,
	{ transactionId, expected }: Wish,
	seen: Seen,
): Parts {
	const result: OperationResult = {
		json: {
			transaction_id: transactionId,
			// A document that is still processed takes no requirement yet.
			split_running: seen.isSplitting === false ? true : seen.isSplitting,
			ready: false,
			document_count: seen.documents.length,
			expected_count: expected ?? null,
		},
		isFound: true,
	};
	const part = { key: 'split', name: 'Split', params, found: result };
	return { parts: [part], toGoOn: TO_GO_ON };
}

const TO_GO_ON = 'A new run of the workflow does only what is left';

function partsOf(call: OperationCall, wish: Wish, seen: Seen): Parts {
	const planned = planDocuments(wish, seen.documents);
	const unnamed = planned
		.filter(({ rule }) => rule === undefined)
		.map(({ document }) => fileOf(document).name);
	const formsBefore = (seen.transaction.documents ?? []).length - seen.documents.length;
	const names = planned.map(({ document }) => fileOf(document).name);
	const unmet = unmetRules(wish.rules, names);
	const order = orderOf(planned, formsBefore);
	const places = new Map(order?.map(({ of, place }) => [of, place]));
	const documents = planned.flatMap((one) => {
		const named = {
			key: plainId(String(one.document.id)),
			name: fileOf(one.document).name,
			params: call.params,
			complete: (result: OperationResult) => ({ ...result, note: unnamed }),
		};
		const position = places.get(one) ?? one.now.bundle_position;
		return partsOfDocument(named, wish, seen, one, position, unmet);
	});
	const parts =
		order === undefined ? documents : [orderPart(call, wish, seen, order), ...documents];
	return {
		parts,
		toGoOn: TO_GO_ON,
		details: () => ({ transaction_id: wish.transactionId }),
	};
}

/** Names the documents that no rule names. */
function describeUnnamed(notes: readonly string[][]): string | undefined {
	const names = [...new Set(notes.flat())];
	return names.length === 0 ? undefined : `No rule names: ${names.join(', ')}`;
}
