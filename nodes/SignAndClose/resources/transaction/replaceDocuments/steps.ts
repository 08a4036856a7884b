import { ExplainedFailure } from '../../../messages/failures';
import { defineWrite, type OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import type { Failure, ServiceFailure } from '../../../transport/failure/failure';
import { asObjects } from '../../../values/json';
import { listDocuments } from '../../document/api';
import { defineUpdateWrite } from '../../document/writes';
import type { PlannedStep } from '../createAndSend/steps/plannedSteps';
import { buildPhaseGoal, buildRecallRequest, parseTransactionTarget, sendMove } from '../api';
import { isStillDraft } from '../documentWait';
import { noteRecall } from '../executionNotes';
import type { PapersComparison } from './comparison';
import type { ReplacementItem } from './item';
import { describeFinality } from './refusals';

/* Steps of a plan that only the replacing of documents has. */

/** The transaction is there. */
export const buildFoundStep = (
	{ transaction, isSent }: PapersComparison,
	isUnchanged: boolean,
): PlannedStep => ({
	key: 'transaction',
	action: 'keep',
	what: 'transaction',
	sentence: `${transaction.id} is there`,
	existing: {
		json: { transaction_id: transaction.id },
		counted: isUnchanged ? (isSent ? 'already sent' : 'equal') : 'updated',
	},
});

/**
 * Takes the transaction back from its signers. The reason that the service keeps has the mark of the
 * plan, so that a later run of these papers goes on.
 * Sent twice, the second one could come after the sending.
 * @param isDue whether it's with its signers; otherwise, an earlier try may have lost the answer
 * @returns undefined if nobody has recalled it for these papers
 */
export function buildRecallStep(
	{ reason, mark }: ReplacementItem,
	comparison: PapersComparison,
	isDue: boolean,
): PlannedStep | undefined {
	if (!isDue && comparison.recalled !== 'here') return undefined;
	return {
		key: 'recall',
		action: isDue ? 'recall' : 'keep',
		what: 'transaction',
		name: 'Recall',
		sentence: isDue ? 'Recall it from its signers' : 'It stands recalled',
		...(!isDue && { existing: { json: {} } }),
		write: defineWrite({
			parse: () => ({}),
			async send({ service, params }) {
				const target = parseTransactionTarget(params);
				const { transactionId, platform } = target;
				requireAsPlanned(comparison, await retrieveTransaction(service, transactionId, platform));
				const request = buildRecallRequest(`${reason} (${mark})`);
				return await sendMove(service, 'recallTransaction', target, request);
			},
			goal: ({ service, params }) =>
				buildPhaseGoal(service, 'recallTransaction', parseTransactionTarget(params)),
			result(call, transaction) {
				noteRecall(call, transaction.id);
				// Somebody may have signed since it was looked at.
				const finality = describeFinality(transaction);
				if (finality === undefined) return { json: { is_recalled: true } };
				throw new ExplainedFailure(
					finality,
					'It was recalled meanwhile, and none of its documents was replaced',
					{ final: true, unresumable: true },
				);
			},
		}),
	};
}

/**
 * Says why a refused step can't be done by a new run either: somebody has signed, or it has ended.
 * Nothing shows why a recall is refused otherwise, and the service's text has its own remedy.
 */
export async function explainRefusedStep(
	{ service, params }: OperationCall,
	action: PlannedStep['action'],
	refusal: ServiceFailure,
): Promise<Failure | undefined> {
	const { transactionId, platform } = parseTransactionTarget(params);
	const now = await retrieveTransaction(service, transactionId, platform).catch(() => undefined);
	const finality = now && describeFinality(now);
	const flags = { ...refusal.flags, unresumable: true };
	if (finality !== undefined)
		return new ExplainedFailure(finality, 'Nothing more was changed', flags);
	return action === 'recall' ? refusal.withFlags(flags) : undefined;
}

/** What gets the Tracking ID of a document: the one of a file, and that itself if it's there already. */
export interface TrackingHeir {
	file: string;
	current?: DocumentAnswer;
}

/**
 * Another run may have replaced the documents since: what it has sent isn't recalled.
 * @throws ExplainedFailure when the transaction isn't as the plan has seen it
 */
function requireAsPlanned({ transaction }: PapersComparison, now: TransactionAnswer): void {
	if (describeVersion(transaction) === describeVersion(now)) return;
	throw new ExplainedFailure(
		`${now.id} was changed while the item was under way`,
		"This run changed nothing. If another one is at work, wait until it's done",
		{ final: true },
	);
}

const describeVersion = (transaction: TransactionAnswer): string => {
	const ids = listDocuments(transaction).map(({ id }) => id);
	return [isStillDraft(transaction), ...ids.sort()].join(' ');
};

/**
 * Gives a new document the Tracking ID of the one that it has replaced. Until then, its reference says
 * what it replaces.
 */
export function buildTrackingStep(
	{ file, current }: TrackingHeir,
	trackingId: string,
): PlannedStep {
	const findPlace = (call: OperationCall) => {
		const newDocument = call.before
			.flatMap(({ json }) => asObjects(json.documents))
			.find((candidate) => candidate.file === file);
		return {
			...parseTransactionTarget(call.params),
			documentId: String(current?.id ?? newDocument?.document_id),
		};
	};
	return {
		key: `tracking-${trackingId}`,
		action: 'change',
		what: file,
		name: `The Tracking ID ${trackingId} of ${file}`,
		sentence: `Give '${file}' the Tracking ID ${trackingId}`,
		write: defineUpdateWrite(findPlace, { tracking_id: trackingId }, {}, () => ({ json: {} })),
	};
}
