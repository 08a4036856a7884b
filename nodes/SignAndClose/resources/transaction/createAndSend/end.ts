import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, sentences } from '../../../messages/explainedFailure';
import {
	defineWrite,
	Found,
	type OperationCall,
	type OperationResult,
} from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasLapsed, wrongState } from '../../../transport/answers/transactionState';
import { sameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { fewerDesignations } from '../../document/adding';
import { describeDifference, type Difference } from '../../drafts/difference';
import { joined } from '../../shared/hints';
import { parseTarget, phaseGoal, sendBody, sendMove, type Target } from '../api';
import { findingsOf, requireComplete, toSummary } from '../check/check';
import { allFacts, shownFacts } from '../check/facts';
import { withSigningLinks } from '../form/sendOptions';
import { transactionJson } from '../output';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import { compareItem, type FoundTransaction } from './compare';
import type { Item } from './item';
import { refuse, type Refusals } from './refusals';
import type { Plan, PlannedStep } from './steps';

/* What happens once everything is in the draft: it's kept, checked or sent. */

const ACTIONS = { draft: 'keep', plan: 'send', check: 'check', send: 'send' } as const;
const NAMES = { keep: 'Draft', check: 'Check', send: 'Send' };

/**
 * Does what the item wants once everything is in the draft.
 * @param plan what comes before
 * @param people to whom it's sent
 */
export function endStep(
	item: Item,
	found: FoundTransaction | undefined,
	plan: Plan,
	people: string,
): PlannedStep {
	const { then, sendOptions } = item;
	const action = found?.isSent === true ? 'keep' : ACTIONS[then];
	const sentence = { keep: '', check: 'Check what is missing', send: `Send it to ${people}` };
	const isUntouched = plan.steps.every(({ action }) => action === 'keep');
	const untouched = isUntouched ? found?.transaction : undefined;
	let lost: string | undefined;
	return {
		key: then,
		name: NAMES[action],
		action,
		what: action === 'keep' ? '' : 'transaction',
		sentence: sentence[action],
		write: defineWrite({
			parse: () => sendBody(sendOptions),
			async send(call, options) {
				const target = parseTarget(call.params);
				const isKept = then === 'draft' || (untouched !== undefined && !isStillDraft(untouched));
				const draft = isKept
					? (untouched ??
						(await retrieveTransaction(call.service, target.transactionId, target.platform)))
					: await waitUntilRead(call, item, target, untouched);
				if (isKept || !isStillDraft(draft)) return new Found(shown(call, draft));
				const edited = isUntouched ? [] : await verify(call, item, found, plan, draft);
				lost = lostDesignations(item, call.before, draft);
				if (then === 'send')
					return await sendMove(call.service, 'sendTransaction', target, options);
				const stops = [...item.incomplete, ...plan.sendRefusals, ...edited];
				const check = await checkDraft(call, item, draft, target, stops);
				return new Found({ ...shown(call, draft, { check }), hint: lost });
			},
			goal: (call) => phaseGoal(call.service, 'sendTransaction', parseTarget(call.params)),
			result(call, now) {
				const { json, hint } = shown(call, now);
				return { json, hint: joined([lost, hint]), counted: 'sent' };
			},
		}),
	};
}

function shown({ params }: OperationCall, transaction: TransactionAnswer, more: IDataObject = {}) {
	const output = { json: transactionJson(params, transaction) };
	const { json, hint } = withSigningLinks(output, transaction, params);
	return { json: { shown: json, ...more }, hint };
}

const skipsClosingTeam = ({ sendOptions }: Item) => sendOptions.skip_closing_ops === true;

/** Waits for the documents. What is sent has to be complete. */
async function waitUntilRead(
	call: OperationCall,
	item: Item,
	target: Target,
	known: TransactionAnswer | undefined,
): Promise<TransactionAnswer> {
	const draft = await waitForDocuments(call.service, target, {
		limitMs: item.limitMs,
		isFresh: call.before.some(({ json }) => asObjects(json.documents).length > 0),
		known,
		check(now) {
			if (item.then !== 'send') return;
			const facts = shownFacts(call, now, item.platform);
			requireComplete({ ...facts, skipsClosingTeam: skipsClosingTeam(item) });
		},
	});
	if (hasLapsed(draft)) throw wrongState('send', draft);
	return draft;
}

/** @param stops what stands against sending it, in sentences without a final period */
async function checkDraft(
	call: OperationCall,
	item: Item,
	draft: TransactionAnswer,
	target: Target,
	stops: string[],
): Promise<IDataObject> {
	const findings = findingsOf({
		...(await allFacts(call, draft, target)),
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
function lostDesignations(
	{ documents }: Item,
	before: OperationResult[],
	draft: TransactionAnswer,
): string | undefined {
	const added = before.flatMap(({ json }) => asObjects(json.documents));
	return joined(
		documents.map(({ file, fields }) => {
			const id = asText(added.find((one) => one.file === file)?.document_id);
			const own = id === undefined ? undefined : draft.documents?.find((one) => sameId(one.id, id));
			const lost = own && fewerDesignations(fields, own);
			return lost === undefined ? undefined : `${file}: ${lost}`;
		}),
	);
}

/**
 * Compares a draft with its item once more before it's sent: somebody may have changed it meanwhile.
 * @returns what stands against sending it
 * @throws ExplainedFailure with it, if it's to be sent
 */
async function verify(
	call: OperationCall,
	item: Item,
	found: FoundTransaction | undefined,
	plan: Plan,
	draft: TransactionAnswer,
): Promise<string[]> {
	const existing = { transaction: draft, tie: found?.tie ?? 'people' };
	const now = await compareItem(call, item, existing, found?.contents);
	const last: Refusals = { refusals: [], sendRefusals: [] };
	refuse({ ...item, ifItDiffers: 'stop' }, { ...now, isSent: true }, last);
	// What is there and isn't wanted, and what nobody can tell.
	const left = now.differences.filter(({ kind }) => kind === 'extra' || kind === 'unknown');
	refuse({ ...item, ifItDiffers: 'keep' }, { ...now, differences: left }, last);
	const edited = now.differences
		.filter((one) => isEdited(one, plan, found))
		.map((one) => describeDifference(one, draft.id));
	const stops = [...new Set([...last.refusals, ...edited, ...last.sendRefusals])];
	if (item.then === 'send' && stops.length > 0)
		throw new ExplainedFailure(
			'The draft was changed while the item was under way',
			sentences('Nothing was sent', ...stops, 'Run the workflow again'),
			{ final: true },
		);
	return stops;
}

/**
 * Whether somebody has brought about a difference since the plan was made. What this run has written
 * the service may show in a form of its own, which was told then; an address has none.
 */
function isEdited(
	{ about, kind, subject, field, actual }: Difference,
	{ steps }: Plan,
	found: FoundTransaction | undefined,
): boolean {
	const isKnown = found?.differences.some(
		(one) =>
			one.subject === subject &&
			one.field === field &&
			JSON.stringify(one.actual) === JSON.stringify(actual),
	);
	if (isKnown === true || kind === 'unknown' || kind === 'extra') return false;
	if (about === 'person' && field === 'Email') return true;
	if (about === 'field' || about === 'person')
		return !steps.some(
			({ action, what }) => what === 'transaction' && (action === 'create' || action === 'change'),
		);
	const kept = steps.filter(({ action }) => action === 'keep').map(({ what }) => what);
	return (
		about === 'wish' &&
		found?.documents.some(
			({ wanted, shown: same }) =>
				wanted.name === subject && same !== undefined && kept.includes(wanted.planned.file),
		) === true
	);
}
