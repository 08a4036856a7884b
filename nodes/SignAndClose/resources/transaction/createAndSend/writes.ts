import type { IDataObject } from 'n8n-workflow';

import {
	lookUpOf,
	unprepared,
	type OperationCall,
	type OperationResult,
} from '../../../run/operation';
import { mapSeen, write } from '../../../run/outcome/goals';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasLapsed, wrongState } from '../../../transport/answers/transactionState';
import { isNotFound, ServiceFailure } from '../../../transport/failure/failure';
import { toBody } from '../../../transport/files/streamedJson';
import { plainId, sameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { tailOf } from '../../../values/reference';
import { fewerDesignations, goalOfNew, sendNewDocument } from '../../document/adding';
import { fileOf } from '../../document/api';
import type { WantedDocument } from '../../document/comparison';
import { asPart, removeWrite, updateWrite } from '../../document/writes';
import type { ItemChanges } from '../../drafts/comparison';
import { planUpdate, sendUpdate, updatedGoal } from '../../drafts/draftUpdate';
import { enoteAddedGoal, enoteDeletedGoal, sendEnote } from '../../enote/api';
import { changeHint, joined, referenceHint } from '../../shared/hints';
import { documentByReference, inTransaction } from '../../shared/toCheck';
import { phaseGoal, sendDraft, type Target } from '../api';
import { findingsOf, requireComplete, toSummary } from '../check/check';
import { allFacts, shownFacts } from '../check/facts';
import { sendClosing } from '../created';
import { createClaimed, createToCheck, lookUpCreate } from '../existing/ifExists';
import { withSigningLinks } from '../form/sendOptions';
import { transactionJson } from '../output';
import { noteContent } from '../ownDoings';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import type { Found } from './compare';
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
	const created = ({ json }: OperationResult): OperationResult => ({
		json: { transaction_id: json.transaction_id, existing: false },
		counted: 'created',
	});
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
		prepare: unprepared(async (now) => {
			const made = await createClaimed(asCreate(now), parsed, send);
			await requireOwn(now, item, made.json);
			return created(made);
		}),
		ifLost: {
			lookUp: async (now) => mapSeen(await lookUpCreate(asCreate(now), parsed), created),
			...createToCheck(() => parsed.body.external_id),
		},
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
	made: IDataObject,
): Promise<void> {
	if (asText(made[key.field]) === key.value) return;
	const id = String(made.transaction_id);
	try {
		const shown = await retrieveTransaction(service, id, platform, true);
		if ((asText(shown[key.field]) ?? key.value) === key.value && sameId(shown.id, id)) return;
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
	{ transaction }: Found,
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
		prepare: unprepared(async (call) => {
			const changed = await sendUpdate(call.service, update);
			return { json: {}, hint: changeHint(params, changed) };
		}),
		ifLost: {
			lookUp: async (call) =>
				mapSeen(await updatedGoal(call.service, update).fromService(), () => ({ json: {} })),
			toCheck: inTransaction('whether the transaction shows the change'),
		},
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
	const added = (
		call: OperationCall,
		{ id, document_name: name }: DocumentAnswer | IDataObject,
	): OperationResult => {
		noteContent(call, id, wanted.content);
		const shown = { document_id: id, document_name: name ?? fields.filename, file };
		return {
			json: { documents: [{ ...shown, rule: rule.row }] },
			hint: joined([document.hint, referenceHint(call)]),
		};
	};
	const reference = { isWanted: true, own: referenceOf(document, wanted, taken) };
	return {
		// Another wish, or another one to be replaced, is another write of a later try.
		key: `document-${referenceOf(document, wanted)}-${plainId(String(former?.id ?? ''))}`,
		action: former === undefined ? 'add' : 'replace',
		what: file,
		sentence:
			former === undefined
				? `Add '${file}' by rule ${rule.row}`
				: `Replace ${fileOf(former).name} with '${file}'`,
		prepare: unprepared(async (call) =>
			added(call, await sendNewDocument(call, inCall(call), content, reference)),
		),
		ifLost: {
			lookUp: async (call) =>
				mapSeen(await goalOfNew(call, inCall(call)).fromService(), (shown) => added(call, shown)),
			...documentByReference(() => fields.tracking_id),
		},
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
		...asPart(updateWrite(placeOf, changes, document), () => ({ json: {} })),
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
	const removal = removeWrite((call) => ({ ...targetOf(item, call), documentId }));
	const execute = async (call: OperationCall) => {
		const now = await waitForDocuments(call.service, targetOf(item, call), {
			limitMs: item.limitMs,
			signal: call.context.getExecutionCancelSignal(),
			besides: all.map(({ id }) => String(id)),
		});
		const isThere = now.documents?.some(({ id }) => sameId(id, documentId)) !== false;
		return isThere ? await removal.execute(call) : true;
	};
	return {
		key: `delete-${documentId}`,
		action: 'delete',
		what: name,
		sentence: `Delete ${name} (${documentId}): ${why}`,
		...asPart({ ...removal, execute }, () => ({ json: {} })),
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
		prepare: unprepared(async (call) => {
			const transactionId = idIn(call);
			const request = { path: { transactionId }, platform: 'realEstate' as const };
			if (former && call.steps.all().length === 0) {
				await write(
					call.service,
					async () => await call.service.json('deleteEnote', request),
					enoteDeletedGoal(call.service, transactionId),
				);
				call.steps.add('deleted');
			}
			const { id } = await sendEnote(call, transactionId, body);
			noteContent(call, id, content);
			return { json: {} };
		}),
		ifLost: {
			async lookUp(call) {
				const goal = enoteAddedGoal(call.service, idIn(call), lookUpOf(call));
				return mapSeen(await goal.fromService(), () => ({ json: {} }));
			},
			toCheck: inTransaction('whether the closing has the new eNote'),
			canTell: () => true,
		},
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
	const execute = async (call: OperationCall, before: OperationResult[]) => {
		const { service, context } = call;
		const target = targetOf(item, call);
		if (then === 'draft' || (untouched !== undefined && !isStillDraft(untouched)))
			return shown(
				call,
				untouched ?? (await retrieveTransaction(service, target.transactionId, platform)),
			);
		const skipsClosingTeam = sendOptions.skip_closing_ops === true;
		const draft = await waitForDocuments(service, target, {
			limitMs,
			signal: context.getExecutionCancelSignal(),
			isFresh: before.some(({ json }) => asObjects(json.documents).length > 0),
			known: untouched,
			check(now) {
				if (then === 'send')
					requireComplete({ ...shownFacts(call, now, platform), skipsClosingTeam });
			},
		});
		if (hasLapsed(draft)) throw wrongState('send', draft);
		if (!isStillDraft(draft)) return shown(call, draft);
		const differing = await verify(call, draft);
		const lost = lostDesignations(item, before, draft);
		if (then === 'send') {
			const result = shown(call, await sendDraft(service, target, sendOptions));
			return { ...result, hint: joined([lost, result.hint]), counted: 'sent' };
		}
		const facts = { ...(await allFacts(call, draft, target)), skipsClosingTeam, enote: names };
		const missing = [...new Set([...item.incomplete, ...stops, ...differing])].map((text) => ({
			state: 'missing' as const,
			text,
			code: 'draft' as const,
			field: '',
		}));
		const check = toSummary(draft, [...findingsOf(facts), ...missing]);
		return { ...shown(call, draft, { check }), hint: lost };
	};
	return {
		key: then,
		...step,
		prepare: unprepared(execute),
		ifLost: {
			async lookUp(call) {
				const goal = phaseGoal(call.service, 'sendTransaction', targetOf(item, call));
				return mapSeen(await goal.fromService(), (now) => shown(call, now));
			},
			toCheck: inTransaction('whether the transaction is sent'),
			canTell: () => true,
		},
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
