import type { IDataObject } from 'n8n-workflow';

import { isDraft } from '../../service/resources/transactionState';
import { readAssurance } from '../../service/values/assurance';
import { asBoolean } from '../../service/values/booleans';
import { asObjects, asText } from '../../service/values/json';

/* Hints that are shown below a node's output after the run. */

/** Said of a draft. */
export const DRAFT =
	"This transaction is a draft: add its documents with 'Document: Add', then use 'Transaction: Send'";
const NO_EFFECT =
	'Identity checks have no effect for a signer who meets a notary, because the notary checks the identity. They only apply to e-signature documents';
const BELOW_IAL2 =
	"The selected identity checks don't reach IAL2: selfie, knowledge questions and SMS code are needed together";

/**
 * Says what to do next with a new transaction.
 * @returns undefined when there is nothing to say
 */
export function nextStep(transaction: IDataObject, assuranceField: string): string | undefined {
	const texts = [
		isDraft(transaction) ? DRAFT : undefined,
		assuranceHint(asObjects(transaction.signers), asObjects(transaction.documents), assuranceField),
	];
	return joined(texts);
}

/**
 * Says when the identity checks of these signers have no effect with these documents, or don't
 * reach IAL2 (docs/service/signers.md#identity-assurance).
 * @param assuranceField the service's name for the identity-assurance object
 * @returns undefined when there is nothing to say
 */
export function assuranceHint(
	signers: IDataObject[],
	documents: IDataObject[],
	assuranceField: string,
): string | undefined {
	const checked = signers
		.map((signer) => signer[assuranceField])
		.filter((value) => typeof value === 'object' && value !== null) as IDataObject[];
	if (checked.length === 0) return undefined;
	const onlyNotarized = documents.some(isNotarized) && !documents.some(isESigned);
	const complete = checked
		.map(readAssurance)
		.every((checks) => Object.values(checks).every(Boolean));
	return joined([onlyNotarized ? NO_EFFECT : undefined, complete ? undefined : BELOW_IAL2]);
}

function isNotarized({ requirement, notarization_required: needed }: IDataObject): boolean {
	return requirement === 'notarization' || asBoolean(needed) === true;
}

/**
 * Whether a document is signed without a notary. The consent form that the service adds to every
 * closing doesn't count (docs/service/documents.md#consent-forms).
 */
function isESigned(document: IDataObject): boolean {
	return (
		document.requirement === 'esign' &&
		!isNotarized(document) &&
		!/^esign consent form/i.test(asText(document.document_name) ?? '')
	);
}

/** Joins the sentences that are there; undefined when there are none. */
export function joined(texts: Array<string | undefined>): string | undefined {
	const present = texts.filter((text) => text !== undefined);
	return present.length === 0 ? undefined : present.join('. ');
}
