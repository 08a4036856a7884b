import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { without } from '../../../support/keptService/kept.mts';
import type { KeptOptions, Platform } from '../../../support/keptService/index.mts';
import type { Choices, File, Item, Person, Place } from './item.mts';

/** Two items of one number, what happens between them, and how the second one is run. */

const POOL: Person[] = [
	['Jane', 'Doe'],
	['Bob', 'Roe'],
	['Ann', 'Poe'],
	['Kim', 'Lee'],
	['Max', 'Low'],
].map(([first, last]) => ({
	email: `${first.toLowerCase()}@example.com`,
	first_name: first,
	last_name: last,
}));
/** None of these words is in another one. */
const NAMES = [
	'Deed',
	'Affidavit',
	'Disclosure',
	'Rider',
	'Survey',
	'Notice',
	'Addendum',
	'Letter',
];

/** The values of each field; the last one is that of a change. */
const VALUES: Record<string, IDataObject[string][]> = {
	message_to_signer: ['Please sign', 'Sign <b>soon</b> at https://x.example.com/a', 'Sign today'],
	message_subject: ['Your papers', 'Your closing', 'Your loan papers'],
	notary_meeting_time: ['2027-03-01T15:00:00Z', '2027-04-02T16:30:00Z', '2027-05-03T17:00:00Z'],
	file_number: ['F-1', 'F-2', 'F-77'],
	title_agency: ['or_agency_harbor', 'or_agency_elm', 'or_agency_oak'],
	contacts: ['lee', 'sam', 'kay'].map((name) => [
		{
			role: 'loan_officer',
			email: `${name}@bank.example.com`,
			first_name: name,
			last_name: 'Bank',
		},
	]),
};
const ON_BUSINESS = ['message_to_signer', 'message_subject', 'notary_meeting_time'];
const fieldsOn = (platform: Platform) =>
	platform === 'business' ? ON_BUSINESS : Object.keys(VALUES);

const CHANGES = [
	'email',
	'emailAndPhone',
	'phone',
	'lastName',
	'addFirst',
	'addLast',
	'removePerson',
	'everybody',
	'content',
	'rename',
	'removeFile',
	'addFile',
	'requirement',
	'flag',
	'place',
	'enote',
	'field',
	'emptyField',
	'property',
] as const;
export type Change = { kind: (typeof CHANGES)[number]; at: number };

const BETWEEN = [
	'none',
	'editField',
	'moveBox',
	'changeRequirement',
	'addPaper',
	'removeSigner',
	'sent',
	'recalled',
	'completed',
	'declined',
	'expired',
] as const;
export type Between = (typeof BETWEEN)[number];

export interface Pair {
	first: Item;
	second: Item;
	between: Between;
	choices: Choices;
}

const signature = (person: number, y: number): Place => ({ person, type: 'signature', x: 72, y });

const HEIGHTS = [60, 100, 140, 180, 220, 260, 300, 340];
const freeHeight = (places: Place[]) => HEIGHTS.find((y) => places.every((one) => one.y !== y))!;
const newContent = ({ files }: Item) => Math.max(...files.map(({ content }) => content)) + 1;

/** Everybody has something to sign, and what nobody signs has no places. */
function completed(item: Item): Item {
	const people = item.people.map((_person, index) => index);
	return {
		...item,
		files: item.files.map((file, index) => {
			if (index > 0 && file.requirement === 'readonly') return { ...file, places: [], flags: [] };
			const needed = index === 0 ? people : people.slice(0, file.places.length > 0 ? 0 : 1);
			const signs = (person: number) => file.places.some((place) => place.person === person);
			const more = needed.filter((person) => !signs(person));
			return {
				...file,
				requirement: file.requirement === 'readonly' ? 'esign' : file.requirement,
				flags: file.requirement === 'notarization' ? file.flags : [],
				places: more.reduce(
					(places, person) => [...places, signature(person, freeHeight(places))],
					file.places,
				),
			};
		}),
	};
}

const placed = (item: Item, change: (place: Place) => Place[]): File[] =>
	item.files.map((file) => ({ ...file, places: file.places.flatMap(change) }));

function withPeople(item: Item, at: number, change: (person: Person) => Person): Item {
	const chosen = at % item.people.length;
	return {
		...item,
		people: item.people.map((person, index) => (index === chosen ? change(person) : person)),
	};
}

function withFile(item: Item, at: number, change: (file: File) => File[]): Item {
	const chosen = at % item.files.length;
	return {
		...item,
		files: item.files.flatMap((file, index) => (index === chosen ? change(file) : [file])),
	};
}

const freeName = ({ files }: Item) =>
	NAMES.find((name) => files.every((one) => one.name !== name))!;
const NEXT: Record<string, string> = {
	esign: 'notarization',
	notarization: 'esign',
	readonly: 'esign',
};

/** What a change makes of an item; the item itself where there's nothing to change. */
const APPLY: Record<Change['kind'], (item: Item, at: number, platform: Platform) => Item> = {
	email: (item, at) => withPeople(item, at, (one) => ({ ...one, email: `new.${one.email}` })),
	emailAndPhone: (item, at) =>
		withPeople(item, at, (one) => ({
			...one,
			email: `new.${one.email}`,
			phone_number: '617 555 0177',
		})),
	phone: (item, at) => withPeople(item, at, (one) => ({ ...one, phone_number: '617 555 0188' })),
	lastName: (item, at) => withPeople(item, at, (one) => ({ ...one, last_name: 'Newman' })),
	addFirst: (item) => {
		const one = POOL.find(({ first_name: name }) =>
			item.people.every((p) => p.first_name !== name),
		);
		if (one === undefined || item.people.length > 3) return item;
		const files = placed(item, (place) => [{ ...place, person: place.person + 1 }]);
		return { ...item, people: [one, ...item.people], files };
	},
	addLast: (item) => {
		const one = POOL.find(({ first_name: name }) =>
			item.people.every((p) => p.first_name !== name),
		);
		return one === undefined ? item : { ...item, people: [...item.people, one] };
	},
	removePerson: (item, at) => {
		if (item.people.length === 1) return item;
		const gone = at % item.people.length;
		const files = placed(item, (place) =>
			place.person === gone
				? []
				: [{ ...place, person: place.person - (place.person > gone ? 1 : 0) }],
		);
		return { ...item, people: item.people.filter((_one, index) => index !== gone), files };
	},
	everybody: (item) => ({
		...item,
		people: item.people.map((_one, index) => ({
			email: `other${index}@example.com`,
			first_name: `Other${index}`,
			last_name: 'Else',
		})),
	}),
	content: (item, at) => withFile(item, at, (file) => [{ ...file, content: newContent(item) }]),
	rename: (item, at) => withFile(item, at, (file) => [{ ...file, name: freeName(item) }]),
	removeFile: (item, at) => (item.files.length === 1 ? item : withFile(item, at, () => [])),
	addFile: (item) => {
		const file = { content: newContent(item), requirement: 'esign', flags: [], places: [] };
		return { ...item, files: [...item.files, { ...file, name: freeName(item), by: 'json' }] };
	},
	requirement: (item, at) =>
		withFile(item, at, (file) => [{ ...file, requirement: NEXT[file.requirement] }]),
	flag: (item, at) =>
		withFile(item, at, (file) => [
			{ ...file, flags: file.flags.length > 0 ? [] : ['witness_required'] },
		]),
	place: (item, at) =>
		withFile(item, at, (file) => {
			const [first, ...more] = file.places;
			return [first ? { ...file, places: [{ ...first, x: first.x + 50 }, ...more] } : file];
		}),
	enote: (item, _at, platform) =>
		platform === 'business' ? item : { ...item, enote: item.enote === 'B' ? 'C' : 'B' },
	field: (item, at, platform) => {
		const names = fieldsOn(platform);
		const name = names[at % names.length];
		return { ...item, fields: { ...item.fields, [name]: VALUES[name].at(-1) } };
	},
	emptyField: (item, at, platform) => {
		const names = fieldsOn(platform);
		return { ...item, fields: without(item.fields, [names[at % names.length]]) };
	},
	property: (item) =>
		item.property
			? { ...item, property: { ...item.property, addressLine1: '7 Elm Street' } }
			: item,
};

const fileOf = (name: string, content: number) =>
	fc
		.record({
			requirement: fc.constantFrom('esign', 'notarization', 'readonly'),
			flags: fc.constantFrom<string[]>([], ['witness_required']),
			by: fc.constantFrom('rows', 'json') as fc.Arbitrary<File['by']>,
			second: fc.boolean(),
		})
		.map(({ second, ...file }): File => ({
			...file,
			name,
			content,
			places: second ? [{ ...signature(0, 400), type: 'date_signed' }] : [],
		}));

function itemOn(platform: Platform): fc.Arbitrary<Item> {
	const person = (index: number) =>
		fc
			.record({ hasPhone: fc.boolean(), hasId: fc.boolean() })
			.map(({ hasPhone, hasId }): Person => ({
				...POOL[index],
				...(hasPhone && { phone_number: `617 555 010${index}` }),
				...(hasId && { external_id: `crm-10${index}` }),
			}));
	return fc
		.record({
			people: fc
				.shuffledSubarray([0, 1, 2], { minLength: 1 })
				.chain((chosen) => fc.tuple(...chosen.map(person))),
			files: fc
				.integer({ min: 1, max: 4 })
				.chain((count) => fc.tuple(...NAMES.slice(0, count).map(fileOf))),
			fields: fc.record(
				Object.fromEntries(
					fieldsOn(platform).map((name) => [name, fc.constantFrom(...VALUES[name].slice(0, -1))]),
				),
				platform === 'business' ? { requiredKeys: [] } : { requiredKeys: ['title_agency'] },
			),
			hasEnote: fc.boolean(),
		})
		.map(({ hasEnote, ...item }) =>
			completed({
				...item,
				...(platform === 'realEstate' && {
					fields: { ...item.fields, ...(!hasEnote && { paper_note_consent: true }) } as IDataObject,
					property: {
						addressLine1: '100 Harbor Street',
						addressCity: 'Boston',
						addressState: 'MA',
						addressZipCode: '02110',
					},
					...(hasEnote && { enote: 'A' }),
				}),
			} as Item),
		);
}

const choices: fc.Arbitrary<Choices> = fc.record({
	then: fc.constantFrom('send', 'send', 'draft', 'check', 'plan'),
	ifItDiffers: fc.constantFrom('stop', 'update', 'update', 'keep'),
	removeSignersNotNamed: fc.boolean(),
	documentsNotInTheItem: fc.constantFrom('stop', 'leave'),
	sendAgainIfRecalled: fc.boolean(),
	settingsNotShown: fc.constantFrom('none', 'none', 'none', 'none', 'stop'),
});

export const pairOn = (platform: Platform): fc.Arbitrary<Pair> =>
	fc
		.record({
			first: itemOn(platform),
			changes: fc.array(fc.record({ kind: fc.constantFrom(...CHANGES), at: fc.nat(5) }), {
				maxLength: 3,
			}),
			between: fc.constantFrom(...BETWEEN),
			choices,
		})
		.map(({ first, changes, ...more }) => ({
			...more,
			first,
			second: changes.reduce(
				(item, { kind, at }) => completed(APPLY[kind](item, at, platform)),
				first,
			),
		}));

const seldom = fc.constantFrom(false, false, false, false, false, false, false, true);

/** The service of a seed. */
export const service: fc.Arbitrary<{ platform: Platform; options: Partial<KeptOptions> }> =
	fc.record({
		platform: fc.constantFrom('business', 'realEstate'),
		options: fc.record({
			showsReferences: seldom.map((isHidden) => !isHidden),
			listHidesNumbers: seldom,
			put: fc.constantFrom('replaces', 'merges'),
			showsSettings: fc.boolean(),
			stripsMessages: fc.boolean(),
			designations: fc.constantFrom('byPlatform', 'byPlatform', 'full', 'ids'),
			addsConsentForms: fc.boolean(),
			businessShowsRecalled: fc.boolean(),
		}),
	});
