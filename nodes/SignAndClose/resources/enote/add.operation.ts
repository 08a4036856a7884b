import type { IDataObject } from 'n8n-workflow';

import { parseInTurn } from '../../messages/faults';
import { defineOperation, lookUpOf } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import { withoutEmpty } from '../../values/json';
import { skipsExisting } from '../document/ifExists';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { enoteAddedGoal, findEnote, sendEnote } from './api';
import { enoteFields, ifEnoteExists, parseEnote } from './form';

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
	async execute(call) {
		const { params } = call;
		const { transactionId, enote } = await parseInTurn({
			transactionId: () => params.requiredLocator('transactionId'),
			enote: async () => await parseEnote(call),
		});
		const skips = skipsExisting(params, params.raw(ifEnoteExists.name));
		const { document, hint } = skips ? await findEnote(call, transactionId, enote) : {};
		if (document !== undefined) {
			const json = toJson(transactionId, document, true);
			return { json, counted: 'skipped', isFound: true, hint };
		}
		const added = await sendEnote(call, transactionId, enote);
		return { json: toJson(transactionId, added), ...(skips && { counted: 'added' }) };
	},
	async lookUp(call) {
		const transactionId = call.params.requiredLocator('transactionId');
		const seen = await enoteAddedGoal(call.service, transactionId, lookUpOf(call)).fromService();
		return mapSeen(seen, (enote) => ({ json: toJson(transactionId, enote) }));
	},
	toCheck: inTransaction('whether the closing has the new eNote'),
});

/** Leaves out the borrowers, who have social security numbers. */
function toJson(transactionId: string, answer: IDataObject, existing = false): IDataObject {
	const document = { ...answer };
	delete document.borrowers;
	const ids = { transaction_id: transactionId, document_id: document.id };
	return { ...withoutEmpty(ids), existing, ...document };
}
