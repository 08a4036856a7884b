import { InputFailure } from '../../../messages/explainedFailure';
import { titleOf } from '../../shared/fields';
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
	const side = chooseSide([...people].filter(isPerson), wanted, type);
	const own = [...people].filter(([owner]) => sideOf(owner) === side);
	const spouses = [...people].filter(([owner]) => sideOf(owner) === 'spouse');
	const named = new Set([...people].filter(isPerson).map(([owner]) => sideOf(owner)));
	named.delete('spouse');
	const unclear = spouses
		.map(([, cells]) => whoOf(cells))
		.find((cell) => cell?.value !== undefined);
	if (unclear !== undefined && named.size > 1)
		throw new InputFailure(
			unclear.label,
			"doesn't say whose spouse it is",
			"Name the column e.g. 'Buyer Spouse Email'",
		);
	const all = [...own, ...(named.size > 1 ? [] : spouses)].sort(
		([one], [other]) => numberOf(one) - numberOf(other),
	);
	if (numberOf(all[0]?.[0] ?? '') !== 1) all.unshift([`${side} 1`, new Map()]);
	const last = Math.max(
		...all.map(([owner]) => numberOf(owner)).filter((number) => number < SPOUSE),
	);
	const afterLast = all.filter(([owner]) => numberOf(owner) > SPOUSE).map(([owner]) => owner);
	return all.flatMap(([owner, cells]): Signing[] => {
		const filled = [...cells.values()].filter(({ value }) => value !== undefined);
		const isNamed = [...IDENTIFYING, 'dob'].some((name) => cells.get(name)?.value !== undefined);
		const hasPhone = [...cells].some(
			([name, { value }]) => /phone$/.test(name) && value !== undefined,
		);
		const place = afterLast.includes(owner) ? last + 1 + afterLast.indexOf(owner) : numberOf(owner);
		if (place === 1 || isNamed || hasPhone) return [{ owner, cells, place }];
		if (filled.length > 0)
			reading.optional(filled, () => {
				const column = cells.get('email');
				const label = column?.label ?? `${personTitle(owner)} Email`;
				throw reading.missing(label, 'email', column !== undefined);
			});
		return [];
	});
}

function chooseSide(
	people: Array<[string, Cells]>,
	wanted: string[] | undefined,
	type: string,
): string {
	const sides = new Map<string, { label: string; isFilled: boolean }>();
	for (const [owner, cells] of people) {
		const { label, value } = whoOf(cells);
		const isFilled = value !== undefined;
		if (sideOf(owner) !== 'spouse' && !(sides.get(sideOf(owner))?.isFilled ?? false))
			sides.set(sideOf(owner), { label, isFilled });
	}
	// Where the type chooses nobody, one side has to be the only one of the sheet.
	const present = [...sides].filter(([, { isFilled }]) => isFilled || wanted === undefined);
	const signing = present.filter(
		([side]) =>
			wanted === undefined || wanted[0] === side || !/^(?:buyer|borrower|seller)$/.test(side),
	);
	const [only, ...others] = signing;
	if (others.length > 0)
		throw new InputFailure(
			only[1].label,
			`and ${others.map(([, { label }]) => `'${label}'`).join(' and ')} are about different people, so it isn't certain who signs`,
			"Name the columns of all who sign alike, e.g. 'Signer 1 Email' and 'Signer 2 Email', and rename or remove the others",
		);
	if (only !== undefined) return only[0];
	const [opposite] = present;
	if (opposite !== undefined)
		throw new InputFailure(
			opposite[1].label,
			`is filled in, but the ${opposite[0]} doesn't sign a closing of the type ${type}`,
			"Correct the type of the closing, or name the columns of who signs, e.g. 'Signer 1 Email'",
		);
	return (
		wanted?.find((side) => sides.has(side)) ??
		[...sides.keys()].find((side) => !/^(?:buyer|borrower|seller)$/.test(side)) ??
		wanted?.[0] ??
		'signer'
	);
}
