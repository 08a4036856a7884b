import { InputFailure } from '../../../messages/explainedFailure';
import { titleOf } from '../../shared/fields';
import type { Cell } from './cells';
import { IDENTIFYING, SPOUSE } from './headings';
import type { Cells, Reading } from './reading';

/* Who of the people in a row signs. */

/** The people of a row, by side and number, e.g. `buyer 2`. */
export type People = Map<string, Cells>;

/** Which side signs a closing, where its type says it. Buyer and borrower are the same person. */
const SIDES: Readonly<Record<string, string[]>> = {
	refinance: ['borrower'],
	heloc: ['borrower'],
	loan_mod_borrower: ['borrower'],
	purchase_buyer_cash: ['buyer', 'borrower'],
	purchase_buyer_loan: ['buyer', 'borrower'],
	purchase_seller: ['seller'],
};

/** The sides that a type of closing chooses; undefined where it chooses none. */
export const sidesOf = (type: string): string[] | undefined => {
	const plain = type.replace(/^hybrid_/, '');
	return Object.hasOwn(SIDES, plain) ? SIDES[plain] : undefined;
};

/** How messages name somebody. */
export function personTitle(owner: string): string {
	const [side, number] = owner.split(' ');
	const title = titleOf(side.replace('unnamed', 'signer'));
	const nth = Number(number) % SPOUSE;
	const numbered = nth === 1 && side !== 'signer' ? title : `${title} ${nth}`;
	return Number(number) > SPOUSE && side !== 'spouse' ? `${numbered} Spouse` : numbered;
}

/** Somebody who signs. */
export interface Signing {
	owner: string;
	cells: Cells;
	/** The number of its external ID: the same for the same column in every row. */
	place: number;
}

const sideOf = (owner: string) => owner.split(' ')[0];
const numberOf = (owner: string) => Number(owner.split(' ')[1]);
/** The cell that says who somebody is; without a value, it's only a column. */
const whoOf = (cells: Cells) =>
	IDENTIFYING.flatMap((name) => cells.get(name) ?? []).sort(
		(one, other) => Number(one.value === undefined) - Number(other.value === undefined),
	)[0];
/** Without an email address, a client may be an organization. */
const isPerson = ([owner, cells]: [string, Cells]) =>
	whoOf(cells) !== undefined && (sideOf(owner) !== 'client' || cells.has('email'));

/**
 * Chooses who signs: the people of one side, and spouses after them.
 * @param wanted the sides that the type chooses
 * @throws InputFailure naming the columns where it isn't certain
 */
export function signingOf(
	people: People,
	wanted: string[] | undefined,
	type: string,
	reading: Reading,
): Signing[] {
	const known = [...people]
		.filter(isPerson)
		.map(([owner, cells]) => ({ side: sideOf(owner), who: whoOf(cells) }));
	const sides = known.filter(({ side }) => side !== 'spouse');
	const side = chooseSide(sides, wanted, type);
	const isUnclear = new Set(sides.map((person) => person.side)).size > 1;
	const spouse = known.find((person) => person.side === 'spouse' && person.who.value !== undefined);
	if (spouse !== undefined && isUnclear)
		throw new InputFailure(
			spouse.who.label,
			"doesn't say whose spouse it is",
			"Name the column e.g. 'Buyer Spouse Email'",
		);
	const own = [...people]
		.filter(([owner]) => sideOf(owner) === side || (sideOf(owner) === 'spouse' && !isUnclear))
		.sort(([one], [other]) => numberOf(one) - numberOf(other));
	if (!own.some(([owner]) => numberOf(owner) === 1)) own.unshift([`${side} 1`, new Map()]);
	// Spouses come after the last number of the sheet, so that IDs are the same in every row.
	const spouses = own.map(([owner]) => owner).filter((owner) => numberOf(owner) > SPOUSE);
	const last = Math.max(...own.map(([owner]) => numberOf(owner) % SPOUSE));
	return own.flatMap(([owner, cells]): Signing[] => {
		const filled = [...cells].filter(([, { value }]) => value !== undefined);
		const isThere = filled.some(([name]) => MAKES_SIGNER.test(name));
		const place = numberOf(owner) > SPOUSE ? last + 1 + spouses.indexOf(owner) : numberOf(owner);
		if (place === 1 || isThere) return [{ owner, cells, place }];
		const email = cells.get('email');
		if (filled.length > 0)
			reading.optional(
				filled.map(([, cell]) => cell),
				() => {
					const label = email?.label ?? `${personTitle(owner)} Email`;
					throw reading.missing(label, 'email', email !== undefined);
				},
			);
		return [];
	});
}

/** What makes a signer of columns. Without any of it, the others only describe nobody. */
const MAKES_SIGNER = /name$|^email$|phone$|^dob$/;
/** The sides of which a type chooses one. Others sign whatever the type is. */
const CHOSEN = /^(?:buyer|borrower|seller)$/;

function chooseSide(
	people: Array<{ side: string; who: Cell }>,
	wanted: string[] | undefined,
	type: string,
): string {
	// Where the type chooses nobody, one side has to be the only one of the sheet.
	const present = new Map<string, string>();
	for (const { side, who } of people)
		if ((wanted === undefined || who.value !== undefined) && !present.has(side))
			present.set(side, who.label);
	const signing = [...present].filter(
		([side]) => wanted === undefined || wanted[0] === side || !CHOSEN.test(side),
	);
	const [only, ...others] = signing;
	if (others.length > 0)
		throw new InputFailure(
			only[1],
			`and ${others.map(([, label]) => `'${label}'`).join(' and ')} are about different people, so it isn't certain who signs`,
			"Name the columns of all who sign alike, e.g. 'Signer 1 Email' and 'Signer 2 Email', and rename or remove the others",
		);
	if (only !== undefined) return only[0];
	const [opposite] = present;
	if (opposite !== undefined)
		throw new InputFailure(
			opposite[1],
			`is filled in, but the ${opposite[0]} doesn't sign a closing of the type ${type}`,
			"Correct the type of the closing, or name the columns of who signs, e.g. 'Signer 1 Email'",
		);
	// Nobody is filled in: the message names the columns that the sheet has.
	const empty =
		people.find(({ side }) => wanted?.includes(side) ?? true) ??
		people.find(({ side }) => !CHOSEN.test(side));
	return empty?.side ?? wanted?.[0] ?? 'signer';
}
