import type { OperationCall } from '../../../../run/operation';
import type { TransactionAnswer } from '../../../../transport/answers/shapes';
import { describeDifference, type ItemDifference } from '../../../draft/difference';
import { compareItem, type ItemComparison } from '../itemComparison';
import type { ClosingItem } from '../item';
import { refuseDifferences, type Refusals } from '../refusals';
import type { Plan } from './plannedSteps';

/* Whether a draft still is what the item and the plan say, before it's checked or sent. */

/**
 * Compares a draft with its item once more before it's sent: somebody may have changed it meanwhile.
 * @returns what stands against sending it
 */
export async function verifyDraft(
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
	return [...new Set([...refusals.refusals, ...newDifferences, ...refusals.sendRefusals])];
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
