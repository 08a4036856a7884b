import type { IDataObject } from 'n8n-workflow';

import { defineWrite, ExistingResult, type OperationCall } from '../../../../run/operation';
import { write } from '../../../../run/write/write';
import type { DocumentAnswer, TransactionAnswer } from '../../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../../transport/answers/transaction';
import { isNotFound, ServiceFailure } from '../../../../transport/failure/failure';
import { toBody } from '../../../../transport/files/requestBody';
import { normalizeId, isSameId } from '../../../../values/ids';
import { asText } from '../../../../values/json';
import { deriveTail } from '../../../../values/reference';
import { buildAdditionGoal, sendNewDocument } from '../../../document/add/addition';
import { describeFile } from '../../../document/api';
import { defineDeletionWrite, defineUpdateWrite } from '../../../document/writes';
import {
	planDraftUpdate,
	sendDraftUpdate,
	buildDraftUpdateGoal,
	type DraftChange,
} from '../../../draft/draftUpdate';
import { defineEnoteAddition, defineEnoteDeletion, sendEnote } from '../../../enote/api';
import { getKeptFile } from '../../../enote/form';
import { describeChange, joinHints, describeRefusedReference } from '../../../../form/hints';
import { parseTransactionTarget } from '../../api';
import { buildCreateGoal, sendClosing, sendNewTransaction } from '../../ifExists/creation';
import { noteContent } from '../../executionNotes';
import { waitForDocuments } from '../../documentWait';
import type { DocumentDeletion, ItemComparison } from '../itemComparison';
import { buildStableReference, type ItemDocument } from '../itemDocuments';
import { asCreateCall } from '../form';
import type { ClosingItem } from '../item';
import type { PlannedStep } from '../parts';

/* The writes that the steps of a plan are. */

/** Creates the transaction. */
export function buildCreateStep(item: ClosingItem, sentence: string): PlannedStep {
	const { platform, transaction } = item;
	return {
		key: 'create',
		action: 'create',
		what: 'transaction',
		name: 'Transaction',
		sentence,
		write: defineWrite({
			parse: () => transaction,
			send: async (call, parsed) =>
				await sendNewTransaction(asCreateCall(call), parsed, async (reference) =>
					platform === 'realEstate'
						? await sendClosing(call.service, parsed, reference)
						: await call.service.json('createTransaction', {
								platform,
								...toBody({ ...parsed.body, ...reference }),
							}),
				),
			goal: (call, parsed) => buildCreateGoal({ ...call, ...parsed }),
			async result(call, made) {
				// Other items may find it by another number.
				call.claimKey(made.id);
				await requireOwnTransaction(call, item, made);
				return { json: { transaction_id: made.id, existing: false }, counted: 'created' };
			},
		}),
	};
}

/**
 * Makes sure that the ID of a create's answer leads to what was created, so that no document gets into
 * another transaction. An answer that shows the item's number does. If it shows that it doesn't, the
 * transaction is looked up by its reference.
 * @throws ServiceFailure with `flags.unknownOutcome` when the service shows nothing or another one
 */
async function requireOwnTransaction(
	{ service }: OperationCall,
	{ platform, key }: ClosingItem,
	made: TransactionAnswer,
): Promise<void> {
	if (asText(made[key.field]) === key.value) return;
	try {
		const retrieved = await retrieveTransaction(service, made.id, platform, true);
		if (
			(asText(retrieved[key.field]) ?? key.value) === key.value &&
			isSameId(retrieved.id, made.id)
		)
			return;
	} catch (thrown) {
		// Anything else says nothing against it.
		if (!isNotFound(thrown)) return;
	}
	throw new ServiceFailure({ code: 'notShown', details: [] }, { unknownOutcome: true });
}

/**
 * Changes the draft to what the item says.
 * @throws ServiceFailure when something can't be written back
 */
export function buildChangeStep(
	{ service: { settings }, params }: OperationCall,
	{ platform, options: { notShown } }: ClosingItem,
	{ transaction }: ItemComparison,
	changes: Omit<DraftChange, 'notShown'>,
	sentence: string,
): PlannedStep {
	const update = planDraftUpdate(settings, transaction, platform, { ...changes, notShown });
	return {
		key: `change-${deriveTail(JSON.stringify(changes.fields))}`,
		action: 'change',
		what: 'transaction',
		name: 'Change',
		sentence,
		write: defineWrite({
			parse: () => update,
			send: async ({ service }) => await sendDraftUpdate(service, update),
			goal: ({ service }) => buildDraftUpdateGoal(service, update),
			result: (_call, outcome) => ({ json: {}, hint: describeChange(params, outcome) }),
		}),
	};
}

/**
 * Adds a document.
 * @param replaced the one in whose place it comes, and whose position it takes
 * @param usedReferences the references of documents that are there
 */
export function buildAddStep(
	document: ItemDocument,
	replaced?: DocumentAnswer,
	usedReferences?: ReadonlySet<unknown>,
): PlannedStep {
	const { file, content, rule, hint } = document.planned;
	const position = document.fields.bundle_position ?? replaced?.bundle_position;
	const fields: IDataObject = {
		...document.fields,
		...(position != null && { bundle_position: position }),
	};
	const buildAddition = (call: OperationCall) => ({
		...parseTransactionTarget(call.params),
		fields,
	});
	const reference = buildStableReference(document, usedReferences);
	return {
		// Another wish, or another one to be replaced, is another write of a later try.
		key: `document-${buildStableReference(document)}-${normalizeId(String(replaced?.id ?? ''))}`,
		action: replaced === undefined ? 'add' : 'replace',
		what: file,
		sentence:
			replaced === undefined
				? `Add '${file}' by rule ${rule.row}`
				: `Replace ${describeFile(replaced).name} with '${file}'`,
		write: defineWrite({
			parse: () => fields,
			send: async (call) =>
				await sendNewDocument(call, buildAddition(call), content, {
					isWanted: true,
					value: reference,
				}),
			goal: (call) => buildAdditionGoal({ ...call, ...buildAddition(call) }),
			result(call, { id, document_name: name }) {
				noteContent(call, id, document.content);
				const output = { document_id: id, document_name: name ?? fields.filename, file };
				return {
					json: { document_id: id, documents: [{ ...output, rule: rule.row }] },
					hint: joinHints([hint, describeRefusedReference(call)]),
				};
			},
		}),
	};
}

/** Changes what an update sets of a document that is there. */
export function buildUpdateStep(
	file: string,
	document: DocumentAnswer,
	changes: IDataObject,
): PlannedStep {
	const documentId = String(document.id);
	const readPlace = (call: OperationCall) => ({
		...parseTransactionTarget(call.params),
		documentId,
	});
	return {
		key: `change-${documentId}-${deriveTail(JSON.stringify(changes))}`,
		action: 'change',
		what: file,
		sentence: `Change what holds for ${describeFile(document).name}`,
		write: defineUpdateWrite(readPlace, changes, document, () => ({ json: {} })),
	};
}

/**
 * Deletes a document, once the service has read those that stay.
 * @param deletions what is deleted
 */
export function buildDeleteStep(
	item: ClosingItem,
	{ document, reason }: DocumentDeletion,
	deletions: DocumentDeletion[],
): PlannedStep {
	const { name } = describeFile(document);
	const documentId = String(document.id);
	return {
		key: `delete-${documentId}`,
		action: 'delete',
		what: name,
		sentence: `Delete ${name} (${documentId}): ${reason}`,
		write: defineDeletionWrite(
			(call) => ({ ...parseTransactionTarget(call.params), documentId }),
			() => ({ json: {} }),
			async (call, place) => {
				const current = await waitForDocuments(call.service, place, {
					limitMs: item.limitMs,
					excludedIds: deletions.map((deletion) => String(deletion.document.id)),
				});
				const isThere = current.documents?.some(({ id }) => isSameId(id, documentId)) !== false;
				return isThere ? undefined : new ExistingResult({ json: {} });
			},
		),
	};
}

/**
 * Adds the eNote. A closing has one at most, so that another one is deleted before.
 * @param replacesEnote whether there's another one
 */
export function buildEnoteStep(
	{ body, content }: NonNullable<ClosingItem['enote']>,
	replacesEnote: boolean,
): PlannedStep {
	const platform = 'realEstate';
	return {
		key: 'enote',
		action: replacesEnote ? 'replace' : 'add',
		what: 'eNote',
		sentence: replacesEnote ? 'Delete the eNote, and add that of the item' : 'Add the eNote',
		write: defineWrite({
			parse: () => body,
			async send(call) {
				const { service, steps, params } = call;
				const { transactionId } = parseTransactionTarget(params);
				if (replacesEnote && steps.all().length === 0) {
					await write(
						service,
						async () => await service.json('deleteEnote', { path: { transactionId }, platform }),
						defineEnoteDeletion(service, transactionId),
					);
					steps.add('deleted');
				}
				return await sendEnote(service, transactionId, body);
			},
			goal: (call) =>
				defineEnoteAddition(
					call,
					parseTransactionTarget(call.params).transactionId,
					getKeptFile(body),
				),
			result(call, { id }) {
				noteContent(call, id, content);
				return { json: {} };
			},
		}),
	};
}
