import { defineWrite } from '../../../../run/operation';
import { defineEnoteAddition, defineEnoteDeletion, sendEnote } from '../../../enote/api';
import { getKeptFile } from '../../../enote/form';
import { parseTransactionTarget } from '../../api';
import { noteContent } from '../../executionNotes';
import type { PapersItem } from '../item';
import type { PlannedStep } from './plannedSteps';

/* Steps of a plan: adds the eNote. A closing has one at most, so that another one is deleted before. */

const platform = 'realEstate';

/**
 * Deletes the eNote that is there, so that another one can come in its place. Sent twice, the second
 * request could come late and delete that one.
 */
export const buildEnoteDeletion = (): PlannedStep => ({
	key: 'enote-deletion',
	action: 'delete',
	what: 'eNote',
	name: 'The former eNote',
	sentence: 'Delete the eNote: that of the item takes its place',
	write: defineWrite({
		parse: () => ({}),
		async send({ service, params }) {
			const { transactionId } = parseTransactionTarget(params);
			return await service.json('deleteEnote', { path: { transactionId }, platform });
		},
		goal: ({ service, params }) =>
			defineEnoteDeletion(service, parseTransactionTarget(params).transactionId),
		result: () => ({ json: {} }),
	}),
});

/** Adds the eNote. */
export const buildEnoteStep = ({
	body,
	content,
}: NonNullable<PapersItem['enote']>): PlannedStep => ({
	key: 'enote',
	action: 'add',
	what: 'eNote',
	sentence: 'Add the eNote',
	write: defineWrite({
		parse: () => body,
		send: async ({ service, params }) =>
			await sendEnote(service, parseTransactionTarget(params).transactionId, body),
		goal: (call) =>
			defineEnoteAddition(
				call,
				parseTransactionTarget(call.params).transactionId,
				getKeptFile(body),
			),
		result(call, { id }) {
			noteContent(call, id, content);
			return { json: {} };
		},
	}),
});
