import type { IDataObject } from 'n8n-workflow';

import { joinSentences, joinWithAnd } from '../../../values/words';
import type {
	OperationCall,
	OperationResult,
	PartsStanding,
	WriteParts,
} from '../../../run/operation';
import { asObjects, withoutEmpty } from '../../../values/json';
import { joinHints } from '../../../form/hints';
import { describeUnplacedCopies } from '../check/unplaced';
import { describeDifference } from '../../draft/difference';
import { describeState } from '../../../messages/transactionTexts';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { describeFile, isEnote } from '../../document/api';
import {
	buildSharedOutput,
	describeFilesLeftOut,
	describeItemPlaces,
} from '../createAndSend/parts';
import { buildStepParts, keepsAll, type Plan } from '../createAndSend/steps/plannedSteps';
import { isStillDraft } from '../documentWait';
import type { PapersComparison } from './comparison';
import type { ReplacementItem } from './item';
import type { Paper } from './matching';
import { describeUntracked } from './refusals';

/* What comes out: the steps, and which version of each document is out now. */

/** Says first that nobody can sign it at present. */
export const describeStanding = ({ recalled, transaction }: PapersComparison) =>
	recalled === undefined
		? undefined
		: `${transaction.id} stands recalled for new documents, so nobody can sign it until it's sent`;

/** How many papers a hint names. */
const MOST_NAMED = 3;

/**
 * Says what is replaced by what, without a final period.
 * @param verb e.g. "was replaced"
 */
export function describeReplaced(
	{ papers }: PapersComparison,
	verb: 'was replaced' | 'would be replaced',
): string | undefined {
	const replaced = papers.filter(({ former }) => former !== undefined);
	const parts = replaced
		.slice(0, MOST_NAMED)
		.map(
			({ former, expected: { planned } }, index) =>
				`${describeFile(former!).name}${index === 0 ? ` ${verb}` : ''} by '${planned.file}'`,
		);
	if (replaced.length > MOST_NAMED) parts.push(`${replaced.length - MOST_NAMED} more`);
	return joinWithAnd(parts) || undefined;
}

/** Says that the files are what's there, without a final period. */
export const describeNothingNew = ({ transaction }: PapersComparison): string =>
	`${transaction.id} has these papers already, nothing was replaced`;

/**
 * Says which documents stay without places to sign, unless sending says that, or with other settings than
 * those of their rule.
 */
export function describeKept(
	{ papers, left, transaction }: PapersComparison,
	{ then }: ReplacementItem,
) {
	const keptPapers = papers.filter(({ current }) => current !== undefined);
	const documents = [...keptPapers.map(({ current }) => current!), ...left];
	const texts = keptPapers
		.flatMap(({ otherSettings = [] }) => otherSettings)
		.map((difference) => describeDifference(difference, transaction.id));
	return joinHints([
		texts.length > 0 && `It stays: ${texts.join('; ')}`,
		then !== 'send' && describeUnplacedCopies({ ...transaction, documents }),
	]);
}

const nameAction = ({ current, former }: Paper): string =>
	former !== undefined ? 'replace' : current !== undefined ? 'same' : 'add';

/**
 * Each document with the file that it's made of.
 * @param results what the steps have come to; none of a plan
 */
export function listPapers(
	{ papers, left }: PapersComparison,
	results: OperationResult[] = [],
): IDataObject[] {
	const steps = results.flatMap(({ json }) => asObjects(json.steps));
	const newDocuments = results.flatMap(({ json }) => asObjects(json.documents));
	const outputs = papers.map((paper): IDataObject => {
		const { expected, current, former, tie } = paper;
		const { file, digest } = expected.planned;
		const isFile = (entry: IDataObject) => [entry.file, entry.what].includes(file);
		return {
			action: nameAction(paper),
			file,
			sha256: digest,
			document_id: current?.id ?? newDocuments.find(isFile)?.document_id ?? null,
			document_name: current?.document_name ?? expected.name,
			replaced_document_id: former?.id ?? null,
			matched_by: tie ?? null,
			added_at: current?.date_created ?? steps.find(isFile)?.when ?? null,
		};
	});
	const leftDocuments = left.map((document): IDataObject => ({
		action: 'leave',
		file: null,
		sha256: null,
		document_id: document.id,
		document_name: describeFile(document).name,
		replaced_document_id: null,
		matched_by: null,
		added_at: document.date_created ?? null,
	}));
	return [...outputs, ...leftDocuments];
}

/** The parts of an item. */
export function buildReplacementParts(
	call: OperationCall,
	item: ReplacementItem,
	plan: Plan,
	comparison: PapersComparison,
): WriteParts {
	const { id } = comparison.transaction;
	return {
		parts: buildStepParts(call, plan),
		resumeAdvice: async (...standing) => await describeResume(call, item, comparison, ...standing),
		details: () => withoutEmpty({ transaction_id: id }),
		join: (results) => join(call, item, plan, comparison, results),
	};
}

/** Whether the steps that are done have recalled it. */
const haveRecalled = (results: OperationResult[]): boolean =>
	results.some(({ json }) => json.is_recalled === true);

/** How to go on, and first where the transaction stands: somebody else may have sent it meanwhile. */
async function describeResume(
	{ service }: OperationCall,
	{ platform }: ReplacementItem,
	comparison: PapersComparison,
	results: OperationResult[],
	{ isUnknown, isOver }: PartsStanding,
): Promise<string> {
	const { id } = comparison.transaction;
	const isRecalled = comparison.recalled !== undefined || haveRecalled(results);
	const enoteSteps = results
		.flatMap(({ json }) => asObjects(json.steps))
		.filter(({ what: subject }) => subject === 'eNote');
	const lacksEnote = enoteSteps.length === 1 && enoteSteps[0].action === 'delete';
	const now =
		isRecalled || lacksEnote
			? await retrieveTransaction(service, id, platform, true).catch(() => undefined)
			: undefined;
	const isDraft = now === undefined || isStillDraft(now);
	return joinSentences(
		isRecalled &&
			(isDraft
				? `${id} was recalled, and nobody can sign it until it's sent`
				: `${id} was recalled, and something else has changed that since: it's ${describeState(now)} now`),
		lacksEnote && now?.documents?.some(isEnote) !== true && `${id} has no eNote now`,
		isUnknown
			? 'Look at the service before you run the workflow again'
			: !isOver && 'Run the workflow again with the same files: it goes on where it stopped',
	);
}

/** One output of all steps. */
function join(
	call: OperationCall,
	item: ReplacementItem,
	{ steps }: Plan,
	comparison: PapersComparison,
	results: OperationResult[],
): OperationResult {
	const { shown: output } = results[results.length - 1].json as IDataObject;
	return {
		json: {
			transaction_id: comparison.transaction.id,
			...(output as IDataObject),
			steps: results.flatMap(({ json }) => asObjects(json.steps)),
			papers: listPapers(comparison, results),
			...buildSharedOutput(item, comparison.differences),
		},
		hint: joinHints([
			...new Set([
				results.at(-1)?.hint,
				keepsAll(steps)
					? describeNothingNew(comparison)
					: describeReplaced(comparison, 'was replaced'),
				...results.map(({ hint }) => hint),
			]),
			describeKept(comparison, item),
			describeItemPlaces(call, item).hint,
			describeFilesLeftOut(item, haveRecalled(results) ? undefined : comparison.transaction),
			...comparison.untracked.map(describeUntracked),
		]),
		counted: results.flatMap(({ counted }) => counted ?? []).at(-1),
		isFoundAgain: true,
	};
}
