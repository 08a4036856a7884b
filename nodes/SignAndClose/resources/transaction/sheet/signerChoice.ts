import { InputFailure } from '../../../messages/failures';
import { toTitle } from '../../../form/titles';
import type { Cell, Cells } from './cells';
import { IDENTIFYING } from './headings';
import { isPerson, isSameOwner, type Owner, type Person } from './rowFields';

/* Who of the people in a row signs. */

/** The cells of a row by whose they are. */
export type Sheet = Array<{ owner: Owner; cells: Cells }>;

/** The cells of an owner, where new ones can be added. */
export function getCells(sheet: Sheet, owner: Owner): Cells {
	const group = sheet.find((entry) => isSameOwner(entry.owner, owner));
	if (group !== undefined) return group.cells;
	const cells: Cells = new Map();
	sheet.push({ owner, cells });
	return cells;
}

/** Which side signs a closing, where its type says it. Buyer and borrower are the same person. */
const SIDES: Array<[type: RegExp, sides: string[]]> = [
	[/^(?:hybrid_)?(?:refinance|heloc|loan_mod_borrower)$/, ['borrower']],
	[/^(?:hybrid_)?purchase_buyer_(?:cash|loan)$/, ['buyer', 'borrower']],
	[/^(?:hybrid_)?purchase_seller$/, ['seller']],
];

/** The sides that a type of closing chooses; undefined where it chooses none. */
export const findSides = (type: string): string[] | undefined =>
	SIDES.find(([types]) => types.test(type))?.[1];

/** How messages name somebody. */
export function formatPerson({ side, number, isSpouse }: Person): string {
	const title = number === 1 && side !== 'signer' ? toTitle(side) : `${toTitle(side)} ${number}`;
	return isSpouse && side !== 'spouse' ? `${title} Spouse` : title;
}

/** Somebody who signs. */
export interface SigningPerson {
	person: Person;
	cells: Cells;
	/** The number of its external ID: the same for the same column in every row. */
	place: number;
}

/** What makes a signer of columns. Without any of it, the others only describe nobody. */
const MAKES_SIGNER = /name$|^email$|phone$|^dob$/;
/** The sides of which a type chooses one. Others sign whatever the type is. */
const CHOSEN_SIDES = /^(?:buyer|borrower|seller)$/;

/**
 * Chooses who signs: the people of one side, and spouses after them.
 * @param typeSides the sides that the type chooses
 * @throws InputFailure naming the columns where it isn't certain
 */
export function chooseSigners(
	sheet: Sheet,
	typeSides: string[] | undefined,
	type: string | undefined,
): SigningPerson[] {
	const people = sheet.flatMap(({ owner, cells }) =>
		isPerson(owner) ? [{ person: owner, cells }] : [],
	);
	/** By side, the cell that says who somebody is; one with a value before others. */
	const sides = new Map<string, Cell>();
	for (const { person, cells } of people)
		// Without an email address, a client may be an organization.
		if (person.side !== 'client' || cells.has('email'))
			for (const cell of IDENTIFYING.flatMap((name) => cells.get(name) ?? []))
				if (sides.get(person.side)?.value === undefined) sides.set(person.side, cell);
	const spouse = sides.get('spouse');
	sides.delete('spouse');
	const side = chooseSide(sides, typeSides, type);
	if (spouse?.value !== undefined && sides.size > 1)
		throw new InputFailure(
			spouse.label,
			"doesn't say whose spouse it is",
			"Name the column e.g. 'Buyer Spouse Email'",
		);
	const candidates = people.filter(
		({ person }) => person.side === side || (person.side === 'spouse' && sides.size < 2),
	);
	if (!candidates.some(({ person }) => person.number === 1 && !person.isSpouse))
		candidates.push({ person: { side, number: 1, isSpouse: false }, cells: new Map() });
	return placeSigners(candidates);
}

/** Spouses come after the last number of the sheet, so that IDs are the same in every row. */
function placeSigners(people: Array<Omit<SigningPerson, 'place'>>): SigningPerson[] {
	people.sort((a, b) => a.person.number - b.person.number);
	const spouses = people.filter(({ person }) => person.isSpouse);
	const last = Math.max(...people.map(({ person }) => person.number));
	return people
		.map((entry) => {
			const { number, isSpouse } = entry.person;
			return { ...entry, place: isSpouse ? last + 1 + spouses.indexOf(entry) : number };
		})
		.filter(({ cells, place }) => {
			const filled = [...cells].filter(([, { value }]) => value !== undefined);
			// Of nobody, nothing is used, and the hint says so.
			return place === 1 || filled.some(([name]) => MAKES_SIGNER.test(name));
		})
		.sort((a, b) => a.place - b.place);
}

function chooseSide(
	sides: Map<string, Cell>,
	typeSides: string[] | undefined,
	type: string | undefined,
): string {
	// Where the type chooses nobody, one side has to be the only one of the sheet.
	const present = [...sides].filter(
		([, { value }]) => typeSides === undefined || value !== undefined,
	);
	const canSign = (side: string) => side === typeSides?.[0] || !CHOSEN_SIDES.test(side);
	const [onlySide, ...furtherSides] = present.filter(
		([side]) => typeSides === undefined || canSign(side),
	);
	if (furtherSides.length > 0)
		throw new InputFailure(
			onlySide[1].label,
			`and ${furtherSides.map(([, { label }]) => `'${label}'`).join(' and ')} are about different people, so it's unclear who signs`,
			`${type === undefined ? 'Name' : "Choose a 'Transaction Type' that says it, or name"} the columns of all who sign alike, e.g. 'Signer 1 Email' and 'Signer 2 Email', and rename or remove the others`,
		);
	// Where nobody is filled in, the message names the columns that the sheet has.
	const side = onlySide?.[0] ?? [...sides.keys()].find(canSign);
	const [opposite] = present;
	if (side === undefined && opposite !== undefined)
		throw new InputFailure(
			opposite[1].label,
			`is filled in, but the ${opposite[0]} doesn't sign a closing of the type ${type}`,
			"Correct the type of the closing, or name the columns of who signs, e.g. 'Signer 1 Email'",
		);
	return side ?? typeSides?.[0] ?? 'signer';
}
