import type { IDataObject } from 'n8n-workflow';

import { defineWrite, Found, type OperationCall } from '../../../run/operation';
import { write } from '../../../run/outcome/write';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isNotFound, ServiceFailure } from '../../../transport/failure/failure';
import { toBody } from '../../../transport/files/streamedJson';
import { plainId, sameId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { tailOf } from '../../../values/reference';
import { addedGoal, sendNewDocument } from '../../document/adding';
import { fileOf } from '../../document/api';
import { removeWrite, updateWrite } from '../../document/writes';
import { planUpdate, requestUpdate, updatedGoal, type Change } from '../../drafts/draftUpdate';
import { enoteAddedGoal, enoteDeletedGoal, sendEnote } from '../../enote/api';
import { keptFile } from '../../enote/form';
import { changeHint, joined, referenceHint } from '../../shared/hints';
import { parseTarget } from '../api';
import { createdGoal, sendClosing, sendNew } from '../created';
import { noteContent } from '../ownDoings';
import { waitForDocuments } from '../waitForDocuments';
import type { Deletion, FoundTransaction } from './compare';
import { referenceOf, type ItemDocument } from './documents';
import { asCreate } from './form';
import type { Item } from './item';
import type { PlannedStep } from './steps';

/* The writes that the steps of a plan are. */

/** Creates the transaction. */
export function createStep(item: Item, sentence: string): PlannedStep {
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
				await sendNew(asCreate(call), parsed, async (reference) =>
					platform === 'realEstate'
						? await sendClosing(call.service, parsed, reference)
						: await call.service.json('createTransaction', {
								platform,
								...toBody({ ...parsed.body, ...reference }),
							}),
				),
			goal: (call, parsed) => createdGoal({ ...call, ...parsed }),
			async result(call, made) {
				// Other items may find it by another number.
				call.claimKey(made.id);
				await requireOwn(call, item, made);
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
async function requireOwn(
	{ service }: OperationCall,
	{ platform, key }: Item,
	made: TransactionAnswer,
): Promise<void> {
	if (asText(made[key.field]) === key.value) return;
	try {
		const shown = await retrieveTransaction(service, made.id, platform, true);
		if ((asText(shown[key.field]) ?? key.value) === key.value && sameId(shown.id, made.id)) return;
	} catch (thrown) {
		// Anything else says nothing against it.
		if (!isNotFound(thrown)) return;
	}
	throw new ServiceFailure({ code: 'notShown', said: [] }, { unknownOutcome: true });
}

/**
 * Changes the draft to what the item says.
 * @throws ServiceFailure when something can't be written back
 */
export function changeStep(
	{ service: { settings }, params }: OperationCall,
	{ platform, options: { notShown } }: Item,
	{ transaction }: FoundTransaction,
	changes: Omit<Change, 'notShown'>,
	sentence: string,
): PlannedStep {
	const update = planUpdate(settings, transaction, platform, { ...changes, notShown });
	return {
		key: `change-${tailOf(JSON.stringify(changes.fields))}`,
		action: 'change',
		what: 'transaction',
		name: 'Change',
		sentence,
		write: defineWrite({
			parse: () => update,
			send: async ({ service }) => await requestUpdate(service, update),
			goal: ({ service }) => updatedGoal(service, update),
			result: (_call, changed) => ({ json: {}, hint: changeHint(params, changed) }),
		}),
	};
}

/**
 * Adds a document.
 * @param former the one in whose place it comes, and whose position it takes
 * @param taken the references of documents that are there
 */
export function addStep(
	document: ItemDocument,
	former?: DocumentAnswer,
	taken?: ReadonlySet<unknown>,
): PlannedStep {
	const { file, content, rule, hint } = document.planned;
	const position = document.fields.bundle_position ?? former?.bundle_position;
	const fields: IDataObject = {
		...document.fields,
		...(position != null && { bundle_position: position }),
	};
	const inCall = (call: OperationCall) => ({ ...parseTarget(call.params), fields });
	const reference = referenceOf(document, taken);
	return {
		// Another wish, or another one to be replaced, is another write of a later try.
		key: `document-${referenceOf(document)}-${plainId(String(former?.id ?? ''))}`,
		action: former === undefined ? 'add' : 'replace',
		what: file,
		sentence:
			former === undefined
				? `Add '${file}' by rule ${rule.row}`
				: `Replace ${fileOf(former).name} with '${file}'`,
		write: defineWrite({
			parse: () => fields,
			send: async (call) =>
				await sendNewDocument(call, inCall(call), content, { isWanted: true, value: reference }),
			goal: (call) => addedGoal({ ...call, ...inCall(call) }),
			result(call, { id, document_name: name }) {
				noteContent(call, id, document.content);
				const shown = { document_id: id, document_name: name ?? fields.filename, file };
				return {
					json: { document_id: id, documents: [{ ...shown, rule: rule.row }] },
					hint: joined([hint, referenceHint(call)]),
				};
			},
		}),
	};
}

/** Changes what an update sets of a document that is there. */
export function updateStep(
	file: string,
	document: DocumentAnswer,
	changes: IDataObject,
): PlannedStep {
	const documentId = String(document.id);
	const placeOf = (call: OperationCall) => ({ ...parseTarget(call.params), documentId });
	return {
		key: `change-${documentId}-${tailOf(JSON.stringify(changes))}`,
		action: 'change',
		what: file,
		sentence: `Change what holds for ${fileOf(document).name}`,
		write: updateWrite(placeOf, changes, document, () => ({ json: {} })),
	};
}

/**
 * Deletes a document, once the service has read those that stay.
 * @param all what is deleted
 */
export function deleteStep(item: Item, { document, why }: Deletion, all: Deletion[]): PlannedStep {
	const { name } = fileOf(document);
	const documentId = String(document.id);
	return {
		key: `delete-${documentId}`,
		action: 'delete',
		what: name,
		sentence: `Delete ${name} (${documentId}): ${why}`,
		write: removeWrite(
			(call) => ({ ...parseTarget(call.params), documentId }),
			() => ({ json: {} }),
			async (call, place) => {
				const now = await waitForDocuments(call.service, place, {
					limitMs: item.limitMs,
					besides: all.map((one) => String(one.document.id)),
				});
				const isThere = now.documents?.some(({ id }) => sameId(id, documentId)) !== false;
				return isThere ? undefined : new Found({ json: {} });
			},
		),
	};
}

/**
 * Adds the eNote. A closing has one at most, so that another one is deleted before.
 * @param former whether there's another one
 */
export function enoteStep(
	{ body, content }: NonNullable<Item['enote']>,
	former: boolean,
): PlannedStep {
	const platform = 'realEstate';
	return {
		key: 'enote',
		action: former ? 'replace' : 'add',
		what: 'eNote',
		sentence: former ? 'Delete the eNote, and add that of the item' : 'Add the eNote',
		write: defineWrite({
			parse: () => body,
			async send(call) {
				const { service, steps, params } = call;
				const { transactionId } = parseTarget(params);
				if (former && steps.all().length === 0) {
					await write(
						service,
						async () => await service.json('deleteEnote', { path: { transactionId }, platform }),
						enoteDeletedGoal(service, transactionId),
					);
					steps.add('deleted');
				}
				return await sendEnote(service, transactionId, body);
			},
			goal: (call) => enoteAddedGoal(call, parseTarget(call.params).transactionId, keptFile(body)),
			result(call, { id }) {
				noteContent(call, id, content);
				return { json: {} };
			},
		}),
	};
}
