import type { IDataObject } from 'n8n-workflow';

import { parseInTurn } from '../../messages/inputFaults';
import { defineOperation, defineWrite, ExistingResult } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { mustSkipExisting } from '../document/add/ifExistsChoice';
import { transactionLocator } from '../../form/locators';
import { defineEnoteAddition, findEnote, sendEnote } from './api';
import { enoteFields, ifEnoteExists, getKeptFile, parseEnote } from './form';

/** Adds the eNote to the draft of a lender's closing (docs/service/closings.md#add-an-enote). */
export const addEnote = defineOperation({
	resource: 'enote',
	value: 'add',
	name: 'Add',
	action: 'Add eNote',
	description: "Add the electronic promissory note to a lender's closing",
	kind: 'write',
	passesFiles: true,
	effect: 'Makes the note that the borrower will sign part of the closing',
	properties: [transactionLocator, ...enoteFields, ifEnoteExists],
	write: defineWrite({
		async parse(call) {
			const { params } = call;
			return {
				skips: mustSkipExisting(params, params.getRaw(ifEnoteExists.name)),
				...(await parseInTurn({
					transactionId: () => params.getRequiredLocator('transactionId'),
					enote: async () => await parseEnote(call),
				})),
			};
		},
		async prepare(call, { transactionId, enote, skips }): Promise<undefined | ExistingResult> {
			const { document, hint } = skips ? await findEnote(call, transactionId, enote) : {};
			if (document === undefined) return;
			const json = toJson(transactionId, document, true);
			return new ExistingResult({ json, counted: 'skipped', isFound: true, hint });
		},
		send: async ({ service }, { transactionId, enote }) =>
			await sendEnote(service, transactionId, enote),
		goal: (call, { transactionId, enote }) =>
			defineEnoteAddition(call, transactionId, getKeptFile(enote)),
		result: (_call, document, { transactionId, skips }) => ({
			json: toJson(transactionId, document),
			...(skips && { counted: 'added' }),
		}),
	}),
});

/** Leaves out the borrowers, who have social security numbers. */
function toJson(transactionId: string, answer: IDataObject, existing = false): IDataObject {
	const document = { ...answer };
	delete document.borrowers;
	const ids = { transaction_id: transactionId, document_id: document.id };
	return { ...withoutEmpty(ids), existing, ...document };
}
