import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import type { FieldComparison } from '../../run/goals';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { isBlank } from '../../values/comparison';
import { isSameProperty } from '../address/property';
import { findFieldLabel } from '../../form/hints';
import { formatPersonName } from '../../form/output';
import { formatSignerName } from '../signer/api';
import {
	listAddresses,
	buildExternalId,
	isNumberedId,
	getExternalId,
	pairPeople,
} from '../signer/people';
import { compareSignerFields, compareTransactionField } from './fieldComparison';
import { buildDifference, type ItemDifference } from './difference';
import { toTransactionRequest } from './requestFields';

/*
 * Compares what an item wants of a transaction with what the service shows of it, in both directions.
 * What an item leaves empty it doesn't want otherwise. What no answer shows is unknown: it neither
 * stops anything nor is it written for its own sake.
 */

/** What is wanted of a transaction. */
export interface ExpectedTransaction {
	platform: Platform;
	/** The body of a create. */
	body: IDataObject;
	/** The node has made the name, which says nothing. */
	isNamedByNode?: boolean;
}

/** A signer of an item. */
interface PersonComparison {
	expected: IDataObject;
	/** The same person in the transaction. */
	actual?: IDataObject;
	/**
	 * The external ID by which the item calls the person, and that in the transaction, also of those who
	 * are still to be added: places to sign are for persons, whatever the transaction calls them.
	 */
	ownId: string;
	id: string;
}

/** A transaction that is compared with an item. */
export interface TransactionComparison {
	transaction: TransactionAnswer;
	differences: ItemDifference[];
	/** Fields of a change: those that are shown otherwise, and those that no answer shows. */
	fields: IDataObject;
	unseen: IDataObject;
	people: PersonComparison[];
	/** Signers of the transaction whom the item doesn't name. */
	notNamed: IDataObject[];
}

type ComparisonContext = Pick<OperationCall, 'service' | 'params'>;

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
export const listExpectedSigners = ({ signers, signer, cosigner }: IDataObject): IDataObject[] =>
	signers === undefined ? asObjects([signer, cosigner]) : asObjects(signers);

/** Compares a transaction with what is wanted of it, but for its documents. */
export function compareTransaction(
	call: ComparisonContext,
	item: ExpectedTransaction,
	transaction: TransactionAnswer,
): TransactionComparison {
	const fields = compareTransactionFields(call, item, transaction);
	const contacts = compareContacts(call, item, transaction);
	const people = compareItemSigners(call, item, transaction);
	return {
		transaction,
		...fields,
		...people,
		fields: { ...fields.fields, ...contacts.fields },
		differences: [...fields.differences, ...contacts.differences, ...people.differences],
	};
}

function compareTransactionFields(
	{ params }: ComparisonContext,
	{ body, platform, isNamedByNode }: ExpectedTransaction,
	transaction: TransactionAnswer,
): Pick<TransactionComparison, 'differences' | 'fields' | 'unseen'> {
	const fields: IDataObject = {};
	const unseen: IDataObject = {};
	const differences: ItemDifference[] = [];
	for (const [name, value] of Object.entries(body)) {
		if (isBlank(value) || CREATE_ONLY.has(name)) continue;
		if (name === 'transaction_name' && isNamedByNode === true) continue;
		const part = compareTransactionField(name, value, transaction, platform);
		if (part.isShown) continue;
		// Some answers lack the type although it's set
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
		if (name === 'transaction_type' && isBlank(part.actual)) part.isAnswered = false;
		const isProperty = name === 'street_address' && isSameProperty(value, part.actual) === false;
		// The unit of one property isn't that of another one.
		(part.isAnswered ? fields : unseen)[name] = isProperty
			? { line2: '', ...asObject(value) }
			: value;
		differences.push(
			buildFieldDifference(
				isProperty ? 'property' : 'field',
				['', findFieldLabel(params, name)],
				part,
			),
		);
	}
	return { differences, fields, unseen };
}

/** @param part a value that isn't shown as it's wanted */
const buildFieldDifference = (
	about: ItemDifference['about'],
	names: [string, string],
	{ expected, actual, isAnswered }: FieldComparison,
): ItemDifference =>
	buildDifference(
		about,
		!isAnswered ? 'unknown' : isBlank(actual) ? 'missing' : 'different',
		names,
		[formatAddress(expected), formatAddress(actual)],
	);

/** An address in one line; any other value as it is. */
function formatAddress(value: unknown): unknown {
	const { line1, line2, city, state, postal, zip_code: zip } = asObject(value);
	const parts = [line1, line2, city, [state, postal ?? zip].filter(Boolean).join(' ')];
	return line1 === undefined ? value : parts.filter(Boolean).join(', ');
}

/** Whether an item says this external ID itself: the node gives others to signers without one. */
const isGivenByItem = (id: unknown) => asText(id) !== undefined && !isNumberedId(id);

/** The only signer of both, of whom one side gives no name: the External ID alone says who that is. */
const isAloneWithoutNames = (...sides: IDataObject[][]): boolean =>
	sides.every(({ length }) => length === 1) &&
	sides.some(([{ first_name: first, last_name: last }]) => !asText(first) && !asText(last));

/** A signer who isn't there, or whom the item doesn't name. */
function buildSignerDifference(
	kind: ItemDifference['kind'],
	signer: IDataObject,
	label: string,
): ItemDifference {
	const name = formatSignerName(signer);
	return buildDifference(
		'signer',
		kind,
		[name, label],
		kind === 'extra' ? [null, name] : [name, null],
	);
}

function compareItemSigners(
	{ service, params }: ComparisonContext,
	{ body, platform }: ExpectedTransaction,
	{ signers, documents }: TransactionAnswer,
): Pick<TransactionComparison, 'differences' | 'people' | 'notNamed'> {
	const { assuranceField } = service.settings;
	const expected = listExpectedSigners(body);
	const signerAnswers: IDataObject[] = signers ?? [];
	const pairs = pairPeople(expected, signerAnswers);
	if (platform === 'business' && isAloneWithoutNames(expected, signerAnswers))
		pairs[0] ??= signerAnswers[0];
	const notNamed = signerAnswers.filter((signer) => !pairs.includes(signer));
	const label = params.label('signers');
	const differences = expected.flatMap((person, index) => {
		const actual = pairs[index];
		if (actual === undefined)
			return [buildSignerDifference(signers ? 'missing' : 'unknown', person, label)];
		const { external_id: id, ...fieldsWithoutId } = person;
		const parts = compareSignerFields(
			isGivenByItem(id) ? person : fieldsWithoutId,
			actual,
			assuranceField,
		);
		const name = formatPersonName(person) ?? listAddresses(person)[0];
		return parts
			.filter(({ isShown }) => !isShown)
			.map((part) => {
				const isAssurance = part.field === assuranceField;
				const field = isAssurance ? 'Identity Checks' : findFieldLabel(params, part.field);
				return buildFieldDifference('person', [name, field], part);
			});
	});
	const ids = chooseExternalIds(expected, pairs, [
		...notNamed.map(({ external_id: id }) => id),
		...asObjects(documents).flatMap(({ signing_designations: places }) =>
			asObjects(places).map(({ signer_identifier: id }) => id),
		),
	]);
	return {
		differences: [
			...differences,
			...notNamed.map((signer) => buildSignerDifference('extra', signer, label)),
		],
		people: expected.map((person, index) => ({
			expected: person,
			actual: pairs[index],
			ownId: getExternalId(person, index),
			id: ids[index],
		})),
		notNamed,
	};
}

/**
 * The external ID that each signer of an item has in the transaction, or is to get.
 * @param matches the same persons there
 * @param reservedIds the external IDs that others have
 */
function chooseExternalIds(
	expected: IDataObject[],
	matches: Array<IDataObject | undefined>,
	reservedIds: unknown[],
): string[] {
	const usedIds = new Set([...reservedIds, ...matches.map((same) => same?.external_id)]);
	return expected.map((person, index) => {
		const itemId = getExternalId(person, index);
		const same = matches[index];
		// A person who is there has got the one that the item gives.
		if (isGivenByItem(itemId) || same !== undefined)
			return isGivenByItem(itemId) ? itemId : (asText(same?.external_id) ?? itemId);
		let number = index + 1;
		while (usedIds.has(buildExternalId(number))) number++;
		usedIds.add(buildExternalId(number));
		return buildExternalId(number);
	});
}

/** Those of the item take the place of those with the same role; contacts of other roles stay. */
function compareContacts(
	{ params }: ComparisonContext,
	{ body, platform }: ExpectedTransaction,
	transaction: TransactionAnswer,
): Pick<TransactionComparison, 'differences' | 'fields'> {
	const expected = asObjects(body.contacts);
	const actual = asObjects(toTransactionRequest(transaction, platform).contacts);
	const isSameContact = (left: IDataObject, right: IDataObject) =>
		left.role === right.role && pairPeople([left], [right])[0] !== undefined;
	const isShown = (contacts: IDataObject[], among: IDataObject[]) =>
		compareTransactionField('contacts', contacts, { id: '', contacts: among }, 'realEstate')
			.isShown;
	const merged = actual.flatMap((contact) => {
		const match = expected.find((left) => isSameContact(left, contact));
		if (match !== undefined) return [{ ...contact, ...match }];
		return expected.some(({ role }) => role === contact.role) ? [] : [contact];
	});
	merged.push(...expected.filter((left) => !actual.some((right) => isSameContact(left, right))));
	if (expected.length === 0 || isShown(merged, actual)) return { differences: [], fields: {} };
	const listNames = (all: IDataObject[]) =>
		all.map(({ role, ...person }) => `${String(role)} ${formatSignerName(person)}`).join(', ') ||
		null;
	const changedContacts = expected.filter(
		(left) => !actual.some((right) => isShown([left], [right])),
	);
	const before = actual.filter(({ role }) => changedContacts.some((left) => left.role === role));
	const names: [string, string] = ['', findFieldLabel(params, 'contacts')];
	const difference = buildDifference('field', 'different', names, [
		listNames(changedContacts),
		listNames(before),
	]);
	return { differences: [difference], fields: { contacts: merged } };
}
