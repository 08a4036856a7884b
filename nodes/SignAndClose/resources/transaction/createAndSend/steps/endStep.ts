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
import { joinHints } from '../../../../form/hints';
import {
	parseTransactionTarget,
	buildPhaseGoal,
	buildSendRequest,
	sendMove,
	type TransactionTarget,
} from '../../api';
import { requireComplete, runChecks } from '../../check/checks';
import { collectFacts, buildFacts } from '../../check/facts';
import type { Facts } from '../../check/findings';
import { describeFindings, toSummary } from '../../check/report';
import { describeUnplacedCopies } from '../../check/unplaced';
import { describeRecipients, withSigningLinks } from '../../sendOptions';
import { formatTransaction } from '../../output';
import { isStillDraft, waitForDocuments } from '../../documentWait';
import type { PapersItem } from '../item';
import { keepsAll, type Plan, type PlannedStep } from './plannedSteps';

/* What happens once everything is in the draft: it's kept, checked or sent. */

const END_ACTIONS = { draft: 'keep', plan: 'send', check: 'check', send: 'send' } as const;
const STEP_NAMES = { keep: 'Draft', check: 'Check', send: 'Send' };

/** What comes before the end. */
interface Preparation {
	plan: Plan;
	/** To whom it's sent. */
	people: string;
	/** The transaction, if it's there, and whether it's with its signers then. */
	existing?: { transaction: TransactionAnswer; isSent: boolean };
	lacksTitleAgency?: boolean;
	/** What a check warns of beside what it finds, in sentences without a final period. */
	warnings?: string[];
	/**
	 * Looks at the draft once more before it's checked or sent.
	 * @returns what stands against sending it, in sentences without a final period
	 */
	verify(call: OperationCall, draft: TransactionAnswer): Promise<string[]>;
}

/** Does what the item wants once everything is in the draft. */
export function buildEndStep(
	item: PapersItem,
	{ plan, people, existing, lacksTitleAgency = false, warnings = [], verify }: Preparation,
): PlannedStep {
	const { then, sendOptions } = item;
	const action = existing?.isSent === true ? 'keep' : END_ACTIONS[then];
	const sentence = { keep: '', check: 'Check what is missing', send: `Send it to ${people}` };
	const isUnchanged = keepsAll(plan.steps);
	const unchangedDraft = isUnchanged ? existing?.transaction : undefined;
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
				const draft = await retrieveDraft(call, item, target, unchangedDraft);
				const isDraft = isStillDraft(draft);
				const isOver = then === 'draft' || (then !== 'send' && !isDraft);
				const newDifferences = isUnchanged || isOver ? [] : await verify(call, draft);
				if (then === 'send') requireUnedited(newDifferences, isDraft);
				if (isOver || !isDraft) return new ExistingResult(formatShownTransaction(call, draft));
				lostHint = describeLostDesignations(item, call.before, draft);
				if (then === 'send')
					return await sendMove(call.service, 'sendTransaction', target, options);
				const stops = [...item.incomplete, ...plan.sendRefusals, ...newDifferences];
				const itemFacts = { stops, warnings, lacksTitleAgency };
				const checked = await checkDraft(call, item, draft, target, itemFacts);
				return new ExistingResult({ ...checked, hint: joinHints([checked.hint, lostHint]) });
			},
			goal: (call) =>
				buildPhaseGoal(call.service, 'sendTransaction', parseTransactionTarget(call.params)),
			result: (call, sent) => formatSentTransaction(call, sent, lostHint),
		}),
	};
}

/**
 * @param isDraft whether it still is one: something else may have sent it meanwhile
 * @throws ExplainedFailure with what stands against sending it
 */
function requireUnedited(stops: string[], isDraft: boolean): void {
	if (stops.length === 0) return;
	throw new ExplainedFailure(
		'The draft was changed while the item was under way',
		joinSentences(isDraft ? 'Nothing was sent' : 'Something else has sent it', ...stops),
		{ final: true },
	);
}

function formatSentTransaction(
	call: OperationCall,
	sent: TransactionAnswer,
	lostHint: string | undefined,
): OperationResult {
	const { json, hint } = formatShownTransaction(call, sent);
	const hints = [describeUnplacedCopies(sent), describeRecipients(call, sent), lostHint, hint];
	return { json, hint: joinHints(hints), counted: 'sent' };
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

const skipsClosingTeam = ({ sendOptions }: PapersItem) => sendOptions.skip_closing_ops === true;

/**
 * Retrieves the draft. Unless it's kept, it waits for the documents. What is sent has to be complete.
 * @param unchanged what was retrieved, unless a step has changed it
 */
async function retrieveDraft(
	call: OperationCall,
	item: PapersItem,
	target: TransactionTarget,
	unchanged: TransactionAnswer | undefined,
): Promise<TransactionAnswer> {
	if (unchanged !== undefined && (item.then === 'draft' || !isStillDraft(unchanged)))
		return unchanged;
	if (item.then === 'draft')
		return await retrieveTransaction(call.service, target.transactionId, target.platform);
	const draft = await waitForDocuments(call.service, target, {
		limitMs: item.limitMs,
		isFresh: call.before.some(({ json }) => asObjects(json.documents).length > 0),
		draft: unchanged,
		check(now) {
			if (item.then !== 'send') return;
			const facts = buildFacts(call, now, item.platform);
			requireComplete({ ...facts, skipsClosingTeam: skipsClosingTeam(item) });
		},
	});
	if (hasEndedUnfinished(draft)) throw buildWrongState('send', draft);
	return draft;
}

/** @param itemFacts `stops` stand against sending it, `warnings` don't: sentences without a final period */
async function checkDraft(
	call: OperationCall,
	item: PapersItem,
	draft: TransactionAnswer,
	target: TransactionTarget,
	{
		stops,
		warnings,
		lacksTitleAgency,
	}: Pick<Facts, 'lacksTitleAgency'> & { stops: string[]; warnings: string[] },
): Promise<OperationResult> {
	const draftFindings = runChecks({
		...(await collectFacts(call, draft, target)),
		skipsClosingTeam: skipsClosingTeam(item),
		enote: item.enote?.names,
		lacksTitleAgency,
	});
	// A check may have found the same.
	const isNew = (text: string) => !draftFindings.some((finding) => finding.text.startsWith(text));
	const toFindings = (state: 'missing' | 'warning', texts: string[]) =>
		[...new Set(texts)]
			.filter(isNew)
			.map((text) => ({ state, text, code: 'draft' as const, field: '' }));
	const findings = [
		...draftFindings,
		...toFindings('missing', stops),
		...toFindings('warning', warnings),
	];
	const { json } = formatShownTransaction(call, draft, { check: toSummary(draft, findings) });
	return { json, hint: describeFindings(call, draft, findings) };
}

/** Says of which documents the service shows fewer designations than it was sent. */
function describeLostDesignations(
	{ documents }: PapersItem,
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
