import { InputFailure } from '../../../messages/explainedFailure';
import { titleOf } from '../../shared/titles';
import type { Cell } from './cells';
import { IDENTIFYING, numberOf, sideOf, SPOUSE } from './headings';
import type { Cells } from './reading';

/* Who of the people in a row signs. */

/** The cells of a row by their owners, e.g. `buyer 2`. */
export type Sheet = Map<string, Cells>;

/** Which side signs a closing, where its type says it. Buyer and borrower are the same person. */
const SIDES: Array<[type: RegExp, sides: string[]]> = [
	[/^(?:hybrid_)?(?:refinance|heloc|loan_mod_borrower)$/, ['borrower']],
	[/^(?:hybrid_)?purchase_buyer_(?:cash|loan)$/, ['buyer', 'borrower']],
	[/^(?:hybrid_)?purchase_seller$/, ['seller']],
];

/** The sides that a type of closing chooses; undefined where it chooses none. */
export const sidesOf = (type: string): string[] | undefined =>
	SIDES.find(([types]) => types.test(type))?.[1];

/** How messages name somebody. */
export function personTitle(owner: string): string {
	const [side, number] = [sideOf(owner), numberOf(owner)];
	const nth = number % SPOUSE;
	const title = nth === 1 && side !== 'signer' ? titleOf(side) : `${titleOf(side)} ${nth}`;
	return number > SPOUSE && side !== 'spouse' ? `${title} Spouse` : title;
}

/** Somebody who signs. */
export interface Signing {
	owner: string;
	cells: Cells;
	/** The number of its external ID: the same for the same column in every row. */
	place: number;
}

/** What makes a signer of columns. Without any of it, the others only describe nobody. */
const MAKES_SIGNER = /name$|^email$|phone$|^dob$/;
/** The sides of which a type chooses one. Others sign whatever the type is. */
const CHOSEN = /^(?:buyer|borrower|seller)$/;

/**
 * Chooses who signs: the people of one side, and spouses after them.
 * @param wanted the sides that the type chooses
 * @throws InputFailure naming the columns where it isn't certain
 */
export function signingOf(
	sheet: Sheet,
	wanted: string[] | undefined,
	type: string | undefined,
): Signing[] {
	const people = [...sheet].filter(([owner]) => numberOf(owner) > 0);
	/** By side, the cell that says who somebody is; one with a value before others. */
	const sides = new Map<string, Cell>();
	for (const [owner, cells] of people)
		// Without an email address, a client may be an organization.
		if (sideOf(owner) !== 'client' || cells.has('email'))
			for (const cell of IDENTIFYING.flatMap((name) => cells.get(name) ?? []))
				if (sides.get(sideOf(owner))?.value === undefined) sides.set(sideOf(owner), cell);
	const spouse = sides.get('spouse');
	sides.delete('spouse');
	const side = chooseSide(sides, wanted, type);
	if (spouse?.value !== undefined && sides.size > 1)
		throw new InputFailure(
			spouse.label,
			"doesn't say whose spouse it is",
			"Name the column e.g. 'Buyer Spouse Email'",
		);
	const own = people
		.filter(([owner]) => sideOf(owner) === side || (sideOf(owner) === 'spouse' && sides.size < 2))
		.sort(([one], [other]) => numberOf(one) - numberOf(other));
	if (!own.some(([owner]) => numberOf(owner) === 1)) own.unshift([`${side} 1`, new Map()]);
	// Spouses come after the last number of the sheet, so that IDs are the same in every row.
	const spouses = own.map(([owner]) => owner).filter((owner) => numberOf(owner) > SPOUSE);
	const last = Math.max(...own.map(([owner]) => numberOf(owner) % SPOUSE));
	return own.flatMap(([owner, cells]): Signing[] => {
		const place = numberOf(owner) > SPOUSE ? last + 1 + spouses.indexOf(owner) : numberOf(owner);
		const filled = [...cells].filter(([, { value }]) => value !== undefined);
		// Of nobody, nothing is used, and the hint says so.
		const isSigner = place === 1 || filled.some(([name]) => MAKES_SIGNER.test(name));
		return isSigner ? [{ owner, cells, place }] : [];
	});
}

function chooseSide(
	sides: Map<string, Cell>,
	wanted: string[] | undefined,
	type: string | undefined,
): string {
	// Where the type chooses nobody, one side has to be the only one of the sheet.
	const present = [...sides].filter(([, { value }]) => wanted === undefined || value !== undefined);
	const mayBe = (side: string) => side === wanted?.[0] || !CHOSEN.test(side);
	const [only, ...others] = present.filter(([side]) => wanted === undefined || mayBe(side));
	if (others.length > 0)
		throw new InputFailure(
			only[1].label,
			`and ${others.map(([, { label }]) => `'${label}'`).join(' and ')} are about different people, so it's unclear who signs`,
			`${type === undefined ? 'Name' : "Choose a 'Transaction Type' that says it, or name"} the columns of all who sign alike, e.g. 'Signer 1 Email' and 'Signer 2 Email', and rename or remove the others`,
		);
	// Where nobody is filled in, the message names the columns that the sheet has.
	const side = only?.[0] ?? [...sides.keys()].find(mayBe);
	const [opposite] = present;
	if (side === undefined && opposite !== undefined)
		throw new InputFailure(
			opposite[1].label,
			`is filled in, but the ${opposite[0]} doesn't sign a closing of the type ${type}`,
			"Correct the type of the closing, or name the columns of who signs, e.g. 'Signer 1 Email'",
		);
	return side ?? wanted?.[0] ?? 'signer';
}
