import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { asObject, asObjects, asText } from '../../service/values/json';
import { shownValue } from '../../service/values/shown';
import { ExplainedFailure, InputFailure } from '../explainedFailure';

/*
 * What a person has found out about writes whose outcome nobody knew
 * (docs/behaviour.md#in-doubt-a-person-decides). Each outcome names one item of one execution, so
 * that it can't decide about anything else, and stays without effect when the workflow runs again.
 */

const LABEL = 'Unknown Outcomes';

/** The setting of all nodes that write. It's beside "Retry On Fail", on the tab of the settings. */
export const unknownOutcomes: INodeProperties = {
	displayName: LABEL,
	name: 'unknownOutcomes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Outcome',
	default: {},
	isNodeSetting: true,
	description:
		"What you've found out about items whose outcome was unknown. Retry their execution with the currently saved workflow then. Nothing else is affected.",
	options: [
		{
			displayName: 'Outcome',
			name: 'row',
			values: [
				{
					displayName: 'Item',
					name: 'item',
					type: 'string',
					noDataExpression: true,
					isNodeSetting: true,
					default: '',
					placeholder: 'e.g. 512-3',
					description:
						'As the message names it. Enter the ID of the execution, e.g. 512, for all of its items.',
				},
				{
					displayName: 'Outcome',
					name: 'outcome',
					type: 'options',
					noDataExpression: true,
					isNodeSetting: true,
					options: [
						{
							name: 'It Was Done',
							value: 'done',
							description: 'Go on with the next node, and send nothing',
						},
						{
							name: "It Wasn't Done",
							value: 'notDone',
							description: 'Send it again, unless the service shows it by then',
						},
					],
					default: 'done',
				},
				{
					displayName: 'ID',
					name: 'id',
					type: 'string',
					noDataExpression: true,
					isNodeSetting: true,
					displayOptions: { show: { outcome: ['done'] } },
					default: '',
					placeholder: 'e.g. ot_r7k2m9x',
					description: 'ID of the transaction, document or webhook, if one was created',
				},
			],
		},
	],
};

/** An item of an execution, as messages name it. */
export interface ItemName {
	/** ID of the execution in which the write ended in doubt. */
	execution: string;
	/** That ID, the run if the node ran several times, and the item's number from 1. */
	item: string;
}

/** What a person has decided about an item. */
export interface Decision {
	outcome: 'done' | 'notDone';
	/** ID of what was created. */
	id?: string;
}

type Context = Pick<IExecuteFunctions, 'getExecutionId' | 'getNode' | 'helpers'>;

/**
 * Reads what a person has decided about an item. Expressions aren't evaluated, and the execution
 * that raised the doubt can't settle it: only a person does, afterwards.
 * @throws InputFailure when that can't be read
 */
export function decisionOn(context: Context, name: ItemName | undefined): Decision | undefined {
	if (name === undefined || name.execution === context.getExecutionId()) return undefined;
	const rows = asObjects(asObject(context.getNode().parameters[unknownOutcomes.name]).row);
	const naming = (wanted: string) => rows.filter(({ item }) => shownValue(item).trim() === wanted);
	const [one, all] = [naming(name.item), naming(name.execution)];
	const [first, ...others] = (one.length > 0 ? one : all).map((row) => toDecision(row, name));
	if (others.some(({ outcome, id }) => outcome !== first.outcome || id !== first.id))
		throw new InputFailure(
			LABEL,
			`has different outcomes of ${name.item}`,
			'Delete the wrong one in the settings of the node',
		);
	if (one.length === 0 && first?.id !== undefined)
		throw new InputFailure(
			LABEL,
			`has an ID for all items of execution ${name.execution}`,
			`Enter a single item, e.g. ${name.item}`,
		);
	return first;
}

function toDecision({ outcome, id }: IDataObject, { item }: ItemName): Decision {
	if (outcome !== 'done' && outcome !== 'notDone')
		throw new InputFailure(
			LABEL,
			`has the outcome '${shownValue(outcome)}' for ${item}`,
			"Choose 'It Was Done' or 'It Wasn't Done'. Expressions have no effect here",
		);
	const given = asText(id)?.trim();
	return { outcome, ...(outcome === 'done' && given && { id: given }) };
}

/** Says that an item can't be taken for done without the ID of what was created. */
export const missingId = (): InputFailure =>
	new InputFailure(
		LABEL,
		'has no ID of what was created',
		"Look it up at the service, and enter it beside 'It Was Done'",
	);

/** Says that the service doesn't have what was created, as a person says. */
export const notThere = (id: string): InputFailure =>
	new InputFailure(LABEL, `names ${id}, which the service doesn't have`, "Correct the 'ID'");

/** How many keys n8n's store keeps of a node; the oldest are dropped first. */
const KEPT = 1_000;

/**
 * What retries have used up, in n8n's store of processed keys. It reads and then writes without a
 * lock, so one visit follows the other.
 */
class UsedUp {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * Uses the decision to send an item again. It counts once, even if somebody retries the same
	 * execution twice: the second retry doesn't know what the first one did.
	 * @returns whether it wasn't used before
	 * @throws ExplainedFailure when n8n can't store that; nothing was sent
	 */
	async decision(context: Context, { item }: ItemName): Promise<boolean> {
		return await this.use(context, `sent again: ${item}`);
	}

	/**
	 * Uses the only retry of an execution that may begin to write. Another one would write the same
	 * once more, because it begins with what the execution knew, too.
	 * @returns whether none has written before
	 * @throws ExplainedFailure when n8n can't store that; nothing was sent
	 */
	async retry(context: Context, execution: string): Promise<boolean> {
		return await this.use(context, `retried: ${execution}`);
	}

	private async use({ helpers }: Context, key: string): Promise<boolean> {
		const visit = this.last.then(
			async () =>
				await helpers.checkProcessedAndRecord([key], 'node', {
					mode: 'entries',
					maxEntries: KEPT,
				}),
		);
		this.last = visit.catch(() => undefined);
		try {
			return (await visit).new.length === 1;
		} catch {
			throw notStored();
		}
	}
}

const notStored = () =>
	new ExplainedFailure(
		"n8n couldn't store what this retry is about to send, so nothing was sent",
		'Retry the execution in a minute. If this continues, check the database of n8n',
	);

/** State of this process; docs/architecture.md lists all of it. */
export const usedUp = new UsedUp();
