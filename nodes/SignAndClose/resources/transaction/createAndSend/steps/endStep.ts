import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../../../messages/failures';
import { joinSentences } from '../../../../values/words';
import {
	defineWrite,
	ExistingResult,
	type OperationCall,
	type OperationResult,
} from '../../../../run/operation';
import type { TransactionAnswer } from '../../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../../transport/answers/transaction';
import {
	hasEndedUnfinished,
	buildWrongState,
} from '../../../../transport/answers/transactionState';
import { isSameId } from '../../../../values/ids';
import { asObjects, asText } from '../../../../values/json';
import { describeMissingDesignations } from '../../../document/add/addition';
import { describeDifference, type ItemDifference } from '../../../draft/difference';
import { joinHints } from '../../../../form/hints';
import {
	parseTransactionTarget,
	buildPhaseGoal,
	buildSendRequest,
	sendMove,
	type TransactionTarget,
} from '../../api';
import { runChecks, requireComplete, toSummary } from '../../check/checks';
import { collectFacts, buildFacts } from '../../check/facts';
import { withSigningLinks } from '../../sendOptions';
import { formatTransaction } from '../../output';
import { isStillDraft, waitForDocuments } from '../../documentWait';
import { compareItem, type ItemComparison } from '../itemComparison';
import type { ClosingItem } from '../item';
import { refuseDifferences, type Refusals } from '../refusals';
import type { Plan, PlannedStep } from '../parts';

/* What happens once everything is in the draft: it's kept, checked or sent. */

const END_ACTIONS = { draft: 'keep', plan: 'send', check: 'check', send: 'send' } as const;
const STEP_NAMES = { keep: 'Draft', check: 'Check', send: 'Send' };

/**
 * Does what the item wants once everything is in the draft.
 * @param plan what comes before
 * @param people to whom it's sent
 */
export function buildEndStep(
	item: ClosingItem,
	comparison: ItemComparison | undefined,
	plan: Plan,
	people: string,
): PlannedStep {
	const { then, sendOptions } = item;
	const action = comparison?.isSent === true ? 'keep' : END_ACTIONS[then];
	const sentence = { keep: '', check: 'Check what is missing', send: `Send it to ${people}` };
	const isUnchanged = plan.steps.every(({ action }) => action === 'keep');
	const unchangedDraft = isUnchanged ? comparison?.transaction : undefined;
	let lostHint: string | undefined;
	return {
		key: then,
		name: STEP_NAMES[action],
		action,
		what: action === 'keep' ? '' : 'transaction',
		sentence: sentence[action],
		write: defineWrite({
			parse: () => buildSendRequest(sendOptions),
			async send(call, options) {
				const target = parseTransactionTarget(call.params);
				const isKept =
					then === 'draft' || (unchangedDraft !== undefined && !isStillDraft(unchangedDraft));
				const draft = isKept
					? (unchangedDraft ??
						(await retrieveTransaction(call.service, target.transactionId, target.platform)))
					: await waitUntilRead(call, item, target, unchangedDraft);
				if (isKept || !isStillDraft(draft))
					return new ExistingResult(formatShownTransaction(call, draft));
				const newDifferences = isUnchanged
					? []
					: await verifyDraft(call, item, comparison, plan, draft);
				lostHint = describeLostDesignations(item, call.before, draft);
				if (then === 'send')
					return await sendMove(call.service, 'sendTransaction', target, options);
				const stops = [...item.incomplete, ...plan.sendRefusals, ...newDifferences];
				const check = await checkDraft(call, item, draft, target, stops);
				return new ExistingResult({
					...formatShownTransaction(call, draft, { check }),
					hint: lostHint,
				});
			},
			goal: (call) =>
				buildPhaseGoal(call.service, 'sendTransaction', parseTransactionTarget(call.params)),
			result(call, current) {
				const { json, hint } = formatShownTransaction(call, current);
				return { json, hint: joinHints([lostHint, hint]), counted: 'sent' };
			},
		}),
	};
}

function formatShownTransaction(
	{ params }: OperationCall,
	transaction: TransactionAnswer,
	fields: IDataObject = {},
) {
	const output = { json: formatTransaction(params, transaction) };
	const { json, hint } = withSigningLinks(output, transaction, params);
	return { json: { shown: json, ...fields }, hint };
}

const skipsClosingTeam = ({ sendOptions }: ClosingItem) => sendOptions.skip_closing_ops === true;

/** Waits for the documents. What is sent has to be complete. */
async function waitUntilRead(
	call: OperationCall,
	item: ClosingItem,
	target: TransactionTarget,
	retrieved: TransactionAnswer | undefined,
): Promise<TransactionAnswer> {
	const draft = await waitForDocuments(call.service, target, {
		limitMs: item.limitMs,
		isFresh: call.before.some(({ json }) => asObjects(json.documents).length > 0),
		draft: retrieved,
		check(now) {
			if (item.then !== 'send') return;
			const facts = buildFacts(call, now, item.platform);
			requireComplete({ ...facts, skipsClosingTeam: skipsClosingTeam(item) });
		},
	});
	if (hasEndedUnfinished(draft)) throw buildWrongState('send', draft);
	return draft;
}

/** @param stops what stands against sending it, in sentences without a final period */
async function checkDraft(
	call: OperationCall,
	item: ClosingItem,
	draft: TransactionAnswer,
	target: TransactionTarget,
	stops: string[],
): Promise<IDataObject> {
	const findings = runChecks({
		...(await collectFacts(call, draft, target)),
		skipsClosingTeam: skipsClosingTeam(item),
		enote: item.enote?.names,
	});
	const missing = [...new Set(stops)].map((text) => ({
		state: 'missing' as const,
		text,
		code: 'draft' as const,
		field: '',
	}));
	return toSummary(draft, [...findings, ...missing]);
}

/** Says of which documents the service shows fewer designations than it was sent. */
function describeLostDesignations(
	{ documents }: ClosingItem,
	before: OperationResult[],
	draft: TransactionAnswer,
): string | undefined {
	const documentsOfSteps = before.flatMap(({ json }) => asObjects(json.documents));
	return joinHints(
		documents.map(({ file, fields }) => {
			const id = asText(documentsOfSteps.find((candidate) => candidate.file === file)?.document_id);
			const document =
				id === undefined
					? undefined
					: draft.documents?.find((candidate) => isSameId(candidate.id, id));
			const hint = document && describeMissingDesignations(fields, document);
			return hint === undefined ? undefined : `${file}: ${hint}`;
		}),
	);
}

/**
 * Compares a draft with its item once more before it's sent: somebody may have changed it meanwhile.
 * @returns what stands against sending it
 * @throws ExplainedFailure with it, if it's to be sent
 */
async function verifyDraft(
	call: OperationCall,
	item: ClosingItem,
	comparison: ItemComparison | undefined,
	plan: Plan,
	draft: TransactionAnswer,
): Promise<string[]> {
	const existing = { transaction: draft, tie: comparison?.tie ?? 'people' };
	const current = await compareItem(call, item, existing, comparison?.contents);
	const refusals: Refusals = { refusals: [], sendRefusals: [] };
	refuseDifferences({ ...item, ifItDiffers: 'stop' }, { ...current, isSent: true }, refusals);
	// What is there and isn't wanted, and what nobody can tell.
	const remaining = current.differences.filter(
		({ kind }) => kind === 'extra' || kind === 'unknown',
	);
	refuseDifferences(
		{ ...item, ifItDiffers: 'keep' },
		{ ...current, differences: remaining },
		refusals,
	);
	const newDifferences = current.differences
		.filter((difference) => isEdited(difference, plan, comparison))
		.map((difference) => describeDifference(difference, draft.id));
	const stops = [...new Set([...refusals.refusals, ...newDifferences, ...refusals.sendRefusals])];
	if (item.then === 'send' && stops.length > 0)
		throw new ExplainedFailure(
			'The draft was changed while the item was under way',
			joinSentences('Nothing was sent', ...stops, 'Run the workflow again'),
			{ final: true },
		);
	return stops;
}

/**
 * Whether somebody has brought about a difference since the plan was made. What this run has written
 * the service may show in a form of its own, which was told then; an address has none.
 */
function isEdited(
	{ about, kind, subject, field, actual }: ItemDifference,
	{ steps }: Plan,
	comparison: ItemComparison | undefined,
): boolean {
	const isKnown = comparison?.differences.some(
		(candidate) =>
			candidate.subject === subject &&
			candidate.field === field &&
			JSON.stringify(candidate.actual) === JSON.stringify(actual),
	);
	if (isKnown === true || kind === 'unknown' || kind === 'extra') return false;
	if (about === 'person' && field === 'Email') return true;
	if (about === 'field' || about === 'person')
		return !steps.some(
			({ action, what: subjectOfStep }) =>
				subjectOfStep === 'transaction' && (action === 'create' || action === 'change'),
		);
	const keptFiles = steps
		.filter(({ action }) => action === 'keep')
		.map(({ what: subjectOfStep }) => subjectOfStep);
	return (
		about === 'wish' &&
		comparison?.documents.some(
			({ expected, actual: match }) =>
				expected.name === subject &&
				match !== undefined &&
				keptFiles.includes(expected.planned.file),
		) === true
	);
}
