import type { IDataObject } from 'n8n-workflow';

import { lookUpOf, type OperationCall } from '../../../run/operation';
import { mapSeen, notDone, write } from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasLapsed, wrongState } from '../../../transport/answers/transactionState';
import { sameId } from '../../../values/ids';
import { fewerDesignations, goalOfNew, sendNewDocument } from '../../document/adding';
import { documentsOf } from '../../document/api';
import { removedGoal } from '../../document/goals';
import { enoteAddedGoal, sendEnote } from '../../enote/api';
import { joined, referenceHint } from '../../shared/hints';
import { documentByReference, inTransaction } from '../../shared/toCheck';
import { phaseGoal, sendDraft, type Target } from '../api';
import { findingsOf, requireComplete, toSummary } from '../check/check';
import { allFacts, shownFacts } from '../check/facts';
import { withSigningLinks } from '../form/sendOptions';
import { transactionJson } from '../output';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import { referenceOf, type PlannedDocument } from './documents';
import type { Plan } from './plan';
import { resultOf, step, type Step, type StepWrite } from './step';

/* The writes to a transaction that's found or created. */

/** Adds a document, unless it's there. */
export function add({ platform }: Plan, document: PlannedDocument): StepWrite {
	const { file, fields, content, rule } = document;
	const inCall = ({ params }: OperationCall) => ({
		transactionId: params.requiredLocator('transactionId'),
		platform,
		fields,
	});
	const what = `document '${file}'`;
	const added = (
		call: OperationCall,
		{ id, document_name: name }: TransactionAnswer | IDataObject,
	) =>
		resultOf(
			{ documents: [{ document_id: id, document_name: name ?? fields.filename, file, rule }] },
			[step(what)],
			{ hint: joined([document.hint, referenceHint(call)]) },
		);
	return {
		async write(call, { transaction_id: id, isSent, there, replaced }) {
			if (isSent) return resultOf({}, []);
			const own = referenceOf(id, document);
			if (there[own] !== undefined) return resultOf({}, [step(what, 'found')]);
			await remove(call, { transactionId: id, platform }, replaced[own] ?? []);
			const reference = { isWanted: true, own };
			return added(call, await sendNewDocument(call, inCall(call), content, reference));
		},
		ifLost: {
			async lookUp(call) {
				// What was lost is the deletion before it, which can be done again.
				if (call.sending.get() === undefined) return notDone({ still: 'missing' });
				const seen = await goalOfNew(call, inCall(call)).fromService();
				return mapSeen(seen, (shown) => added(call, shown));
			},
			...documentByReference(() => fields.tracking_id),
		},
	};
}

/** Deletes those of some documents that an earlier try hasn't deleted. */
async function remove(
	{ service }: OperationCall,
	{ transactionId, platform }: Target,
	documentIds: string[],
): Promise<void> {
	if (documentIds.length === 0) return;
	const shown = documentsOf(await retrieveTransaction(service, transactionId, platform));
	for (const documentId of documentIds.filter((one) => shown.some(({ id }) => sameId(id, one)))) {
		const place = { transactionId, documentId };
		await write(
			service,
			async () => await service.json('deleteDocument', { path: place, platform }),
			removedGoal(service, { ...place, platform }),
		);
	}
}

/** Adds the eNote, unless the closing shows one. */
export function addEnote(enote: object): StepWrite {
	const added = () => resultOf({}, [step('eNote')]);
	return {
		async write(call, { transaction_id: id, isSent, hasEnote }) {
			if (isSent) return resultOf({}, []);
			if (hasEnote) return resultOf({}, [step('eNote', 'found')]);
			await sendEnote(call, id, enote);
			return added();
		},
		ifLost: {
			async lookUp(call) {
				const id = call.params.requiredLocator('transactionId');
				return mapSeen(await enoteAddedGoal(call.service, id, lookUpOf(call)).fromService(), added);
			},
			toCheck: inTransaction('whether the closing has the new eNote'),
			canTell: () => true,
		},
	};
}

/** Does what the item wants once everything is in the draft. */
export function end(plan: Plan): StepWrite {
	const { platform, then, sendOptions, limitMs, names } = plan;
	const targetOf = ({ params }: OperationCall) => ({
		transactionId: params.requiredLocator('transactionId'),
		platform,
	});
	const shown = (call: OperationCall, transaction: TransactionAnswer, steps: Step[], more = {}) => {
		const { json, hint } = withSigningLinks(
			{ json: transactionJson(call.params, transaction) },
			transaction,
			call.params,
		);
		return resultOf({ shown: json, ...more }, steps, { hint });
	};
	return {
		async write(call, { isSent }) {
			const { service, context } = call;
			const target = targetOf(call);
			if (isSent || then === 'draft')
				return shown(call, await retrieveTransaction(service, target.transactionId, platform), []);
			const skipsClosingTeam = sendOptions.skip_closing_ops === true;
			const draft = await waitForDocuments(service, target, {
				limitMs,
				signal: context.getExecutionCancelSignal(),
				check(now) {
					if (then === 'send')
						requireComplete({ ...shownFacts(call, now, platform), skipsClosingTeam });
				},
			});
			if (hasLapsed(draft)) throw wrongState('send', draft);
			if (!isStillDraft(draft)) return shown(call, draft, [step('send', 'found')]);
			const steps = [step('documents processed'), step('check')];
			const lost = lostDesignations(plan, draft);
			if (then === 'send') {
				const sent = await sendDraft(service, target, sendOptions);
				const result = shown(call, sent, [...steps, step('send')]);
				return { ...result, hint: joined([lost, result.hint]), counted: 'sent' };
			}
			const facts = { ...(await allFacts(call, draft, target)), skipsClosingTeam, enote: names };
			const check = toSummary(draft, findingsOf(facts));
			return { ...shown(call, draft, steps, { check }), hint: lost };
		},
		ifLost: {
			async lookUp(call) {
				const goal = phaseGoal(call.service, 'sendTransaction', targetOf(call));
				return mapSeen(await goal.fromService(), (now) => shown(call, now, [step('send')]));
			},
			toCheck: inTransaction('whether the transaction is sent'),
			canTell: () => true,
		},
	};
}

/** Says of which documents the service shows fewer designations than it was sent. */
function lostDesignations(
	{ documents }: Plan,
	{ id, documents: shown }: TransactionAnswer,
): string | undefined {
	return joined(
		documents.map((document) => {
			const own = shown?.find((one) => one.tracking_id === referenceOf(id, document));
			const lost = own && fewerDesignations(document.fields, own);
			return lost && `${document.file}: ${lost}`;
		}),
	);
}
