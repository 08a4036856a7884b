import type { IDataObject } from 'n8n-workflow';

import {
	defineWrite,
	Found,
	type OperationCall,
	type OperationResult,
} from '../../../run/operation';
import { write } from '../../../run/outcome/write';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasLapsed, wrongState } from '../../../transport/answers/transactionState';
import { isNotFound, ServiceFailure } from '../../../transport/failure/failure';
import { toBody } from '../../../transport/files/streamedJson';
import { plainId, sameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { tailOf } from '../../../values/reference';
import { addedGoal, fewerDesignations, sendNewDocument } from '../../document/adding';
import { fileOf } from '../../document/api';
import type { WantedDocument } from '../../document/comparison';
import { removeWrite, updateWrite } from '../../document/writes';
import type { ItemChanges } from '../../drafts/comparison';
import { planUpdate, requestUpdate, updatedGoal } from '../../drafts/draftUpdate';
import { enoteAddedGoal, enoteDeletedGoal, sendEnote } from '../../enote/api';
import { keptFile } from '../../enote/form';
import { changeHint, joined, referenceHint } from '../../shared/hints';
import { phaseGoal, sendBody, sendMove, type Target } from '../api';
import { findingsOf, requireComplete, toSummary } from '../check/check';
import { allFacts, shownFacts } from '../check/facts';
import { createdGoal, createdResult, sendClosing, sendNew } from '../created';
import { CREATING } from '../existing/ifExists';
import { withSigningLinks } from '../form/sendOptions';
import { transactionJson } from '../output';
import { noteContent } from '../ownDoings';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import type { FoundTransaction } from './compare';
import { referenceOf, type PlannedDocument } from './documents';
import { asCreate } from './form';
import type { Item } from './item';
import type { PlannedStep } from './steps';

/* The writes that the steps of a plan are. */

const targetOf = ({ platform }: Item, { params }: OperationCall): Target => ({
	transactionId: params.requiredLocator('transactionId'),
	platform,
});

/** What tells a change from another one of the same item. */
const hashOf = (changes: IDataObject): string => tailOf(JSON.stringify(changes));

/** Creates the transaction. */
export function createStep(call: OperationCall, item: Item, sentence: string): PlannedStep {
	const { platform, transaction: parsed } = item;
	const send = async (reference: IDataObject) =>
		platform === 'realEstate'
			? await sendClosing(call.service, parsed, reference)
			: await call.service.json('createTransaction', {
					platform,
					...toBody({ ...parsed.body, ...reference }),
				});
	return {
		key: 'create',
		action: 'create',
		what: 'transaction',
		sentence,
		write: defineWrite({
			parse: () => parsed,
			async send(now) {
				now.steps.add(CREATING);
				return await sendNew(asCreate(now), parsed, send);
			},
			goal: (now) => createdGoal({ ...now, ...parsed }),
			async result(now, transaction) {
				const { json } = createdResult(asCreate(now), transaction, parsed);
				await requireOwn(now, item, transaction);
				return {
					json: { transaction_id: json.transaction_id, existing: false },
					counted: 'created',
				};
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
	{ service, params }: OperationCall,
	{ platform, wish: { notShown } }: Item,
	{ transaction }: FoundTransaction,
	changes: ItemChanges,
	sentence: string,
): PlannedStep {
	const { assuranceField } = service.settings;
	const update = planUpdate(transaction, platform, assuranceField, { ...changes, notShown });
	return {
		key: `change-${hashOf(changes.fields)}`,
		action: 'change',
		what: 'transaction',
		sentence,
		write: defineWrite({
			parse: () => update,
			send: async (now) => await requestUpdate(now.service, update),
			goal: (now) => updatedGoal(now.service, update),
			result: (_now, changed) => ({ json: {}, hint: changeHint(params, changed) }),
		}),
	};
}

/**
 * Adds a document.
 * @param former the one in whose place it comes, and whose position it takes
 * @param taken the references of documents that are there
 */
export function addStep(
	item: Item,
	document: PlannedDocument,
	wanted: WantedDocument,
	former: DocumentAnswer | undefined,
	taken?: ReadonlySet<unknown>,
): PlannedStep {
	const { file, content, rule } = document;
	const position = wanted.fields.bundle_position ?? former?.bundle_position;
	const fields: IDataObject = {
		...wanted.fields,
		...(position != null && { bundle_position: position }),
	};
	const inCall = (call: OperationCall) => ({ ...targetOf(item, call), fields });
	const reference = referenceOf(document, wanted, taken);
	return {
		// Another wish, or another one to be replaced, is another write of a later try.
		key: `document-${referenceOf(document, wanted)}-${plainId(String(former?.id ?? ''))}`,
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
				noteContent(call, id, wanted.content);
				const shown = { document_id: id, document_name: name ?? fields.filename, file };
				return {
					json: { document_id: id, documents: [{ ...shown, rule: rule.row }] },
					hint: joined([document.hint, referenceHint(call)]),
				};
			},
		}),
	};
}

/** Changes what an update sets of a document that is there. */
export function updateStep(
	item: Item,
	{ file }: PlannedDocument,
	document: DocumentAnswer,
	changes: IDataObject,
): PlannedStep {
	const documentId = String(document.id);
	const placeOf = (call: OperationCall) => ({ ...targetOf(item, call), documentId });
	return {
		key: `change-${documentId}-${hashOf(changes)}`,
		action: 'change',
		what: file,
		sentence: `Change what holds for ${fileOf(document).name}`,
		write: updateWrite(placeOf, changes, document, () => ({ json: {} })),
	};
}

/**
 * Deletes a document, once the service has read those that stay.
 * @param all the documents that are deleted
 */
export function deleteStep(
	item: Item,
	{ document, why }: { document: DocumentAnswer; why: string },
	all: readonly DocumentAnswer[],
): PlannedStep {
	const { name } = fileOf(document);
	const documentId = String(document.id);
	const write = removeWrite(
		(call) => ({ ...targetOf(item, call), documentId }),
		() => ({ json: {} }),
		async (call, place) => {
			const now = await waitForDocuments(call.service, place, {
				limitMs: item.limitMs,
				besides: all.map(({ id }) => String(id)),
			});
			const isThere = now.documents?.some(({ id }) => sameId(id, documentId)) !== false;
			return isThere ? undefined : new Found({ json: {} });
		},
	);
	return {
		key: `delete-${documentId}`,
		action: 'delete',
		what: name,
		sentence: `Delete ${name} (${documentId}): ${why}`,
		write,
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
	const idIn = ({ params }: OperationCall) => params.requiredLocator('transactionId');
	return {
		key: 'enote',
		action: former ? 'replace' : 'add',
		what: 'eNote',
		sentence: former ? 'Delete the eNote, and add that of the item' : 'Add the eNote',
		write: defineWrite({
			parse: () => body,
			async send(call) {
				const { service, steps } = call;
				const transactionId = idIn(call);
				if (former && steps.all().length === 0) {
					const request = { path: { transactionId }, platform: 'realEstate' as const };
					await write(
						service,
						async () => await service.json('deleteEnote', request),
						enoteDeletedGoal(service, transactionId),
					);
					steps.add('deleted');
				}
				return await sendEnote(service, transactionId, body);
			},
			goal: (call) => enoteAddedGoal(call, idIn(call), keptFile(body)),
			result(call, { id }) {
				noteContent(call, id, content);
				return { json: {} };
			},
		}),
	};
}

/** What happens once everything is in the draft. */
interface End {
	/** The transaction as it was found, if nothing is written to it. */
	untouched?: TransactionAnswer;
	/** What stands against sending, in sentences without a final period. */
	stops: string[];
	/** Compares the draft with the item once more. @throws what differs, if it's to be sent */
	verify(call: OperationCall, draft: TransactionAnswer): Promise<string[]>;
}

/** Does what the item wants once everything is in the draft. */
export function endStep(
	item: Item,
	{ untouched, stops, verify }: End,
	step: Pick<PlannedStep, 'action' | 'what' | 'sentence'>,
): PlannedStep {
	const { platform, then, sendOptions, limitMs, names } = item;
	const shown = (call: OperationCall, transaction: TransactionAnswer, more: IDataObject = {}) => {
		const { json, hint } = withSigningLinks(
			{ json: transactionJson(call.params, transaction) },
			transaction,
			call.params,
		);
		return { json: { shown: json, ...more }, hint };
	};
	/** Ends the item without sending, if it's to be so. */
	const approach = async (call: OperationCall, target: Target) => {
		const { service, before } = call;
		if (then === 'draft' || (untouched !== undefined && !isStillDraft(untouched)))
			return new Found(
				shown(
					call,
					untouched ?? (await retrieveTransaction(service, target.transactionId, platform)),
				),
			);
		const skipsClosingTeam = sendOptions.skip_closing_ops === true;
		const draft = await waitForDocuments(service, target, {
			limitMs,
			isFresh: before.some(({ json }) => asObjects(json.documents).length > 0),
			known: untouched,
			check(now) {
				if (then === 'send')
					requireComplete({ ...shownFacts(call, now, platform), skipsClosingTeam });
			},
		});
		if (hasLapsed(draft)) throw wrongState('send', draft);
		if (!isStillDraft(draft)) return new Found(shown(call, draft));
		const differing = await verify(call, draft);
		lost = lostDesignations(item, before, draft);
		if (then === 'send') return undefined;
		const facts = { ...(await allFacts(call, draft, target)), skipsClosingTeam, enote: names };
		const missing = [...new Set([...item.incomplete, ...stops, ...differing])].map((text) => ({
			state: 'missing' as const,
			text,
			code: 'draft' as const,
			field: '',
		}));
		const check = toSummary(draft, [...findingsOf(facts), ...missing]);
		return new Found({ ...shown(call, draft, { check }), hint: lost });
	};
	let lost: string | undefined;
	return {
		key: then,
		...step,
		write: defineWrite({
			parse: () => sendBody(sendOptions),
			async send(call, options) {
				const target = targetOf(item, call);
				return (
					(await approach(call, target)) ??
					(await sendMove(call.service, 'sendTransaction', target, options))
				);
			},
			goal: (call) => phaseGoal(call.service, 'sendTransaction', targetOf(item, call)),
			result(call, now) {
				const { json, hint } = shown(call, now);
				return { json, hint: joined([lost, hint]), counted: 'sent' };
			},
		}),
	};
}

/** Says of which documents the service shows fewer designations than it was sent. */
function lostDesignations(
	{ documents }: Item,
	before: OperationResult[],
	{ documents: shown }: TransactionAnswer,
): string | undefined {
	const added = before.flatMap(({ json }) => asObjects(json.documents));
	return joined(
		documents.map((document) => {
			const id = asText(added.find(({ file }) => file === document.file)?.document_id);
			const own = id === undefined ? undefined : shown?.find((one) => sameId(one.id, id));
			const lost = own && fewerDesignations(document.fields, own);
			return lost === undefined ? undefined : `${document.file}: ${lost}`;
		}),
	);
}
