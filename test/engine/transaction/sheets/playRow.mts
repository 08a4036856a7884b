import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { forEachCase } from '../../../support/forEachCase.mts';
import { attempt, hints } from '../../../support/operations.mts';
import { sandbox } from '../../../support/useSandbox.mts';

/** Refinances of the rows of a sheet. */
export const REFINANCE: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	fieldsFrom: 'row',
	transactionType: 'refinance',
	additionalFields: {},
};

/** Plays a row of a sheet alone, and compares it with what is expected, as README.md says. */

interface Created extends IDataObject {
	signers: IDataObject[];
	street_address?: IDataObject;
	contacts?: IDataObject[];
}
export interface SheetRow {
	about: string;
	cells: IDataObject;
	expected: {
		created?: Created;
		left_out?: string[];
		hidden?: string[];
		refused?: string;
		names?: string[];
	};
}
export interface Sheet {
	operation: string;
	transaction_type?: string;
	if_exists?: string;
	rows: SheetRow[];
}

export const readSheets = <T,>(path: URL): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** What has to be as expected, also when it isn't expected. */
const EXACT = (
	'loan_number file_number message_subject message_to_signer cc_recipient_emails ' +
	'expiration_time expiry activation_time notary_meeting_time'
).split(' ');
/** What is compared only if it's expected. */
const NAMED = ['transaction_type', 'transaction_name', 'external_id'];
const SIGNER = (
	'email first_name middle_name last_name phone_number dob address capacity entity vesting_type ' +
	'order assurance_requirement'
).split(' ');

const pick = (object: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(
		names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])),
	);
/** A person with the whole phone number. */
const whole = ({ phone_number: phone, ...person }: IDataObject, code = '1'): IDataObject => ({
	...person,
	...(typeof phone === 'string' && {
		phone_number: phone.startsWith('+') ? phone : `+${code}${phone}`,
	}),
});
const address = ({ zip_code: zip, postal = zip, ...parts }: IDataObject): IDataObject => ({
	...parts,
	...(postal !== undefined && { postal }),
});
const byRole = (contacts: IDataObject[]) =>
	contacts
		.map((contact) => whole(contact))
		.sort((one, other) => String(one.role).localeCompare(String(other.role)));
const isNothing = (value: unknown) =>
	/^(?:|n\/a|n\.a\.|none|-|--)$/i.test(String(value ?? '').trim());

export async function playRow(sheet: Sheet, { cells, expected }: SheetRow): Promise<void> {
	sandbox.requests.splice(0);
	const isClosing = sheet.operation === 'createClosing';
	const outcome = await attempt(
		{
			resource: 'transaction',
			operation: sheet.operation,
			fieldsFrom: 'row',
			ifExists: sheet.if_exists ?? 'another',
			additionalFields: {},
			...(isClosing ? { transactionType: sheet.transaction_type } : { documents: {}, draft: true }),
		},
		{ items: [{ json: cells }] },
	);
	const sent = sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ body }) => body as IDataObject);
	const refusal = `${outcome.error?.message ?? ''}. ${outcome.error?.description ?? ''}`;
	if (expected.created === undefined) {
		expect(sent).toEqual([]);
		expect(outcome.error).toBeDefined();
		forEachCase(expected.names!, (name) =>
			expect(refusal.toLowerCase()).toContain(name.toLowerCase()),
		);
		return;
	}
	expect(refusal).toBe('. ');
	expect(sent).toHaveLength(1);
	const { signers, street_address: place, contacts = [], ...fields } = expected.created;
	const [body] = sent;
	const people = (body.signers as IDataObject[] | undefined) ?? [body.signer as IDataObject];
	expect(
		people.map((person) =>
			whole(pick(person, SIGNER), String(person.phone_country_code ?? '1').replace('+', '')),
		),
	).toEqual(signers.map((person) => whole(person)));
	expect(address((body.street_address ?? {}) as IDataObject)).toEqual(address(place ?? {}));
	expect(byRole((body.contacts ?? []) as IDataObject[])).toEqual(byRole(contacts));
	expect(pick(body, EXACT)).toEqual(pick(fields, EXACT));
	expect(body).toMatchObject(pick(fields, NAMED));

	const said = hints(outcome);
	forEachCase(expected.hidden ?? [], (text) =>
		expect(said + JSON.stringify([outcome.items, body])).not.toContain(text),
	);
	// What comes first names the columns that were used.
	const left = said.replace(/Columns matched: .*?(?=\. Not used|\. (?:Row|Item) \d|$)/s, '');
	const named = (heading: string) => left.includes(`'${heading.trim()}'`);
	const leftOut = expected.left_out ?? [];
	for (const heading of leftOut) expect([heading, named(heading)]).toEqual([heading, true]);
	for (const [heading, value] of Object.entries(cells))
		if (!leftOut.includes(heading) && !isNothing(value))
			expect([heading, named(heading)]).toEqual([heading, false]);
}
