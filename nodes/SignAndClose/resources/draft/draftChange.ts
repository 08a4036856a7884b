import type { IDataObject } from 'n8n-workflow';

import { asObjects } from '../../values/json';
import { isBlank } from '../../values/comparison';
import { withExternalIds } from '../signer/people';
import type { TransactionComparison } from './draftComparison';
import type { DraftChange } from './draftUpdate';
import { toSignerRequest } from './requestFields';
import { mergeSigner } from './signerRequests';

/* From what an item wants to the change of a draft that was made of it. */

/**
 * Builds the change that makes a draft what the item wants. What the item doesn't say stays. What no
 * answer shows goes along with a change that is needed anyway.
 * @param removesExtraSigners whether the signers go whom the item doesn't name
 * @param isOwn whether the node has made the draft, so that nothing is set but what items say
 * @returns undefined if nothing has to change
 */
export function buildDraftChange(
	comparison: TransactionComparison,
	assuranceField: string,
	removesExtraSigners: boolean,
	isOwn: boolean,
): Omit<DraftChange, 'notShown'> | undefined {
	const { transaction, fields, unseen, people, notNamed, differences, platform } = comparison;
	const changesPeople =
		(removesExtraSigners && notNamed.length > 0) ||
		differences.some(
			({ about, kind }) =>
				(about === 'signer' && kind === 'missing') || (about === 'person' && kind !== 'unknown'),
		);
	if (isBlank(fields) && !changesPeople) return undefined;
	const changedFields = { ...unseen, ...fields };
	// Those of a closing are always written back, with what the item says and no answer shows.
	if (!changesPeople && platform === 'business') return { fields: changedFields };
	const signerChanges = new Map<IDataObject, IDataObject>();
	for (const signer of asObjects(transaction.signers)) {
		const person = people.find(({ actual: match }) => match === signer);
		const id = person?.id ?? signer.external_id;
		const currentFields = changesPeople ? {} : toSignerRequest(signer, assuranceField);
		const changes = Object.entries(person?.expected ?? {}).filter(([name]) =>
			isBlank(currentFields[name]),
		);
		if (person !== undefined || !removesExtraSigners)
			signerChanges.set(signer, { ...Object.fromEntries(changes), external_id: id });
	}
	const signers = [...signerChanges].map(([signer, changes]) =>
		mergeSigner(toSignerRequest(signer, assuranceField), changes),
	);
	for (const { expected, actual: match, id } of people)
		if (match === undefined) signers.push({ ...expected, external_id: id });
	const namedSigners = people.flatMap(({ actual: match }) => (match === undefined ? [] : [match]));
	return {
		fields: { ...changedFields, signers: withExternalIds(signers) },
		signerChanges,
		...(isOwn && { knownSigners: new Set(namedSigners) }),
	};
}
