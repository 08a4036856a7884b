import { readdirSync, readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';
import { forEachCase } from '../../support/forEachCase.mts';

import { attempt, hints } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Plays each row of each sheet of sheets/ alone, as sheets/README.md says. */

useSandbox();

interface Created extends IDataObject {
	signers: IDataObject[];
	street_address?: IDataObject;
	contacts?: IDataObject[];
}
interface SheetRow {
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
interface Sheet {
	operation: string;
	transaction_type?: string;
	rows: SheetRow[];
}

const FOLDER = new URL('sheets/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const CASES = files.flatMap((file) => {
	const sheet = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Sheet;
	const name = file.replace('.json', '');
	return sheet.rows.map((row) => [`${name}: ${row.about}`, sheet, row] as const);
});

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

test.each(CASES)('%s', async (_name, sheet, { cells, expected }) => {
	sandbox.requests.splice(0);
	const isClosing = sheet.operation === 'createClosing';
	const outcome = await attempt(
		{
			resource: 'transaction',
			operation: sheet.operation,
			fieldsFrom: 'row',
			ifExists: 'another',
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
});
