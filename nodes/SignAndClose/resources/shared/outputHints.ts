import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import { isDraft } from '../../transport/answers/transactionState';
import { asBoolean } from '../../values/booleans';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty, type Difference } from '../../values/same';

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
	const complete = checked.every(
		({
			id_verification: id,
			knowledge_based_authentication: knowledge,
			multi_factor_authentication: factor,
		}) =>
			asBoolean(asObject(id).selfie) === true &&
			asBoolean(knowledge) === true &&
			asText(asObject(factor).type)?.toLowerCase() === 'sms',
	);
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

/**
 * Says which fields the service took and shows with another value than the one it was sent.
 * @returns undefined when there are none
 */
export function differenceHint(
	params: Pick<Params, 'label'>,
	differing: Difference[],
): string | undefined {
	const inner = (field: string) =>
		field.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
	return joined(
		differing.map(({ field, wanted, shown }) => {
			const own = params.label(field);
			const label = own === field ? params.label(inner(field)) : own;
			return `'${label === inner(field) ? field : label}': sent ${quoted(wanted)}, the service shows ${quoted(shown)}`;
		}),
	);
}

/**
 * Names what a closing may have and the service didn't show, so that it wasn't sent back.
 * @param names fields of answers
 */
export const notSentHint = (names: string[] = []): string | undefined =>
	names.length === 0
		? undefined
		: `The service shows no ${names.map((name) => name.replace(/_/g, ' ')).join(', ')} of this closing, so none was sent back`;

/** How much of a value a hint shows. */
const LONGEST_VALUE = 200;

/** A value in quotes, lists and objects as JSON. */
function quoted(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > LONGEST_VALUE ? `'${text.slice(0, LONGEST_VALUE)}...'` : `'${text}'`;
}

/** Joins the sentences that are there; undefined when there are none. */
export function joined(texts: Array<string | undefined>): string | undefined {
	const present = texts.filter((text) => text !== undefined);
	return present.length === 0 ? undefined : present.join('. ');
}
