import { InputFailure } from '../../../messages/explainedFailure';
import { shownValue } from '../../../values/shown';
import { transactionTypes } from '../../shared/transactionType';
import type { Cells } from './matchColumns';
import type { RowSigner } from './rowSigners';
import { plainHeading } from './words';

/* What a row says of a closing in other words than the form. */

/** What sheets call the types, where that's certain. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
	['refi', 'refinance'],
	['cash out refinance', 'refinance'],
	['cash out refi', 'refinance'],
	['rate term refinance', 'refinance'],
	['rate and term refinance', 'refinance'],
	['home equity line of credit', 'heloc'],
	['loan modification', 'loan_mod_borrower'],
]);

const byName: ReadonlyMap<string, string> = new Map(
	transactionTypes.flatMap(({ name, value }) => [
		[plainHeading(name), String(value)],
		[plainHeading(String(value)), String(value)],
	]),
);

/**
 * Reads the type of a closing by the name in the form, the service's own, or a common one.
 * @throws InputFailure for anything else, because e.g. a purchase can be the buyer's or the seller's
 */
export function typeOfClosing(value: unknown, label: string): string {
	const written = shownValue(value).trim();
	const plain = plainHeading(written);
	const type = byName.get(plain) ?? OTHER_NAMES.get(plain);
	if (type !== undefined) return type;
	// A name of the service that the list doesn't have.
	if (/^[a-z]+(?:_[a-z\d]+)+$/.test(written)) return written;
	throw new InputFailure(
		label,
		`is '${written}', which isn't a type of closing`,
		`Write one of: ${transactionTypes.map(({ name }) => name).join('; ')}`,
	);
}

/** Makes a name for a closing whose row has none: its type, its signer and its address. */
export function closingName(type: unknown, signers: readonly RowSigner[], cells: Cells): string {
	const kind = transactionTypes.find(({ value }) => value === type)?.name ?? 'Closing';
	const of = (name: string) => signers[0]?.cells.get(name)?.value;
	const text = (value: unknown) => shownValue(value ?? '').trim();
	const names = of('last_name') === undefined ? ['name'] : ['first_name', 'last_name'];
	const who = names.map((name) => text(of(name))).join(' ');
	const where = text(cells.get('property_address')?.value);
	return [kind, who.trim(), where].filter((part) => part !== '').join(', ');
}
