import type { IDataObject } from 'n8n-workflow';

import { findFieldLabel } from '../../../nodes/SignAndClose/form/hints.ts';
import { getParameterNames } from '../../../nodes/SignAndClose/messages/situation.ts';
import { isSame, isBlank } from '../../../nodes/SignAndClose/values/comparison.ts';
import { copyTransaction } from '../../../nodes/SignAndClose/resources/transaction/copy/copy.operation.ts';
import { endpointOf } from '../../../scripts/generated/listedInterface.mts';
import { fullSent, PLATFORMS } from '../../support/everyField/transactions.mts';
import { answerFor, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Transaction: Copy, field by field: each field of a create is in the copy as in the old transaction,
 * or the output says that it isn't.
 */

useSandbox();

type Platform = (typeof PLATFORMS)[number];

/** What a request says of itself, or says under another name. */
const OF_THE_REQUEST = new Set(
	(
		'cosigner document document_url_version documents draft pdf_bookmarked require_secondary_id ' +
		'signer signers authorization_header resource text_tag_syntax name'
	).split(' '),
);
const LABELS = getParameterNames(copyTransaction.properties).labels;
const labelOf = (name: string): string => {
	const ours = { external_id: 'External ID', expiration_time: 'Expiration' }[name];
	if (name === sandbox.world.settings.assuranceField) return 'Identity Checks';
	if (/^signing_designation/.test(name)) return 'Where to Sign';
	return ours ?? findFieldLabel({ label: (key) => LABELS.get(key) ?? key }, name);
};

/** The fields of a create by whose they are, as the published list has them. */
function createFields(platform: Platform) {
	const prefix = platform === 'business' ? '' : '/mortgage/v2';
	const paths = (path: string) => endpointOf('POST', prefix + path)!.body.map(({ path }) => path);
	const match = (all: string[], pattern: RegExp) => [
		...new Set(
			all
				.flatMap((path) => pattern.exec(path)?.[1] ?? [])
				.filter((name) => !OF_THE_REQUEST.has(name)),
		),
	];
	const all = paths('/transactions');
	return {
		transaction: match(all, /^(\w+)/),
		signer: match(all, /^signers?(?:\[\])?\.(\w+)/),
		document: match(paths('/transactions/ot_1/documents'), /^(\w+)/),
	};
}

const withoutDates = (fields: object): IDataObject =>
	JSON.parse(JSON.stringify(fields), (name, value: unknown) =>
		name === 'date_created' || name === 'date_updated' ? undefined : value,
	) as IDataObject;

/** What the service keeps of a transaction, and what it shows, under the names of requests. */
async function kept(transactionId: unknown, platform: Platform) {
	const { fields, organization, signers, documents } = transaction(transactionId);
	const answer = await answerFor(transactionId, platform);
	const shown = (answer.signers as IDataObject[]).map((signer, index) => ({
		...signers[index],
		...signer,
		phone_number: undefined,
	}));
	return {
		// What is shown has one form, however it was sent.
		transaction: withoutDates({
			...fields,
			organization_id: organization,
			...answer,
			...(fields.expiration_time !== undefined && { expiration_time: answer.expiry }),
		}),
		signers: shown as IDataObject[],
		documents: documents
			.filter(({ isConsentForm }) => !isConsentForm)
			.map(
				({ name, requirement, position, flags, designations, groups }) =>
					({
						filename: name,
						requirement,
						bundle_position: position,
						...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== false)),
						...(requirement === 'notarization' && { notarization_required: true }),
						signing_designations: designations,
						signing_designation_groups: groups,
					}) as IDataObject,
			),
	};
}

describe.each(['shown', 'hidden'] as const)('signer fields of the schema are %s', (schemaOnly) => {
	beforeEach(() => void (sandbox.world.settings.switches.schemaOnlySigners = schemaOnly));
	afterEach(() => void (sandbox.world.settings.switches.schemaOnlySigners = 'shown'));

	test.each(PLATFORMS)('%s: each field is copied, or told', async (platform) => {
		const { chosen, plainId } = await fullSent(sandbox, platform);
		const old = await kept(plainId, platform);
		await sandbox.act.expire(plainId);
		const { json } = await run({
			...chosen,
			resource: 'transaction',
			operation: 'copy',
			settingsNotShown: 'none',
			copyFilesUnproven: true,
		});
		const copy = await kept(json.transaction_id, platform);
		const told = json.not_copied as IDataObject[];
		const isTold = (name: string, subject = '') =>
			told.some(
				({ field, subject: whose }) =>
					field === labelOf(name) &&
					(subject === '' ? whose === '' : String(whose).includes(subject)),
			);
		const fields = createFields(platform);
		const lacking = (names: string[], from: IDataObject, to: IDataObject, subject = '') =>
			names
				.filter((name) => !isTold(name, subject))
				.filter((name) => !(isBlank(from[name]) && isBlank(to[name])))
				.filter((name) => !(isSame(from[name], to[name]) && isSame(to[name], from[name])))
				.map((name) => [subject, name, from[name], to[name]]);
		expect(lacking(fields.transaction, old.transaction, copy.transaction)).toEqual([]);
		expect(copy.signers).toHaveLength(old.signers.length);
		for (const [index, signer] of old.signers.entries())
			expect(lacking(fields.signer, signer, copy.signers[index], String(signer.email))).toEqual([]);
		expect(copy.documents).toHaveLength(old.documents.length);
		for (const [index, document] of old.documents.entries())
			expect(
				lacking(fields.document, document, copy.documents[index], String(document.filename)),
			).toEqual([]);
		expect(fields.transaction.length).toBeGreaterThan(20);
		// What is shown is copied: nothing is told of it.
		for (const name of ['message_subject', 'cc_recipient_emails', 'redirect', 'notary_id'])
			expect([name, copy.transaction[name] !== undefined, isTold(name)]).toEqual([
				name,
				true,
				false,
			]);
		expect(isTold('middle_name', 'jane') || isTold('middle_name', 's1')).toBe(
			schemaOnly === 'hidden',
		);
	});
});
