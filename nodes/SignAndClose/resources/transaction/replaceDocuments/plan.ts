import { joinWithAnd } from '../../../values/words';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asObjects, asText } from '../../../values/json';
import {
	buildDocumentReference,
	deriveDocumentTail,
	isPersonalReference,
} from '../../../values/reference';
import { isBlank } from '../../../values/comparison';
import { WHERE_TO_SIGN } from '../createAndSend/documentComparison';
import type { ItemDocument } from '../createAndSend/itemDocuments';
import { describeFile, listDocuments } from '../../document/api';
import type { DocumentDeletion } from '../createAndSend/itemComparison';
import {
	keepsAll,
	toKeptStep,
	withStepReason,
	type Plan,
	type PlannedStep,
} from '../createAndSend/steps/plannedSteps';
import { buildAddStep, buildDeleteStep } from '../createAndSend/steps/documentSteps';
import { buildEndStep } from '../createAndSend/steps/endStep';
import { buildEnoteDeletion, buildEnoteStep } from '../createAndSend/steps/enoteStep';
import { formatSignerName } from '../../signer/api';
import type { PapersComparison } from './comparison';
import type { ReplacementItem } from './item';
import { isToBeTracked, type Paper } from './matching';
import { refusePapers } from './refusals';
import {
	explainRefusedStep,
	buildFoundStep,
	buildRecallStep,
	buildTrackingStep,
	type TrackingHeir,
} from './steps';
import { verifyPapers } from './verification';

/** Plans how the papers of a transaction are replaced, or notes why they aren't. */
export function planReplacement(
	call: OperationCall,
	item: ReplacementItem,
	comparison: PapersComparison,
): Plan {
	const { transaction, isSent } = comparison;
	const changes = planChanges(item, comparison);
	const isUnchanged = keepsAll(changes);
	const steps = [buildFoundStep(comparison, isUnchanged)];
	const recall = buildRecallStep(item, comparison, isSent && !isUnchanged);
	if (recall !== undefined) steps.push(recall);
	const plan: Plan = { steps: [...steps, ...changes], refusals: [], sendRefusals: [] };
	if (!isSent || !isUnchanged) refusePapers(call, item, comparison, plan);
	const existing = { transaction, isSent: isSent && isUnchanged };
	const verify = async (write: OperationCall, draft: TransactionAnswer) =>
		await verifyPapers(write, item, comparison, draft);
	const people = describeRecipients(item, transaction);
	plan.steps.push(buildEndStep(item, { plan, people, existing, verify }));
	plan.steps = plan.steps.map((step) =>
		withStepReason(
			step,
			async (write, refusal) => await explainRefusedStep(write, step.action, refusal),
		),
	);
	return plan;
}

/** What is written to the draft, in this order: nothing goes before what takes its place is there. */
function planChanges(item: ReplacementItem, comparison: PapersComparison): PlannedStep[] {
	const { transaction, papers, twins, outdated, failed } = comparison;
	const unneeded = failed.map((document): PaperDeletion => ({
		document,
		reason: "couldn't be processed by the service",
	}));
	const needless = [
		...twins.map((document): PaperDeletion => ({
			document,
			reason: 'was added twice by this node',
		})),
		...outdated.map(({ document, successor: current }): PaperDeletion => ({
			...{ document, reason: 'another one has taken its place' },
			heir: current && { file: describeFile(current).name, current },
		})),
		...papers.flatMap(({ former: document, expected: { planned }, current }): PaperDeletion[] => {
			const { file } = planned;
			const reason = `'${file}' takes its place`;
			return document === undefined ? [] : [{ document, reason, heir: { file, current } }];
		}),
	];
	const all = [...unneeded, ...needless];
	const planDeletion = (deletion: PaperDeletion): PlannedStep[] => {
		const { document, heir } = deletion;
		const { tracking_id: tracking } = document;
		const step = buildDeleteStep(item, deletion, all, listDocuments(transaction));
		// If a run is cut off in between, nothing shows the Tracking ID any more.
		return heir !== undefined && isPersonalReference(tracking)
			? [step, buildTrackingStep(heir, tracking)]
			: [step];
	};
	return [
		...unneeded.flatMap(planDeletion),
		...papers.map(buildPaperStep),
		...planEnoteSteps(item, comparison),
		...needless.flatMap(planDeletion),
	];
}

/** A document that is deleted, and what gets its Tracking ID, if a person has given it one. */
interface PaperDeletion extends DocumentDeletion {
	heir?: TrackingHeir;
}

function planEnoteSteps(
	{ enote }: ReplacementItem,
	{ enotes, differences }: PapersComparison,
): PlannedStep[] {
	if (enote === undefined) return [];
	const add = buildEnoteStep(enote);
	const isWanted = differences.some(({ about, kind }) => about === 'enote' && kind !== 'unknown');
	if (!isWanted) return [toKeptStep(add, 'eNote')];
	return enotes.length > 0 ? [buildEnoteDeletion(), add] : [add];
}

/** Adds the document of a file, unless it's there. Then, an earlier try may have lost the answer. */
function buildPaperStep({ expected, current, former, tie }: Paper): PlannedStep {
	const { file, rule } = expected.planned;
	const add =
		former === undefined
			? buildAddStep(expected)
			: buildAddStep(expected, former, buildPaperReference(expected, former));
	if (current !== undefined) return toKeptStep(add, file);
	const reason = tie === 'content' ? `: '${WHERE_TO_SIGN}' of rule ${rule.row} is different` : '';
	return { ...add, sentence: add.sentence + reason };
}

/** The reference of a document that says which one it replaces, so that every run can go on. */
function buildPaperReference(
	{ planned: { digest }, wish }: ItemDocument,
	former: DocumentAnswer,
): string {
	const isTracked = isPersonalReference(former.tracking_id) || isToBeTracked(former);
	const maker = isTracked ? 'trackedPaper' : 'paper';
	return buildDocumentReference(maker, digest, wish, deriveDocumentTail(former.id));
}

/** To whom it's sent, and what the service does then (docs/service/transactions.md#send). */
function describeRecipients(
	{ sendOptions, platform }: ReplacementItem,
	transaction: TransactionAnswer,
): string {
	const signers = asObjects(transaction.signers);
	const people = joinWithAnd(signers.map(formatSignerName)) || 'its signers';
	const isPrepared = platform === 'realEstate' && sendOptions.skip_closing_ops !== true;
	const receivers = joinWithAnd(signers.flatMap(({ email }) => asText(email) ?? [])) || 'them';
	if (!isBlank(sendOptions.suppress_email)) return `${people}. The service emails nobody`;
	return `${people}. The service emails ${receivers}${isPrepared ? ', after the closing team has prepared it' : ''}`;
}
