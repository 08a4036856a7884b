import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/answers';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty } from '../../values/same';
import { sameProperty } from '../address/property';
import { fieldLabel, inQuotes, type Labels } from '../shared/hints';
import { personName } from '../shared/output';
import { signerName } from '../signer/api';
import {
	addressesOf,
	externalIdAt,
	isNumbered,
	ownIdOf,
	pairPeople,
	withExternalIds,
} from '../signer/people';
import { partsOfSigner, transactionPart } from './changes';
import { correctedSigner } from './draftUpdate';
import { signerToRequest, transactionToRequest } from './requestFields';

/*
 * Compares what an item wants of a transaction with what the service shows of it, in both directions.
 * What an item leaves empty it doesn't want otherwise. What no answer shows is unknown: it neither
 * stops anything nor is it written for its own sake.
 */

/**
 * What a difference is about: a field or the property; a signer as a whole or what is known of one; a
 * document as a whole, its content, or what is wanted of it; the eNote.
 */
export type About =
	'field' | 'property' | 'signer' | 'person' | 'document' | 'content' | 'wish' | 'enote';

/** What an item wants and the service shows otherwise, in words for people. */
export interface Difference {
	/** Whose it is: a person, a document, the property; empty for the transaction itself. */
	subject: string;
	/** The field as the form calls it. */
	field: string;
	expected: unknown;
	actual: unknown;
	/** `missing` and `extra` are for what isn't there at all, or isn't wanted at all. */
	kind: 'missing' | 'different' | 'extra' | 'unknown';
	/** What it's about. */
	about: About;
}

/** Makes a difference. */
export const differ = (
	about: About,
	kind: Difference['kind'],
	[subject, field]: [subject: string, field: string],
	[expected, actual]: [expected: unknown, actual: unknown],
): Difference => ({ subject, field, expected, actual: actual ?? null, kind, about });

/** What is wanted of a transaction. */
export interface WantedTransaction {
	platform: Platform;
	/** The body of a create. */
	body: IDataObject;
	/** The node has made the name, which says nothing. */
	isNamedByNode?: boolean;
}

/** A transaction that is compared with an item. */
export interface ComparedTransaction {
	differences: Difference[];
	/** Fields of a change: those that are shown otherwise, and those that no answer shows. */
	fields: IDataObject;
	unseen: IDataObject;
	/** The signers of the item, each with the same person in the transaction. */
	people: Array<{ wanted: IDataObject; shown?: IDataObject }>;
	/** Signers of the transaction whom the item doesn't name. */
	notNamed: IDataObject[];
	/**
	 * The external ID that each signer of the item has in the transaction, also of those who are still to
	 * be added, by that of the item: places to sign are for persons, whatever the transaction calls them.
	 */
	ids: ReadonlyMap<string, string>;
}

/** Fields of a create that no change has, or that hold for the create alone. */
const CREATE_ONLY = new Set([
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

/**
 * Compares a transaction with what is wanted of it, but for its documents.
 * @param assuranceField the service's name for the identity-assurance object
 */
export function compareTransaction(
	item: WantedTransaction,
	shown: TransactionAnswer,
	assuranceField: string,
	labels: Labels,
): ComparedTransaction {
	const compared: ComparedTransaction = {
		differences: [],
		fields: {},
		unseen: {},
		people: [],
		notNamed: [],
		ids: new Map(),
	};
	const { differences, fields, unseen } = compared;
	const { body, platform, isNamedByNode } = item;
	const { contacts, ...others } = body;
	for (const [name, value] of Object.entries(others)) {
		if (isEmpty(value) || CREATE_ONLY.has(name)) continue;
		if (name === 'transaction_name' && isNamedByNode === true) continue;
		const context = { platform, assuranceField, answered: false };
		const part = transactionPart(name, value, shown, context);
		if (part.isShown) continue;
		// Some answers lack the type although it's set
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
		if (name === 'transaction_type' && isEmpty(part.shown)) part.isAnswered = false;
		const isProperty = name === 'street_address' && sameProperty(value, part.shown) === false;
		// The unit of one property isn't that of another one.
		const own = isProperty ? { line2: '', ...asObject(value) } : value;
		(part.isAnswered ? fields : unseen)[name] = own;
		differences.push(
			ofPart(isProperty ? 'property' : 'field', ['', fieldLabel(labels, name)], part),
		);
	}
	compareContacts(transactionToRequest(shown, platform).contacts, contacts, compared, labels);
	comparePeople(shown, item, compared, assuranceField, labels);
	compared.ids = idsInTransaction(compared, shown);
	return compared;
}

/** @param part a value that isn't shown as it's wanted */
const ofPart = (
	about: About,
	names: [string, string],
	{ wanted, shown, isAnswered }: ReturnType<typeof transactionPart>,
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

function comparePeople(
	{ signers }: TransactionAnswer,
	{ body, platform }: WantedTransaction,
	{ differences, people, notNamed }: ComparedTransaction,
	assuranceField: string,
	labels: Labels,
): void {
	const wanted = wantedPeople(body);
	const whole = (kind: Difference['kind'], person: IDataObject) => {
		const name = signerName(person);
		const values: [unknown, unknown] = kind === 'extra' ? [null, name] : [name, null];
		differences.push(differ('signer', kind, [name, labels.label('signers')], values));
	};
	const shownSigners: IDataObject[] = signers ?? [];
	const pairs = pairPeople(wanted, shownSigners);
	if (platform === 'business' && isAloneWithoutNames(wanted, shownSigners))
		pairs[0] ??= shownSigners[0];
	for (const [index, person] of wanted.entries()) {
		const shown = pairs[index];
		people.push({ wanted: person, shown });
		if (shown === undefined) {
			whole(Array.isArray(signers) ? 'missing' : 'unknown', person);
			continue;
		}
		const { external_id: id, ...own } = person;
		const parts = partsOfSigner(isGiven(id) ? person : own, shown, undefined, assuranceField);
		for (const part of parts.filter(({ isShown }) => !isShown)) {
			const field =
				part.field === assuranceField ? 'Identity Checks' : fieldLabel(labels, part.field);
			differences.push(
				ofPart('person', [personName(person) ?? addressesOf(person)[0], field], part),
			);
		}
	}
	notNamed.push(...shownSigners.filter((one) => !pairs.includes(one)));
	for (const signer of notNamed) whole('extra', signer);
}

/** Those of the item take the place of those with the same role; contacts of other roles stay. */
function compareContacts(
	answered: unknown,
	given: unknown,
	{ differences, fields }: ComparedTransaction,
	labels: Labels,
): void {
	const [shown, wanted] = [asObjects(answered), asObjects(given)];
	const isAlike = (one: IDataObject, other: IDataObject) =>
		one.role === other.role && pairPeople([one], [other])[0] !== undefined;
	const merged = shown.flatMap((contact) => {
		const own = wanted.find((one) => isAlike(one, contact));
		if (own !== undefined) return [{ ...contact, ...own }];
		return wanted.some(({ role }) => role === contact.role) ? [] : [contact];
	});
	merged.push(...wanted.filter((one) => !shown.some((other) => isAlike(one, other))));
	const part = transactionPart('contacts', merged, { id: '', contacts: shown }, CONTACTS);
	if (wanted.length === 0 || part.isShown) return;
	fields.contacts = merged;
	const named = (all: IDataObject[]) =>
		all.map(({ role, ...who }) => `${String(role)} ${signerName(who)}`).join(', ') || null;
	const changed = wanted.filter(
		(one) =>
			!shown.some(
				(other) =>
					transactionPart('contacts', [one], { id: '', contacts: [other] }, CONTACTS).isShown,
			),
	);
	const before = shown.filter(({ role }) => changed.some((one) => one.role === role));
	const names: [string, string] = ['', fieldLabel(labels, 'contacts')];
	differences.push(differ('field', 'different', names, [named(changed), named(before)]));
}

const CONTACTS = { platform: 'realEstate', assuranceField: '', answered: false } as const;

function idsInTransaction(
	{ people, notNamed }: ComparedTransaction,
	shown: TransactionAnswer,
): ComparedTransaction['ids'] {
	const taken = new Set<unknown>([
		...notNamed.map(({ external_id: id }) => id),
		...people.map(({ shown: one }) => one?.external_id),
		...asObjects(shown.documents).flatMap(({ signing_designations: places }) =>
			asObjects(places).map(({ signer_identifier: id }) => id),
		),
	]);
	return new Map(
		people.map(({ wanted, shown: same }, index): [string, string] => {
			const own = ownIdOf(wanted, index);
			const known = isGiven(own) ? own : asText(same?.external_id);
			if (known !== undefined) return [own, known];
			// A person who is there has got the one that the item gives.
			if (same !== undefined) return [own, own];
			let number = index + 1;
			while (taken.has(externalIdAt(number))) number++;
			taken.add(externalIdAt(number));
			return [own, externalIdAt(number)];
		}),
	);
}

/** A change of a draft, as planUpdate() takes it. */
export interface ItemChanges {
	fields: IDataObject;
	/** Signers as they are, with what changes of each of them. */
	writtenBack: ReadonlyMap<IDataObject, IDataObject>;
}

/**
 * Builds the change that makes a draft what the item wants. What the item doesn't say stays. What no
 * answer shows goes along with a change that is needed anyway.
 * @param removes whether the signers go whom the item doesn't name
 * @returns undefined if nothing has to change
 */
export function changesFor(
	compared: ComparedTransaction,
	shown: TransactionAnswer,
	assuranceField: string,
	removes: boolean,
): ItemChanges | undefined {
	const { fields, unseen, people, notNamed, differences, ids } = compared;
	const changesPeople =
		(removes && notNamed.length > 0) ||
		differences.some(
			({ about, kind }) =>
				(about === 'signer' && kind === 'missing') || (about === 'person' && kind !== 'unknown'),
		);
	if (isEmpty(fields) && !changesPeople) return undefined;
	const all = { ...unseen, ...fields };
	if (!changesPeople) return { fields: all, writtenBack: new Map() };
	const idOf = (wanted: IDataObject, index: number) => ids.get(ownIdOf(wanted, index));
	const writtenBack = new Map<IDataObject, IDataObject>();
	const byShown = new Map(
		people.map(({ wanted, shown: same }, index) => [same, { wanted, id: idOf(wanted, index) }]),
	);
	const stay = asObjects(shown.signers).flatMap((signer) => {
		const own = byShown.get(signer);
		if (own === undefined && removes) return [];
		const wanted = { ...own?.wanted };
		delete wanted.external_id;
		writtenBack.set(signer, wanted);
		const id = own?.id ?? signer.external_id;
		return [
			{
				...correctedSigner(signerToRequest(signer, assuranceField), wanted),
				...(id !== undefined && { external_id: id }),
			},
		];
	});
	const added = people.flatMap(({ wanted, shown: same }, index) =>
		same === undefined ? [{ ...wanted, external_id: idOf(wanted, index) }] : [],
	);
	return { fields: { ...all, signers: withExternalIds([...stay, ...added]) }, writtenBack };
}

/** What is there or isn't, as a whole. */
const WHOLE: ReadonlySet<About> = new Set(['signer', 'document', 'enote']);

/**
 * Says a difference that is shown as a person reads it, without a final period.
 * @param where what a person calls the transaction
 */
export function describeDifference(difference: Difference, where: string): string {
	const { subject, field, expected, actual, kind, about } = difference;
	const isWhole = WHOLE.has(about);
	if (isWhole && kind === 'missing') return `${subject} isn't in ${where}`;
	if (isWhole && kind === 'extra') return `${subject} is in ${where}, and not in the item`;
	const whose = subject === '' ? field : `${field} of ${subject}`;
	return `${whose}: ${inQuotes(actual)} in ${where}, ${inQuotes(expected)} in the item`;
}

/** A difference for the output, without what only the node uses. */
export const toOutput = ({ subject, field, expected, actual, kind }: Difference): IDataObject =>
	({ subject, field, expected, actual, kind }) as IDataObject;
