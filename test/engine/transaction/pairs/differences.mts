import type { IDataObject } from 'n8n-workflow';

import { sha256, type KeptSigner, type Sent } from '../../../support/keptService/kept.mts';
import { enoteOf, pdfOf, type File, type Item, type Person } from './item.mts';

/** What differs between an item and what a service keeps, from the outside of the node. */

export interface Difference {
	about: 'person' | 'field' | 'property' | 'document' | 'rule' | 'enote';
	kind: 'missing' | 'different' | 'extra';
	what: string;
	/** What a person has to read of it: of each group, one text. */
	texts: string[][];
}

const LABELS: Record<string, string> = {
	message_to_signer: 'Message to Signer',
	message_subject: 'Message Subject',
	notary_meeting_time: 'Notary Meeting Time',
	file_number: 'File Number',
	title_agency: 'Title Agency',
	contacts: 'Contacts',
	first_name: 'First Name',
	last_name: 'Last Name',
};
const digits = (text: unknown) => String(text).replace(/\D/g, '').slice(-10);
/** Messages as services keep them. */
const stripped = (text: unknown) =>
	String(text)
		.replace(/<[^>]*>|https?:\/\/\S+/g, '')
		.trim();
const nameOf = ({ first_name: first, last_name: last }: Person | KeptSigner) =>
	[first, last].filter(Boolean).join(' ');

/** Who of the item is whom: by address, by an external ID that the item has, or by both names. */
export function tied(item: Item, signers: KeptSigner[]): Map<number, KeptSigner> {
	const found = new Map<number, KeptSigner>();
	const ties: Array<(person: Person, signer: KeptSigner) => boolean> = [
		(person, { email }) => person.email.toLowerCase() === email.toLowerCase(),
		(person, { external_id: id }) => person.external_id !== undefined && person.external_id === id,
		(person, signer) => nameOf(person) !== '' && nameOf(person) === nameOf(signer),
	];
	for (const isTied of ties)
		for (const [index, person] of item.people.entries()) {
			const free = signers.filter((signer) => ![...found.values()].includes(signer));
			const signer = found.has(index) ? undefined : free.find((one) => isTied(person, one));
			if (signer !== undefined) found.set(index, signer);
		}
	return found;
}

function ofPeople(item: Item, signers: KeptSigner[]): Difference[] {
	const found = tied(item, signers);
	const all: Difference[] = [];
	for (const [index, person] of item.people.entries()) {
		const signer = found.get(index);
		const add = (kind: Difference['kind'], what: string, texts: string[][]) =>
			all.push({ about: 'person', kind, what: `${what} of ${person.email}`, texts });
		if (signer === undefined) {
			add('missing', 'everything', [[person.email, nameOf(person)]]);
			continue;
		}
		if (person.email !== signer.email) add('different', 'email', [[person.email], [signer.email]]);
		for (const name of ['first_name', 'last_name', 'external_id'] as const)
			if (person[name] && person[name] !== signer[name])
				add('different', name, [[person[name]], ...(signer[name] ? [[signer[name]]] : [])]);
		const [wanted, kept] = [person.phone_number, signer.phone?.number];
		if (wanted && digits(wanted) !== kept)
			add('different', 'phone', [[digits(wanted)], ...(kept ? [[kept]] : [])]);
	}
	const named = [...found.values()];
	for (const signer of signers.filter((one) => !named.includes(one)))
		all.push({
			about: 'person',
			kind: 'extra',
			what: signer.email,
			texts: [[signer.email, nameOf(signer) || signer.email]],
		});
	return all;
}

function ofField(name: string, wanted: unknown, fields: IDataObject): Difference[] {
	const kept = fields[name === 'title_agency' ? 'title_agency_id' : name];
	const differs = (...texts: string[][]): Difference[] => [
		{ about: 'field', kind: kept === undefined ? 'missing' : 'different', what: name, texts },
	];
	if (name === 'contacts') {
		const people = (kept ?? []) as IDataObject[];
		const missing = (wanted as IDataObject[]).filter(
			({ email }) => !people.some((one) => one.email === email),
		);
		return missing.flatMap(({ email }) => differs([String(email), LABELS.contacts]));
	}
	if (name === 'notary_meeting_time')
		return Date.parse(String(wanted)) === Date.parse(String(kept)) ? [] : differs([LABELS[name]]);
	if (name === 'title_agency')
		return wanted === kept ? [] : differs([LABELS[name], String(wanted).replace('_', '')]);
	if (stripped(wanted) === stripped(kept)) return [];
	return differs(
		[stripped(wanted), String(wanted)],
		...(kept === undefined ? [] : [[stripped(kept), String(kept)]]),
	);
}

/** Places, each with its person of the item. */
function placesOfItem({ places }: File): string[] {
	return places.map(({ person, type, x, y }) => `${person} ${type} ${x} ${y}`).sort();
}

function placesKept(designations: IDataObject[], item: Item, signers: KeptSigner[]): string[] {
	const found = [...tied(item, signers)];
	return designations
		.map(({ signer_identifier: key, type, x, y }) => {
			const owner = found.find(([, signer]) => signer.external_id === key);
			return `${owner?.[0] ?? `(${String(key)})`} ${String(type)} ${String(x)} ${String(y)}`;
		})
		.sort();
}

function ofDocuments(item: Item, { documents, signers }: Sent): Difference[] {
	const all: Difference[] = [];
	const left = documents.filter(({ isConsentForm, isEnote }) => !isConsentForm && !isEnote);
	for (const file of item.files) {
		const hash = sha256(pdfOf(file));
		const same = left.filter((one) => one.sha256 === hash);
		const document =
			same.find(({ name }) => name === file.name) ??
			same[0] ??
			left.find(({ name }) => name === file.name);
		const texts = [[file.name, document?.name ?? file.name]];
		const add = (about: Difference['about'], kind: Difference['kind'], what: string) =>
			all.push({ about, kind, what: `${what} of ${file.name}`, texts });
		if (document === undefined) {
			add('document', 'missing', 'everything');
			continue;
		}
		left.splice(left.indexOf(document), 1);
		if (document.sha256 !== hash) add('document', 'different', 'content');
		if (document.requirement !== file.requirement) add('rule', 'different', 'requirement');
		const isWitnessed = document.flags.includes('witness_required');
		if (isWitnessed !== file.flags.includes('witness_required')) add('rule', 'different', 'flags');
		const [wanted, kept] = [placesOfItem(file), placesKept(document.designations, item, signers)];
		if (wanted.join() !== kept.join())
			add('rule', 'different', `places (${kept.join(', ')}, not ${wanted.join(', ')})`);
	}
	for (const { name } of left)
		all.push({ about: 'document', kind: 'extra', what: name, texts: [[name]] });
	return all;
}

function ofEnote({ enote }: Item, { documents }: Sent): Difference[] {
	const notes = documents.filter(({ isEnote }) => isEnote);
	if (enote === undefined || notes.some((one) => one.sha256 === sha256(enoteOf(enote)))) return [];
	const kind = notes.length === 0 ? 'missing' : 'different';
	return [{ about: 'enote', kind, what: 'eNote', texts: [['eNote']] }];
}

/** Everything that the item says, and that is kept in another way. */
export function differencesOf(item: Item, kept: Sent): Difference[] {
	const address = kept.fields.street_address as IDataObject | undefined;
	const street = item.property?.addressLine1;
	return [
		...ofPeople(item, kept.signers),
		...Object.entries(item.fields)
			.filter(([name, value]) => name in LABELS && value !== '' && value !== undefined)
			.flatMap(([name, value]) => ofField(name, value, kept.fields)),
		...(street !== undefined && street !== address?.line1
			? [
					{
						about: 'property' as const,
						kind: 'different' as const,
						what: 'property',
						texts: [[street], [String(address?.line1)]],
					},
				]
			: []),
		...ofDocuments(item, kept),
		...ofEnote(item, kept),
	];
}

/** Whether a text says all that a person has to read of a difference. */
export function isNamed(said: string, { texts }: Difference): boolean {
	// n8n would show tags as tags, so messages write their brackets in another way.
	const lower = said.replaceAll('‹', '<').replaceAll('›', '>').toLowerCase();
	return texts.every((group) =>
		group.some((text) =>
			/^\d{10}$/.test(text)
				? said.replace(/\D/g, '').includes(text.slice(-7))
				: lower.includes(text.toLowerCase()),
		),
	);
}
