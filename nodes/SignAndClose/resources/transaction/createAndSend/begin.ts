import type { IDataObject } from 'n8n-workflow';

import type { OperationCall, OperationResult, Part } from '../../../run/operation';
import { mapSeen } from '../../../run/outcome/goals';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isNotFound, ServiceFailure } from '../../../transport/failure/failure';
import { toBody } from '../../../transport/files/streamedJson';
import { sameId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { documentsOf, isEnote } from '../../document/api';
import { sendClosing } from '../created';
import { createClaimed, createToCheck, findClaimed, lookUpCreate } from '../existing/ifExists';
import { isStillDraft } from '../waitForDocuments';
import { compareDocuments } from './documents';
import type { Plan } from './plan';
import { NEW, resultOf, step } from './step';

/** Finds or creates the transaction. */
export function begin(call: OperationCall, plan: Plan): Part {
	const { platform, transaction: parsed, key, days, documents } = plan;
	const created = ({ json, ...result }: OperationResult): OperationResult => ({
		...resultOf({ ...NEW, transaction_id: json.transaction_id, existing: false }, [
			step('transaction'),
		]),
		note: result.note,
		counted: 'created',
	});
	const send = async (reference: IDataObject) =>
		platform === 'realEstate'
			? await sendClosing(call.service, parsed, reference)
			: await call.service.json('createTransaction', {
					platform,
					...toBody({ ...parsed.body, ...reference }),
				});
	const execute = async (now: OperationCall) => {
		const id = await findClaimed(now, parsed, key, days);
		if (id === undefined) {
			const made = await createClaimed(now, parsed, send);
			await requireOwn(now, plan, String(made.json.transaction_id));
			return created(made);
		}
		const found = await retrieveTransaction(now.service, id, platform);
		const isSent = !isStillDraft(found);
		const earlier = isSent ? NEW : compareDocuments(now, found, documents, plan.ifDiffers);
		const hasEnote = !isSent && plan.enote !== undefined && documentsOf(found).some(isEnote);
		const begun = {
			...NEW,
			...earlier,
			transaction_id: found.id,
			existing: true,
			isSent,
			hasEnote,
		};
		return resultOf(begun, [step('transaction', 'found')], {
			note: parsed.note,
			counted: isSent ? 'already sent' : 'found',
		});
	};
	return {
		key: 'create',
		name: 'Transaction',
		params: call.params,
		prepare: async () => await Promise.resolve(execute),
		ifLost: {
			lookUp: async (now) => mapSeen(await lookUpCreate(now, parsed), created),
			...createToCheck(() => parsed.body.external_id),
		},
	};
}

/**
 * Makes sure that the ID of a create's answer leads to what was created, so that no document gets into
 * another transaction. If it shows that it doesn't, the transaction is looked up by its reference.
 * @throws ServiceFailure with `flags.unknownOutcome` when the service shows nothing or another one
 */
async function requireOwn({ service }: OperationCall, plan: Plan, id: string): Promise<void> {
	const { platform, key } = plan;
	try {
		const shown = await retrieveTransaction(service, id, platform, true);
		if ((asText(shown[key.field]) ?? key.value) === key.value && sameId(shown.id, id)) return;
	} catch (thrown) {
		// Anything else says nothing against it.
		if (!isNotFound(thrown)) return;
	}
	throw new ServiceFailure({ code: 'notShown', said: [] }, { unknownOutcome: true });
}
