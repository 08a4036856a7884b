import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import type { RefusalFacts } from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { useLabels } from '../../../nodes/SignAndClose/messages/remedies.ts';
import { toRefusal } from '../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { buildEventOptions } from '../../../nodes/SignAndClose/resources/webhook/events.ts';
import { RESOURCES, type Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { descriptionTexts } from '../../../scripts/texts/descriptionTexts.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { strangeNames } from '../../support/matrix/namedFields.mts';

/** What is to be done about every text that the service is known to refuse with. */

const LIMITED =
	'Invalid Phone Number. Please include country code and phone number in e164 format.';
const TEXTS: Array<[status: number, text: string, remedy: RegExp]> = [
	// docs/service/errors.md#errors-of-each-call
	[400, 'Typo in domain name. Did you mean: test@gmail.com?', /'Email'/],
	[400, 'Invalid email format.', /'Email'/],
	[403, 'Organization does not have access to notary_instructions', /notary instructions/],
	[422, 'Cannot override default value for allow_signer_annotations', /allow_signer_annotations/],
	[
		401,
		'Unauthorized: This organization must use the Business API for transactions',
		/'Platform' to Business$/,
	],
	[422, 'Transaction cannot be edited at this time.', /'Transaction: Recall'/],
	[
		422,
		'Transaction has already been completed by at least 1 signer.',
		/^Create a new transaction/,
	],
	[422, 'Designation is invalid: page_number 4 does not exist', /no page 5/],
	[403, 'Not allowed to Send Transactions', /'API Key'/],
	[422, 'Transaction has expired', /'Expiration'/],
	[422, 'Organization Transaction cannot be recalled at this time.', /'Transaction: Get'/],
	[403, 'Not allowed to Force Complete in this environment', /test environments/],
	[422, 'Unable to force complete transaction.', /'Transaction: Send'/],
	[422, 'Cannot resend email for started transaction.', /'Transaction: Send'/],
	[400, LIMITED, /'Phone'/],
	[422, 'Cannot send sms: One or more signers do not have a phone number', /'Phone'/],
	[422, 'Could not send sms: missing_feature', /'Transaction: Resend Email'/],
	[404, 'Contact not found for transaction', /'Contact Email'/],
	[422, 'Cannot resend email for inactive transactions.', /'Transaction: Send'/],
	[400, 'Mortgage::ExternalDocumentService::JobExists', /being imported/],
	[422, 'Transaction Cannot Be Modified', /'Transaction: Recall'/],
	[
		422,
		'You must use the RealEstate API for real estate transactions',
		/'Platform' to Real Estate/,
	],
	[401, 'Feature not available in current tier', /'Platform'/],
	[403, 'Cannot add enotes to hybrid transactions.', /'Transaction Type'/],
	[422, 'Cannot add enotes to wet sign transactions.', /'Transaction Type'/],
	[422, 'Transaction cannot be modified from sent state', /'Transaction: Recall'/],
	[404, 'Not Found: Organization', /'Organization ID'/],
	[422, 'Only available to lenders and title agencies', /'API Key'/],
	[403, 'Only available to lenders and title agencies', /'API Key'/],
	[403, 'Organization not permitted to use this endpoint', /'API Key'/],
	[422, 'Invalid subscription passed', /'Event Names or IDs'/],
	// docs/service/errors.md#texts-worth-a-remedy
	[422, 'Need at least 1 signer', /'Signers'/],
	[422, 'Customer email not present', /'Email'/],
	[422, 'Esign required yet no Signer Designations specified in Document Bundle', /'Designations'/],
	[422, 'eNote Required', /'eNote: Add'/],
	[422, 'File is too big (max is 30MB)', /30 MB/],
	[422, 'recording_jurisdiction_id does not belong to the address', /'Recording Jurisdiction'/],
	[422, 'title_agency_id is not eligible for the address', /'Title Agency'/],
	[422, 'title_underwriter_id is not eligible for the title agency', /'Title Underwriter'/],
	// Met by people who integrate such a service
	[
		422,
		'At least one document needs to be enabled for notarization or identity confirmation',
		/'Requirement'/,
	],
	[422, 'Argument Error, transaction size too large', /another transaction/],
];

/** Texts that the status explains better than they do themselves. */
const BY_STATUS: Array<[Omit<RefusalFacts, 'attempts'>, string, RegExp]> = [
	[{ status: 401, purpose: 'read' }, 'Invalid authentication credentials', /'API Key'/],
	[
		{ status: 404, purpose: 'read', subject: { name: 'transactionId', id: 'ot_1' } },
		'Transaction Not Found',
		/'Transaction'.*'Platform'/,
	],
	[
		{ status: 404, purpose: 'write', subject: { name: 'documentId', id: 'do_1' } },
		'Document Not Found',
		/'Document'/,
	],
	[
		{ status: 404, purpose: 'read', subject: { name: 'webhookId', id: 'wh1' } },
		'resource not found',
		/'Webhook'/,
	],
	[{ status: 404, purpose: 'read' }, 'Not Found', /'Path Layout'/],
	[{ status: 409, purpose: 'file' }, 'Document processing: done', /still preparing/],
];

const refusal = (facts: Omit<RefusalFacts, 'attempts'>, text: string) =>
	toRefusal({ errors: [text] }, { ...facts, attempts: 1 });
const refused = (...args: Parameters<typeof refusal>) => explain(refusal(...args));
const nameOf = ({ resource, name }: Operation) => `${RESOURCES[resource]}: ${name}`;

describe('a text of the service', () => {
	test.each(TEXTS)('%i %s', (status, text, expected) => {
		const { message, remedy } = refused({ status, purpose: 'write' }, text);
		expect(message).toContain(useLabels(text.replace(/\.$/, ''), undefined));
		expect(message).not.toMatch(/\.$/);
		expect(remedy).toMatch(expected);
		expect(remedy).not.toMatch(/Correct (what|the parameter) it names/);
		expect(remedy).not.toMatch(/\.$/);
	});
	test.each(BY_STATUS)('%j: %s', (facts, text, expected) => {
		expect(refused(facts, text).remedy).toMatch(expected);
	});
});

test('remedies name fields, operations and choices that are there', () => {
	const names = new Set([
		...descriptionTexts()
			.filter(({ key }) => key === 'displayName')
			.map(({ text }) => text),
		...operations.map(nameOf),
		...buildEventOptions().map(({ name }) => name),
	]);
	const named = TEXTS.flatMap(([status, text]) =>
		[...refused({ status, purpose: 'write' }, text).remedy.matchAll(/(?<!\w)'([^']+)'(?!\w)/g)].map(
			([, name]) => name,
		),
	);
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter((name) => !names.has(name))).toEqual([]);
});

describe.each(operations.map((operation) => [nameOf(operation), operation] as const))(
	'%s',
	(_name, operation) => {
		const situation = {
			operation: `${operation.resource}/${operation.value}`,
			properties: operation.properties,
		};

		test("names the fields in the service's words as its form does", () => {
			const named = {
				recording_jurisdiction_id: "'Recording Jurisdiction'",
				paper_note_consent: "'Paper Note Consent'",
				unknown_field: 'unknown_field',
			};
			forEachCase(Object.entries(named), ([name, label]) => {
				const text = refusal({ status: 422, purpose: 'write' }, `${name} is wrong`);
				expect(explain(text, situation).message).toContain(`${label} is wrong`);
			});
		});

		test('names only fields that its form has, or that the operation has which it names', () => {
			const strange = new Set<string>();
			forEachCase(TEXTS, ([status, text]) => {
				const { remedy } = explain(refusal({ status, purpose: 'write' }, text), situation);
				for (const name of strangeNames(remedy, operation)) strange.add(`${text}: ${name}`);
				// Nobody is told to recall something first.
				expect(remedy).not.toMatch(/^(Recall|Use 'Transaction: Recall')/);
				if (situation.operation === 'transaction/send') expect(remedy).not.toMatch(/Recall/);
			});
			for (const [facts, text] of BY_STATUS) {
				// An ID in the path comes from a field of the form.
				const { name: id } = facts.subject ?? {};
				if (id !== undefined && !operation.properties.some(({ name }) => name === id)) continue;
				for (const name of strangeNames(explain(refusal(facts, text), situation).remedy, operation))
					strange.add(`${text}: ${name}`);
			}
			expect([...strange]).toEqual([]);
		});
	},
);
