/** How transactions look in answers (docs/service/transactions.md#answer-fields). */

import { closingView } from './closings.mts';
import { documentView } from './documents.mts';
import { recordView } from './records.mts';
import { documentedSignerView, set, signerView } from './signers.mts';
import { findOrganization } from '../../data/organizations.mts';
import { activationOf, expiryOf } from '../../domain/expiry.mts';
import { isDraft } from '../../domain/transitions.mts';
import type { LinkVersion } from '../../http/signedLinks.mts';
import type { Fields, Platform, Transaction, World } from '../../world/world.mts';

interface TransactionViewOptions {
	/** Of the call. */
	platform: Platform;
	links?: LinkVersion;
}

/** The example of an answer, in minor units of the currency. */
const COST = 2250;

/** Answered under the name of the request, when they are set. */
const UNCHANGED = (
	'external_id config_id transaction_type notary_id message_to_signer message_subject ' +
	'message_signature notary_instructions notary_meeting_time'
).split(' ');

/**
 * A transaction as live services answer it: names differ from those of requests, and what is not
 * set is left out (docs/service/transactions.md#request-names-and-answer-names,
 * docs/service/transactions.md#unset-fields).
 */
export function transactionView(
	world: World,
	transaction: Transaction,
	options: TransactionViewOptions,
): Fields {
	if (world.settings.profile === 'documented') return documentedView(world, transaction, options);
	const { fields, platform } = transaction;
	const signers = transaction.signers.map((signer) => signerView(world, transaction, signer));
	const records = transaction.recordIds.map((id) =>
		recordView(world, world.records.get(id)!, options),
	);
	return set({
		...headOf(transaction),
		detailed_status: isWithoutDetails(world, transaction) ? undefined : transaction.detailedStatus,
		documents: documentsOf(world, transaction, options),
		signers,
		signer_info: signers[0],
		cosigner_info: signers[1],
		attachments: [],
		notarization_record: records.at(-1),
		notarization_records: records,
		...filesOf(world, transaction, options),
		cost: isDraft(transaction) ? 0 : COST,
		...Object.fromEntries(UNCHANGED.map((name) => [name, fields[name]])),
		activation_time: timeView(activationOf(transaction)),
		expiry: timeView(expiryOf(transaction)),
		recall_reason: transaction.recallReason,
		redirect: redirectView(fields.redirect),
		cc_recipient_emails: fields.cc_recipient_emails ?? [],
		require_secondary_photo_id: isTrue(
			fields.require_secondary_photo_id ?? fields.require_secondary_id,
		),
		...(platform === 'business'
			? businessView(world, transaction)
			: closingView(world, transaction)),
	});
}

function headOf({ id, organization, status, created, updated, fields }: Transaction): Fields {
	return {
		id,
		organization_id: organization,
		status,
		transaction_name: fields.transaction_name,
		date_created: created,
		date_updated: updated,
	};
}

/** Some answers leave detailed_status out where the status is started. */
function isWithoutDetails({ settings }: World, { status }: Transaction): boolean {
	return settings.switches.detailedStatus === 'sometimes' && status === 'started';
}

function documentsOf(
	world: World,
	transaction: Transaction,
	options: TransactionViewOptions,
): Fields[] {
	return [...transaction.documents]
		.sort((a, b) => a.position - b.position)
		.map((document) => documentView(world, transaction, document, options));
}

/** Links to the files of a transaction that has ended and is released. */
function filesOf(
	{ links }: World,
	{ id, released, updated, auditTrail, chargeStatement, attachment, identityReport }: Transaction,
	{ links: version }: TransactionViewOptions,
): Fields {
	if (!released) return {};
	return {
		audit_trail_url: auditTrail && links.sign(`audit/${id}`, version),
		charge_statement_url: chargeStatement && links.sign(`charges/${id}`, version),
		...(attachment && {
			attachments: [
				{
					date_created: updated,
					name: 'receipt.pdf',
					url: links.sign(`attachment/${id}`, version),
				},
			],
		}),
		identity_report: identityReport && {
			name: 'identity_report.pdf',
			url: links.sign(`identity/${id}`, version),
		},
	};
}

function businessView({ settings }: World, { organization, fields }: Transaction): Fields {
	const { name, logo_s3_link } = findOrganization(organization)!;
	return {
		transaction_name: fields.transaction_name ?? 'Untitled Transaction',
		payer: fields.payer ?? 'sender',
		sender_name: name,
		sender_logo: logo_s3_link ?? undefined,
		default_text_tag_syntax: settings.defaultTextTagSyntax,
	};
}

/** ISO 8601 with milliseconds. */
function timeView(time: number | undefined): string | undefined {
	return time === undefined ? undefined : new Date(time).toISOString();
}

function redirectView(redirect: Fields | undefined): Fields {
	return redirect === undefined
		? {}
		: set({
				redirect_url: redirect.url,
				redirect_msg: redirect.message,
				forced_redirect: false,
			});
}

/** The documented sample passes a flag as the text true. */
const isTrue = (flag: unknown) => String(flag) === 'true';

/** What the documented interface shows of a transaction. */
function documentedView(
	world: World,
	transaction: Transaction,
	options: TransactionViewOptions,
): Fields {
	const signers = transaction.signers.map((signer) =>
		documentedSignerView(world, transaction, signer),
	);
	const { email, first_name, last_name, signing_status } = signers[0] ?? {};
	return {
		...set(headOf(transaction)),
		detailed_status: transaction.detailedStatus,
		external_id: transaction.fields.external_id ?? null,
		audit_trail_url: filesOf(world, transaction, options).audit_trail_url ?? null,
		documents: documentsOf(world, transaction, options),
		signer_info: set({ email, first_name, last_name, signing_status }),
		signers,
		notarization_record: transaction.recordId ?? null,
	};
}
