import { ExplainedFailure } from '../../../messages/failures';
import { defineWrite, ExistingResult, type OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { hasEndedUnfinished } from '../../../transport/answers/transactionState';
import { isSameId } from '../../../values/ids';
import { asObjects } from '../../../values/json';
import { describeTransactionCheck } from '../../../form/lostAnswers';
import { formatSignerName, hasSigned } from '../../signer/api';
import {
	buildGoneGoal,
	parseTransactionTarget,
	sendDeletion,
	showsTransaction,
	type TransactionTarget,
} from '../api';
import { withStepReason, type PlannedStep } from '../createAndSend/steps/plannedSteps';
import { buildAdditionStep } from '../createAndSend/steps/documentSteps';
import { buildCreateStep } from '../createAndSend/steps/transactionSteps';
import { waitForDocuments } from '../documentWait';
import type { NewTransaction } from '../ifExists/creation';
import type { NumberKey } from '../ifExists/options';
import { formatTransaction } from '../output';
import type { CopiedDocuments } from './documents';
import type { CopyChoices } from './form';

/* The steps of a copy: create it, add its documents, look at it, delete the old transaction. */

/** The number by which a copy is found: that of a person, or else the node's own reference. */
export const findCopyKey = ({ body, ownReference }: NewTransaction): NumberKey => ({
	field: 'external_id',
	value: String(body.external_id ?? ownReference),
});

/** What there is of a transaction and its copy. */
export interface CopyState {
	/** The old transaction; undefined once it's deleted. */
	old?: TransactionAnswer;
	/** The copy as it's to be. */
	transaction?: NewTransaction;
	/** The copy as it's there. */
	copy?: TransactionAnswer;
	documents: CopiedDocuments;
}

/** The steps of a copy, in order. */
export function planCopy(choices: CopyChoices, state: CopyState): PlannedStep[] {
	const { documents } = state;
	const present = documents.present.map((document): PlannedStep => ({
		...document,
		action: 'keep',
		what: '',
		sentence: '',
		existing: { json: {} },
	}));
	return [
		buildFirstStep(choices, state),
		...present,
		...documents.additions.map(buildAdditionStep),
		buildLook(),
		...(choices.deletesOld && state.old?.status !== 'deleted'
			? [buildDeletion(choices, state)]
			: []),
	];
}

function buildFirstStep(
	{ platform, transactionId }: CopyChoices,
	{ old, transaction, copy }: CopyState,
): PlannedStep {
	const people = (old?.signers ?? []).map(formatSignerName).join(' and ');
	const create =
		transaction &&
		buildCreateStep(
			{ platform, transaction, key: findCopyKey(transaction), then: 'draft' },
			`Create a copy of ${transactionId} for ${people}`,
		);
	if (create !== undefined && copy === undefined) return create;
	return {
		...create,
		key: 'create',
		name: 'Transaction',
		action: 'keep',
		what: 'transaction',
		sentence: `${copy?.id} is there`,
		existing: { json: { transaction_id: copy?.id, existing: true }, counted: 'copied before' },
	};
}

/** Looks at the copy, which is what comes out. */
const buildLook = (): PlannedStep => ({
	key: 'look',
	name: 'Copy',
	action: 'keep',
	what: '',
	sentence: '',
	write: defineWrite({
		parse: () => ({}),
		async send(call) {
			const { transactionId, platform } = parseTransactionTarget(call.params);
			const copy = await retrieveTransaction(call.service, transactionId, platform);
			return new ExistingResult(formatCopy(call, copy));
		},
		goal: ({ params }) => ({
			fromAnswer: showsTransaction,
			toCheck: describeTransactionCheck(
				parseTransactionTarget(params).transactionId,
				'whether the copy is there',
			),
		}),
		result: formatCopy,
	}),
});

const formatCopy = ({ params }: OperationCall, copy: TransactionAnswer) => ({
	json: { shown: formatTransaction(params, copy) },
});

/** Deletes the old transaction, once the copy is there with all of its documents. */
function buildDeletion(
	{ transactionId, platform, limitMs }: CopyChoices,
	{ old }: CopyState,
): PlannedStep {
	const target: TransactionTarget = { transactionId, platform };
	const deletion: PlannedStep = {
		key: 'delete',
		name: 'Deletion',
		action: 'delete',
		what: 'old transaction',
		sentence: `Delete ${transactionId}`,
		write: defineWrite({
			parse: () => target,
			async send(call) {
				if (old === undefined) return new ExistingResult({ json: {} });
				await requireCopy(call, transactionId, limitMs);
				return await sendDeletion(call.service, target);
			},
			goal: ({ service }) => buildGoneGoal(service, target),
			result: () => ({ json: {} }),
			repeats: true,
		}),
	};
	return withStepReason(deletion, async ({ service }, { flags }) => {
		const now = await retrieveTransaction(service, transactionId, platform).catch(() => undefined);
		if (now === undefined || !hasSigned(now)) return undefined;
		return new ExplainedFailure(
			`Somebody has signed in ${transactionId} meanwhile, so the service doesn't delete it`,
			"Two are there now: delete the copy with 'Transaction: Delete', unless the old one is to end by itself",
			{ ...flags, unresumable: true },
		);
	});
}

/** @throws ExplainedFailure when the copy doesn't show what was added to it */
async function requireCopy(call: OperationCall, oldId: string, limitMs: number): Promise<void> {
	const additions = call.before.flatMap(({ json }) => asObjects(json.documents));
	const copy = await waitForDocuments(call.service, parseTransactionTarget(call.params), {
		limitMs,
		isFresh: additions.length > 0,
	});
	const missing = additions.filter(
		({ document_id: id }) => copy.documents?.some((document) => isSameId(document.id, id)) !== true,
	);
	if (missing.length === 0 && !hasEndedUnfinished(copy)) return;
	const names = missing.map(({ document_name: name }) => String(name)).join(', ');
	throw new ExplainedFailure(
		missing.length > 0
			? `The copy ${copy.id} doesn't show ${names}`
			: `The copy ${copy.id} has ended already`,
		`${oldId} wasn't deleted. Look at the copy, and run the workflow again`,
		{ final: true },
	);
}
