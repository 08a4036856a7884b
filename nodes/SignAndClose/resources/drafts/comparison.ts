import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import type { Part } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty } from '../../values/same';
import { sameProperty } from '../address/property';
import { fieldLabel } from '../shared/hints';
import { personName } from '../shared/output';
import { signerName } from '../signer/api';
import { addressesOf, externalIdAt, isNumbered, ownIdOf, pairPeople } from '../signer/people';
import { partsOfSigner, transactionPart } from './changes';
import { differ, type Difference } from './difference';
import { transactionToRequest } from './requestFields';

/*
 * Compares what an item wants of a transaction with what the service shows of it, in both directions.
 * What an item leaves empty it doesn't want otherwise. What no answer shows is unknown: it neither
 * stops anything nor is it written for its own sake.
 */

/** What is wanted of a transaction. */
export interface WantedTransaction {
	platform: Platform;
	/** The body of a create. */
	body: IDataObject;
	/** The node has made the name, which says nothing. */
	isNamedByNode?: boolean;
}

/** A signer of an item. */
interface ComparedPerson {
	wanted: IDataObject;
	/** The same person in the transaction. */
	shown?: IDataObject;
	/**
	 * The external ID by which the item calls the person, and that in the transaction, also of those who
	 * are still to be added: places to sign are for persons, whatever the transaction calls them.
	 */
	ownId: string;
	id: string;
}

/** A transaction that is compared with an item. */
export interface ComparedTransaction {
	transaction: TransactionAnswer;
	differences: Difference[];
	/** Fields of a change: those that are shown otherwise, and those that no answer shows. */
	fields: IDataObject;
	unseen: IDataObject;
	people: ComparedPerson[];
	/** Signers of the transaction whom the item doesn't name. */
	notNamed: IDataObject[];
}

type Settings = Pick<OperationCall, 'service' | 'params'>;

/** Fields of a create that no change has, or that hold for the create alone; contacts are merged. */
const CREATE_ONLY = new Set([
	'contacts',
	'cosigner',
	'document',
	'documents',
	'draft',
	'jurisdiction_eligibility_consent',
	'organization_id',
	'pdf_bookmarked',
	'signer',
	'signers',
	'skip_closing_ops',
	'suppress_email',
]);

/** The signers in the body of a create. */
export const wantedPeople = ({ signers, signer, cosigner }: IDataObject): IDataObject[] =>
	signers === undefined ? asObjects([signer, cosigner]) : asObjects(signers);

/** Compares a transaction with what is wanted of it, but for its documents. */
export function compareTransaction(
	call: Settings,
	item: WantedTransaction,
	transaction: TransactionAnswer,
): ComparedTransaction {
	const own = compareFields(call, item, transaction);
	const contacts = compareContacts(call, item, transaction);
	const people = comparePeople(call, item, transaction);
	return {
		transaction,
		...own,
		...people,
		fields: { ...own.fields, ...contacts.fields },
		differences: [...own.differences, ...contacts.differences, ...people.differences],
	};
}

function compareFields(
	{ params }: Settings,
	{ body, platform, isNamedByNode }: WantedTransaction,
	transaction: TransactionAnswer,
): Pick<ComparedTransaction, 'differences' | 'fields' | 'unseen'> {
	const fields: IDataObject = {};
	const unseen: IDataObject = {};
	const differences: Difference[] = [];
	for (const [name, value] of Object.entries(body)) {
		if (isEmpty(value) || CREATE_ONLY.has(name)) continue;
		if (name === 'transaction_name' && isNamedByNode === true) continue;
		const part = transactionPart(name, value, transaction, platform);
		if (part.isShown) continue;
		// Some answers lack the type although it's set
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
		if (name === 'transaction_type' && isEmpty(part.shown)) part.isAnswered = false;
		const isProperty = name === 'street_address' && sameProperty(value, part.shown) === false;
		// The unit of one property isn't that of another one.
		(part.isAnswered ? fields : unseen)[name] = isProperty
			? { line2: '', ...asObject(value) }
			: value;
		differences.push(
			ofPart(isProperty ? 'property' : 'field', ['', fieldLabel(params, name)], part),
		);
	}
	return { differences, fields, unseen };
}

/** @param part a value that isn't shown as it's wanted */
const ofPart = (
	about: Difference['about'],
	names: [string, string],
	{ wanted, shown, isAnswered }: Part,
): Difference =>
	differ(about, !isAnswered ? 'unknown' : isEmpty(shown) ? 'missing' : 'different', names, [
		readable(wanted),
		readable(shown),
	]);

/** An address in one line; any other value as it is. */
function readable(value: unknown): unknown {
	const { line1, line2, city, state, postal, zip_code: zip } = asObject(value);
	const parts = [line1, line2, city, [state, postal ?? zip].filter(Boolean).join(' ')];
	return line1 === undefined ? value : parts.filter(Boolean).join(', ');
}

/** Whether an item says this external ID itself: the node gives others to signers without one. */
const isGiven = (id: unknown) => asText(id) !== undefined && !isNumbered(id);

/** The only signer of both, of whom one side gives no name: the External ID alone says who that is. */
const isAloneWithoutNames = (...sides: IDataObject[][]): boolean =>
	sides.every(({ length }) => length === 1) &&
	sides.some(([{ first_name: first, last_name: last }]) => !asText(first) && !asText(last));

/** A signer who isn't there, or whom the item doesn't name. */
function wholeSigner(kind: Difference['kind'], signer: IDataObject, label: string): Difference {
	const name = signerName(signer);
	return differ('signer', kind, [name, label], kind === 'extra' ? [null, name] : [name, null]);
}

function comparePeople(
	{ service, params }: Settings,
	{ body, platform }: WantedTransaction,
	{ signers, documents }: TransactionAnswer,
): Pick<ComparedTransaction, 'differences' | 'people' | 'notNamed'> {
	const { assuranceField } = service.settings;
	const wanted = wantedPeople(body);
	const all: IDataObject[] = signers ?? [];
	const pairs = pairPeople(wanted, all);
	if (platform === 'business' && isAloneWithoutNames(wanted, all)) pairs[0] ??= all[0];
	const notNamed = all.filter((one) => !pairs.includes(one));
	const label = params.label('signers');
	const differences = wanted.flatMap((person, index) => {
		const shown = pairs[index];
		if (shown === undefined) return [wholeSigner(signers ? 'missing' : 'unknown', person, label)];
		const { external_id: id, ...own } = person;
		const parts = partsOfSigner(isGiven(id) ? person : own, shown, assuranceField);
		const name = personName(person) ?? addressesOf(person)[0];
		return parts
			.filter(({ isShown }) => !isShown)
			.map((part) => {
				const isAssurance = part.field === assuranceField;
				const field = isAssurance ? 'Identity Checks' : fieldLabel(params, part.field);
				return ofPart('person', [name, field], part);
			});
	});
	const ids = idsInTransaction(wanted, pairs, [
		...notNamed.map(({ external_id: id }) => id),
		...asObjects(documents).flatMap(({ signing_designations: places }) =>
			asObjects(places).map(({ signer_identifier: id }) => id),
		),
	]);
	return {
		differences: [...differences, ...notNamed.map((one) => wholeSigner('extra', one, label))],
		people: wanted.map((person, index) => ({
			wanted: person,
			shown: pairs[index],
			ownId: ownIdOf(person, index),
			id: ids[index],
		})),
		notNamed,
	};
}

/**
 * The external ID that each signer of an item has in the transaction, or is to get.
 * @param shown the same persons there
 * @param others the external IDs that others have
 */
function idsInTransaction(
	wanted: IDataObject[],
	shown: Array<IDataObject | undefined>,
	others: unknown[],
): string[] {
	const taken = new Set([...others, ...shown.map((same) => same?.external_id)]);
	return wanted.map((person, index) => {
		const own = ownIdOf(person, index);
		const same = shown[index];
		// A person who is there has got the one that the item gives.
		if (isGiven(own) || same !== undefined)
			return isGiven(own) ? own : (asText(same?.external_id) ?? own);
		let number = index + 1;
		while (taken.has(externalIdAt(number))) number++;
		taken.add(externalIdAt(number));
		return externalIdAt(number);
	});
}

/** Those of the item take the place of those with the same role; contacts of other roles stay. */
function compareContacts(
	{ params }: Settings,
	{ body, platform }: WantedTransaction,
	transaction: TransactionAnswer,
): Pick<ComparedTransaction, 'differences' | 'fields'> {
	const wanted = asObjects(body.contacts);
	const shown = asObjects(transactionToRequest(transaction, platform).contacts);
	const isAlike = (one: IDataObject, other: IDataObject) =>
		one.role === other.role && pairPeople([one], [other])[0] !== undefined;
	const isShown = (contacts: IDataObject[], among: IDataObject[]) =>
		transactionPart('contacts', contacts, { id: '', contacts: among }, 'realEstate').isShown;
	const merged = shown.flatMap((contact) => {
		const own = wanted.find((one) => isAlike(one, contact));
		if (own !== undefined) return [{ ...contact, ...own }];
		return wanted.some(({ role }) => role === contact.role) ? [] : [contact];
	});
	merged.push(...wanted.filter((one) => !shown.some((other) => isAlike(one, other))));
	if (wanted.length === 0 || isShown(merged, shown)) return { differences: [], fields: {} };
	const named = (all: IDataObject[]) =>
		all.map(({ role, ...who }) => `${String(role)} ${signerName(who)}`).join(', ') || null;
	const changed = wanted.filter((one) => !shown.some((other) => isShown([one], [other])));
	const before = shown.filter(({ role }) => changed.some((one) => one.role === role));
	const names: [string, string] = ['', fieldLabel(params, 'contacts')];
	const difference = differ('field', 'different', names, [named(changed), named(before)]);
	return { differences: [difference], fields: { contacts: merged } };
}
