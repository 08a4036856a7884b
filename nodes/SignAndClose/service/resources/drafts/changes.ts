import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../answers';
import { businessToRequest, closingToRequest, isEmpty, signerToRequest } from '../../requestFields';
import type { Platform } from '../../endpoints';
import { done, notDone, UNKNOWN, type Seen } from '../../goals';
import { asObject, asObjects } from '../../values/json';

/*
 * Says whether a transaction shows the changes that a request asked for. The service may write a
 * value in another form: it moves times to the end of their day, splits phone numbers and removes
 * links from messages (docs/service/transactions.md#times). A value that is neither the wanted one
 * nor the one from before was therefore changed by the request.
 */

/**
 * Judges a change.
 * @param changes fields of the request
 * @param before the transaction as it was, where that is known
 * @param after the transaction as the service shows it
 */
export function judgeChanges(
	changes: IDataObject,
	after: TransactionAnswer,
	context: { platform: Platform; assuranceField: string; before?: TransactionAnswer },
): Seen<TransactionAnswer> {
	const shown = comparable(after, context);
	const earlier = context.before && comparable(context.before, context);
	const verdicts = Object.entries(changes)
		.filter(([name]) => name in shown.known)
		.map(([name, wanted]) => ({
			name,
			verdict: judgeField(
				name,
				wanted,
				shown.fields[name],
				earlier && { value: earlier.fields[name] },
			),
		}));
	const unchanged = verdicts.filter(({ verdict }) => verdict === 'unchanged');
	if (unchanged.length > 0) return notDone({ unchanged: unchanged.map(({ name }) => name) });
	return verdicts.some(({ verdict }) => verdict === 'unknown') ? UNKNOWN : done(after);
}

type Verdict = 'shown' | 'unchanged' | 'unknown';

function judgeField(
	name: string,
	wanted: unknown,
	after: unknown,
	before?: { value: unknown },
): Verdict {
	if (name === 'documents' ? isInOrder(after, wanted) : resembles(after, wanted)) return 'shown';
	if (before === undefined) return 'unknown';
	const untouched = JSON.stringify(after ?? null) === JSON.stringify(before.value ?? null);
	if (!untouched) return 'shown';
	// What is still missing may be a field that this service doesn't show.
	return isEmpty(after) ? 'unknown' : 'unchanged';
}

/** A transaction in the words of requests. `known` has the fields that answers show at all. */
function comparable(
	transaction: TransactionAnswer,
	{ platform, assuranceField }: { platform: Platform; assuranceField: string },
): { fields: IDataObject; known: IDataObject } {
	const fields: IDataObject = {
		...(platform === 'realEstate' ? closingToRequest(transaction) : businessToRequest(transaction)),
		...(transaction.signers && {
			signers: transaction.signers.map((signer) => {
				// No answer is sure to show what is asked of a signer's identity.
				const request = signerToRequest(signer, assuranceField);
				delete request[assuranceField];
				return request;
			}),
		}),
		...(transaction.documents && {
			documents: transaction.documents.map(({ id, bundle_position: position }) => ({
				id,
				bundle_position: position,
			})),
		}),
	};
	return { fields, known: { ...KNOWN, ...fields } };
}

/** Names that an answer shows when they are set. */
const KNOWN: IDataObject = Object.fromEntries(
	[
		'external_id',
		'transaction_name',
		'loan_number',
		'file_number',
		'expiry',
		'expiration_time',
		'activation_time',
		'street_address',
		'contacts',
		'signers',
		'documents',
	].map((name) => [name, true]),
);

/** Whether documents are shown in the wanted order. There may be others, which aren't ordered. */
function isInOrder(shown: unknown, wanted: unknown): boolean {
	const positions = asObjects(wanted).map(({ id }) => {
		const found = asObjects(shown).find((document) => resembles(document.id, id));
		return Number(found?.bundle_position ?? Number.NaN);
	});
	return positions.every((position, index) => index === 0 || position > positions[index - 1]);
}

/** How far a time may be moved by the service, which rounds it to its day. */
const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\d(T|$)/;

/**
 * Whether a shown value stands for the wanted one. Of an object, only the parts that were wanted
 * and are shown count.
 */
export function resembles(shown: unknown, wanted: unknown): boolean {
	if (isEmpty(wanted)) return isEmpty(shown);
	if (isEmpty(shown)) return false;
	if (Array.isArray(wanted)) {
		const left = Array.isArray(shown) ? [...(shown as unknown[])] : [];
		// The same number of entries, so that what was to be removed is gone.
		return (
			left.length === wanted.length &&
			wanted.every((entry) => {
				const at = left.findIndex((candidate) => resembles(candidate, entry));
				return at >= 0 && left.splice(at, 1).length === 1;
			})
		);
	}
	if (typeof wanted === 'object') {
		const [parts, others] = [alike(asObject(shown)), alike(asObject(wanted))];
		return Object.entries(others).every(
			([name, value]) => parts[name] === undefined || resembles(parts[name], value),
		);
	}
	const [one, other] = [String(shown).trim(), String(wanted).trim()];
	if (plain(one) === plain(other)) return true;
	return (
		TIME.test(one) && TIME.test(other) && Math.abs(Date.parse(one) - Date.parse(other)) < DAY_MS
	);
}

/** Ids come with and without an underscore, texts in other letters. */
const plain = (text: string) =>
	text
		.toLowerCase()
		.replace(/[\s_]+/g, ' ')
		.replace(/ /g, '');

/** One name for what two names stand for: zip code and postal code, phone number and phone. */
function alike({ zip_code: zip, phone_number: number, phone, ...rest }: IDataObject): IDataObject {
	const digits = String(asObject(phone).number ?? number ?? '').replace(/\D/g, '');
	return {
		...(zip !== undefined && { postal: zip }),
		...rest,
		...(digits !== '' && { phone_number: digits.slice(-10) }),
	};
}

/** Whether the transaction has a signer like this one. */
export function hasSignerLike(transaction: TransactionAnswer, wanted: IDataObject): boolean {
	return asObjects(transaction.signers).some((signer) => {
		const parts = alike(signer);
		return Object.entries(alike(wanted)).every(([name, value]) => resembles(parts[name], value));
	});
}
