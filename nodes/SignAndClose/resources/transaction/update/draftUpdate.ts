import type { IDataObject } from 'n8n-workflow';

import { UNKNOWN, write, type Goal } from '../../../run/outcome/goals';
import { readTransaction, type TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import type { Call, ServiceClient } from '../../../transport/client';
import { ServiceFailure } from '../../../transport/failure/failure';
import type { Platform } from '../../../transport/service/endpoints';
import { asObject, asObjects, asText, withoutEmpty } from '../../../values/json';
import { isEmpty, isSame } from '../../../values/same';
import { inCountry, phoneFields } from '../../shared/phone';
import { signerName } from '../../signer/api';
import { judgeChanges, type Changed } from './changes';
import {
	closingFieldsNotShown,
	requireSettings,
	signersAsTheyAre,
	signersFieldsNotShown,
	type GivenSettings,
	type NotShown,
} from './notShown';
import { closingToRequest, signerToRequest } from './requestFields';
import { checkKept } from './signerRules';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft).
 */

/** A change of a draft that is ready to be sent: nothing of it can fail here any more. */
export interface DraftUpdate {
	transactionId: string;
	platform: Platform;
	/** Fields of the request that change; `signers` are all signers. */
	changes: IDataObject;
	/** The transaction as retrieved before. */
	before: TransactionAnswer;
	request: Pick<Call, 'body' | 'assurance'>;
	/** What a closing may have and wasn't shown. It counts as unset, and a person is told. */
	notSent: string[];
}

/**
 * Builds the signer fields of a request for a closing: `signer` for one, `signers` for several,
 * because the service refuses both together
 * (docs/service/transactions.md#signer-signers-and-cosigner).
 * @param signers request fields of each signer, the primary one first
 */
export function closingSigners(signers: IDataObject[]): IDataObject {
	if (signers.length === 0) return {};
	return signers.length === 1 ? { signer: signers[0] } : { signers };
}

const COSIGNER_FIELDS = ['first_name', 'last_name', 'signing_requirement'];

/**
 * Builds the signer fields of a request from signers that the service has. A second person without
 * an e-mail address is a cosigner, who can't have anything that isn't shown but the fields of one
 * (docs/service/signers.md#cosigner).
 * @param shown the same signers as they are shown
 * @throws ServiceFailure `signerNotWritable`
 */
function presentSigners(
	signers: IDataObject[],
	shown: IDataObject[],
	platform: Platform,
	assuranceField: string,
): IDataObject {
	const unreachable = signers.filter(
		({ email, recipient_group: group }) => isEmpty(email) && isEmpty(group),
	);
	if (unreachable.length === 0)
		return platform === 'realEstate' ? closingSigners(signers) : { signers };
	const [signer, cosigner] = signers;
	const former = signerToRequest(shown[1] ?? {}, assuranceField);
	const isCosigner = Object.entries(asObject(cosigner)).every(
		([name, value]) => COSIGNER_FIELDS.includes(name) || isSame(former[name], value),
	);
	if (
		signers.length !== 2 ||
		unreachable.length > 1 ||
		unreachable[0] !== cosigner ||
		!isCosigner
	) {
		const named = shown[signers.indexOf(unreachable[0])] ?? unreachable[0];
		throw new ServiceFailure(
			{ code: 'signerNotWritable', signer: signerName(named) },
			{ final: true },
		);
	}
	const { first_name, last_name, signing_requirement } = cosigner;
	return { signer, cosigner: withoutEmpty({ first_name, last_name, signing_requirement }) };
}

/**
 * Checks that an answer is a whole one: these fields are never left out
 * (docs/service/transactions.md#answer-fields). A shorter one would wipe what it leaves out.
 * @throws ServiceFailure `incompletelyRead` with what is missing
 */
function requireWhole(transaction: TransactionAnswer): void {
	const missing = [
		...['signers', 'documents', 'status'].filter((name) => transaction[name] === undefined),
		// Null says only that they aren't shown.
		...(transaction.signers === null ? ['signers'] : []),
	];
	if (missing.length > 0)
		throw new ServiceFailure(
			{ code: 'incompletelyRead', missing, toWriteBack: true },
			{ final: true },
		);
}

/** What a change of a draft consists of. */
interface Change {
	/** Fields of the request; `street_address` and `redirect` are merged by their parts. */
	fields: IDataObject;
	/** Fields of one of the signers in `before`. The others stay as they are. */
	correction?: { signer: IDataObject; changes: IDataObject };
	notShown: NotShown;
}

/**
 * Builds a change of a draft: a partial one on business, the whole transaction on real estate. What
 * is written back has to be known before.
 * @param before as retrieved a moment ago; it may still be sent, and be recalled before the change
 * @throws ServiceFailure `incompletelyRead`, `settingsNotShown`, `signerNotWritable` or what
 *   checkKept() finds
 */
export function planUpdate(
	before: TransactionAnswer,
	platform: Platform,
	assuranceField: string,
	{ fields, correction, notShown }: Change,
): DraftUpdate {
	const onRealEstate = platform === 'realEstate';
	const keepsSigners = correction !== undefined || (onRealEstate && fields.signers === undefined);
	if (onRealEstate || keepsSigners) requireWhole(before);
	const settings = requireSettings(notShown, [
		...(keepsSigners ? signersFieldsNotShown(before, platform, assuranceField, correction) : []),
		...(onRealEstate ? closingFieldsNotShown(before, fields) : []),
	]);
	const written = keepsSigners
		? signersAsTheyAre(before, settings, assuranceField).map(({ answer, request }) => ({
				answer,
				request:
					answer === correction?.signer ? correctedSigner(request, correction.changes) : request,
			}))
		: [];
	checkKept(before, written, assuranceField);
	const kept = keepsSigners ? written.map(({ request }) => request) : undefined;
	const changes = correction === undefined ? fields : { ...fields, signers: kept };
	const signers = kept ?? asObjects(fields.signers);
	const others = { ...fields };
	delete others.signers;
	const body: IDataObject = {
		...(onRealEstate ? mergeClosing(before, others, settings) : others),
		...(signers.length > 0 &&
			presentSigners(
				signers,
				keepsSigners ? asObjects(before.signers) : [],
				platform,
				assuranceField,
			)),
	};
	const assurance = signers.some((signer) => !isEmpty(signer[assuranceField]));
	// The interface asks for null where signers have identity checks
	// (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	const { transaction_type: type } = before;
	if (onRealEstate && body.transaction_type === undefined)
		if (type === null || (type === undefined && assurance)) body.transaction_type = null;
	return {
		transactionId: before.id,
		platform,
		changes,
		before,
		request: onRealEstate ? { body, assurance } : { body },
		notSent: onRealEstate
			? PLACES.filter(
					(name) => before[name] === undefined && !(name in fields) && !(`${name}_id` in fields),
				)
			: [],
	};
}

/** What is left out of answers where it's unset (docs/service/transactions.md#unset-fields). */
const PLACES = ['street_address', 'recording_jurisdiction', 'title_agency', 'title_underwriter'];

/** The closing as it is, with the changes of its own fields. */
function mergeClosing(
	closing: TransactionAnswer,
	{ street_address: newAddress, redirect, ...changes }: IDataObject,
	settings: GivenSettings,
): IDataObject {
	const kept = closingToRequest(closing);
	const address = { ...asObject(kept.street_address), ...asObject(newAddress) };
	return {
		...kept,
		...settings.closing,
		...changes,
		...(redirect !== undefined && {
			redirect: { ...asObject(kept.redirect), ...asObject(redirect) },
		}),
		...(!isEmpty(address) && { street_address: address }),
	};
}

/**
 * A signer of a request with a correction. The address is merged by its parts. A number without a
 * country code is in the country that the former one had.
 */
export function correctedSigner(
	{ phone: formerPhone, phone_number: formerNumber, ...signer }: IDataObject,
	{ phone, phone_number: number, address, ...changes }: IDataObject,
): IDataObject {
	const country = asText(asObject(formerPhone).country_code)?.replace(/\D/g, '') || undefined;
	const numbers =
		phone !== undefined || isEmpty(number)
			? { phone, phone_number: number }
			: phoneFields(inCountry(String(number), country));
	const former = { phone: formerPhone, phone_number: formerNumber };
	return {
		...signer,
		...changes,
		...withoutUndefined(phone === undefined && number === undefined ? former : numbers),
		...(address !== undefined && {
			address: address === null ? null : { ...asObject(signer.address), ...asObject(address) },
		}),
	};
}

const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Sends a change of a draft.
 * @throws ServiceFailure `notDone` when the service shows no change; with `flags.inDoubt` when the
 *   change may have been made
 */
export async function sendUpdate(service: ServiceClient, update: DraftUpdate): Promise<Changed> {
	const { transactionId, platform, request, notSent } = update;
	const changed = await write(
		service,
		async () =>
			await service.json('updateTransaction', { path: { transactionId }, platform, ...request }),
		updatedGoal(service, update),
	);
	return { ...changed, notSent };
}

/** The goal of an update: the transaction shows the changes. */
export function updatedGoal(
	service: ServiceClient,
	{
		transactionId,
		platform,
		changes,
		before,
	}: Pick<DraftUpdate, 'transactionId' | 'platform' | 'changes'> & Partial<DraftUpdate>,
): Required<Goal<Changed>> {
	const { assuranceField } = service.settings;
	const judge = (transaction: TransactionAnswer, answered: boolean) =>
		judgeChanges(changes, transaction, { platform, assuranceField, before, answered });
	return {
		told: (answer, answered = true) => {
			const transaction = readTransaction(answer);
			const seen = transaction === undefined ? UNKNOWN : judge(transaction, answered);
			// The answer of a write may leave out what it would show when it's retrieved.
			return seen.state === 'done' && seen.shown.differing.length === 0 ? seen : UNKNOWN;
		},
		look: async (answered = false) =>
			judge(await retrieveTransaction(service, transactionId, platform), answered),
	};
}
