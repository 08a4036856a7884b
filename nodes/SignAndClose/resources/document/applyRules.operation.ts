import {
	defineOperation,
	type OperationCall,
	type OperationResult,
	type Part,
} from '../../run/operation';
import { plainId } from '../../values/ids';
import { platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { fileOf } from './api';
import { applyFields, parseWish, type Wish } from './rules/applyForm';
import { partsOfDocument } from './rules/documentPart';
import { documentRules } from './rules/form';
import { orderOf, orderPart } from './rules/order';
import type { Planned } from './rules/replacing';
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
		const seen = await awaitDocuments(call, wish);
		return {
			parts: seen.isWaiting ? [waitingPart(call, wish, seen)] : listParts(call, wish, seen),
			toGoOn: 'A new run of the workflow does only what is left',
			details: () => ({ transaction_id: wish.transactionId }),
		};
	},
	summary: describeUnnamed,
});

/** The one output of an item whose split is running. */
const waitingPart = (
	{ params }: OperationCall,
	{ transactionId, expected }: Wish,
	seen: Seen,
): Part => ({
	key: 'split',
	name: 'Split',
	params,
	found: {
		json: {
			transaction_id: transactionId,
			// A document that is still processed takes no requirement yet.
			split_running: seen.isSplitting === false ? true : seen.isSplitting,
			ready: false,
			document_count: seen.documents.length,
			expected_count: expected ?? null,
		},
		isFound: true,
	},
});

function listParts(call: OperationCall, wish: Wish, seen: Seen): Part[] {
	const { planned, documents, transaction } = seen;
	const nameOf = ({ document }: Planned) => fileOf(document).name;
	const unnamed = planned.filter(({ rule }) => rule === undefined).map(nameOf);
	const unmet = unmetRules(wish.rules, planned.map(nameOf));
	const order = orderOf(planned, (transaction.documents ?? []).length - documents.length);
	const parts = planned.flatMap((one) => {
		const named = {
			key: plainId(String(one.document.id)),
			name: nameOf(one),
			params: call.params,
			complete: (result: OperationResult) => ({ ...result, note: unnamed }),
		};
		const position = order?.get(one) ?? one.now.bundle_position;
		return partsOfDocument(named, wish, seen, one, position, unmet);
	});
	return order === undefined ? parts : [orderPart(call, wish, seen, order), ...parts];
}

/** Names the documents that no rule names. */
function describeUnnamed(notes: readonly string[][]): string | undefined {
	const names = [...new Set(notes.flat())];
	return names.length === 0 ? undefined : `No rule names: ${names.join(', ')}`;
}
