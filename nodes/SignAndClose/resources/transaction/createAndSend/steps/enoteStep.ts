import { defineWrite } from '../../../../run/operation';
import { write } from '../../../../run/write/write';
import { defineEnoteAddition, defineEnoteDeletion, sendEnote } from '../../../enote/api';
import { getKeptFile } from '../../../enote/form';
import { parseTransactionTarget } from '../../api';
import { noteContent } from '../../executionNotes';
import type { ClosingItem } from '../item';
import type { PlannedStep } from '../parts';

/**
 * Adds the eNote. A closing has one at most, so that another one is deleted before.
 * @param replacesEnote whether there's another one
 */
export function buildEnoteStep(
	{ body, content }: NonNullable<ClosingItem['enote']>,
	replacesEnote: boolean,
): PlannedStep {
	const platform = 'realEstate';
	return {
		key: 'enote',
		action: replacesEnote ? 'replace' : 'add',
		what: 'eNote',
		sentence: replacesEnote ? 'Delete the eNote, and add that of the item' : 'Add the eNote',
		write: defineWrite({
			parse: () => body,
			async send(call) {
				const { service, steps, params } = call;
				const { transactionId } = parseTransactionTarget(params);
				if (replacesEnote && steps.all().length === 0) {
					await write(
						service,
						async () => await service.json('deleteEnote', { path: { transactionId }, platform }),
						defineEnoteDeletion(service, transactionId),
					);
					steps.add('deleted');
				}
				return await sendEnote(service, transactionId, body);
			},
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
	};
}
