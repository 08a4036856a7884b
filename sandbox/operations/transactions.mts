/**
 * The operations on transactions of both platforms (docs/service/api.md#endpoints-of-transactions).
 */

import { findTransaction } from './findRequested.mts';
import { linkVersion, type OperationHandler, type OperationRequest } from './handler.mts';
import { page } from './page.mts';
import { transactionView } from './views/transactions.mts';
import { forceComplete } from '../actors/forceComplete.mts';
import { canSee } from '../domain/access.mts';
import { createClosing, createTransaction } from '../domain/drafts/createTransaction.mts';
import { deleteTransaction, updateTransaction } from '../domain/drafts/updateTransaction.mts';
import {
	emailContacts,
	resendClosingSms,
	resendEmail,
	resendSms,
} from '../domain/people/reminders.mts';
import { published } from '../domain/refusal.mts';
import { placeOrder, recall, send } from '../domain/send.mts';
import type { Fields, Platform, Transaction, World } from '../world/world.mts';

const DEFAULT_LIMIT = 10;
const SEND_OPTIONS = ['suppress_email', 'require_new_signer_verification', 'skip_closing_ops'];

export function transactionOperations(world: World): Record<string, OperationHandler> {
	const show = (transaction: Transaction, request: OperationRequest, platform: Platform) =>
		transactionView(world, transaction, { platform, links: linkVersion(request) });
	/** The documented paths without a prefix serve both platforms. */
	const find = (request: OperationRequest, platform: Platform) =>
		findTransaction(world, request, platform === 'realEstate' ? platform : undefined);
	/** Does something with the transaction that the path names, and answers with it. */
	const change =
		(
			platform: Platform,
			work: (transaction: Transaction, request: OperationRequest) => unknown = () => undefined,
		): OperationHandler =>
		async (request) => {
			const transaction = find(request, platform);
			await work(transaction, request);
			return show(transaction, request, platform);
		};
	const list =
		(platform: Platform): OperationHandler =>
		(request) => {
			const found = [...world.transactions.values()]
				.filter(
					(entry) =>
						entry.platform === platform &&
						canSee(world, request.key, entry.organization) &&
						matchesQuery(world, entry, request.query),
				)
				.reverse()
				// The clock shows milliseconds; of one of them, the latest comes first, too.
				.sort((one, other) => Date.parse(other.created) - Date.parse(one.created));
			const data = page(found, request.query, DEFAULT_LIMIT).map((entry) =>
				show(entry, request, platform),
			);
			return { total_count: found.length, count: data.length, data };
		};
	const remove =
		(platform: Platform): OperationHandler =>
		(request) => {
			const transaction = find(request, platform);
			deleteTransaction(world, transaction);
			return { message: `Deleted Transaction ${transaction.id} successfully` };
		};
	const update = (platform: Platform, method: 'put' | 'patch') =>
		change(platform, async (transaction, { key, body, realEstateVersion: version }) => {
			const mode = method === 'patch' ? 'merge' : world.settings.switches.put;
			await updateTransaction(world, transaction, { key, body, mode, version });
		});
	const recallWithReason = (platform: Platform) =>
		change(platform, (transaction, { query }) => recall(world, transaction, query.recall_reason));
	const forceToComplete = (platform: Platform) =>
		change(platform, (transaction) => forceComplete(world, transaction));
	return {
		createTransaction: async (request) =>
			show(await createTransaction(world, request.key, request.body), request, 'business'),
		createClosing: async (request) => {
			const { key, body, realEstateVersion } = request;
			return show(await createClosing(world, key, body, realEstateVersion), request, 'realEstate');
		},
		listTransactions: list('business'),
		listClosings: list('realEstate'),
		getTransaction: change('business'),
		getClosing: change('realEstate'),
		replaceTransaction: update('business', 'put'),
		changeTransaction: update('business', 'patch'),
		replaceClosing: update('realEstate', 'put'),
		deleteTransaction: remove('business'),
		deleteClosing: remove('realEstate'),
		sendTransaction: change('business', (transaction, request) =>
			send(world, transaction, { body: sendOptions(request) }),
		),
		sendClosing: change('realEstate', (transaction, request) =>
			placeOrder(world, transaction, sendOptions(request)),
		),
		recallTransaction: recallWithReason('business'),
		recallClosing: recallWithReason('realEstate'),
		forceCompleteTransaction: forceToComplete('business'),
		forceCompleteClosing: forceToComplete('realEstate'),
		resendEmail: change('business', (transaction, { query }) =>
			resendEmail(world, transaction, query.message_to_signer),
		),
		resendClosingEmail: change('realEstate', (transaction) => resendEmail(world, transaction)),
		resendSms: change('business', (transaction, request) => resendSms(world, transaction, request)),
		resendClosingSms: change('realEstate', (transaction) => resendClosingSms(world, transaction)),
		sendContactsEmail: change('realEstate', (transaction, { query }) =>
			emailContacts(world, transaction, query.contact_email),
		),
		getAuditTrail: (request) => {
			const { auditTrail, released } = findForAsset(world, request);
			if (auditTrail === undefined || !released) throw published('noResource');
			if (request.query.encoding === 'base64') return { data: auditTrail.toString('base64') };
			return request.reply
				.type('application/pdf')
				.header('content-disposition', 'attachment; filename="audit_trail.pdf"')
				.send(auditTrail);
		},
	};
}

/** The options of Send, from the body or from the query (docs/service/transactions.md#send). */
function sendOptions({ query, body }: OperationRequest): Fields {
	const asked = SEND_OPTIONS.filter((name) => query[name] !== undefined);
	return { ...Object.fromEntries(asked.map((name) => [name, query[name] === 'true'])), ...body };
}

/** An audit trail that is not there is no resource, whether its transaction is there or not. */
function findForAsset(world: World, request: OperationRequest): Transaction {
	try {
		return findTransaction(world, request);
	} catch {
		throw published('noResource');
	}
}

/**
 * Whether a transaction fits the filters of a query
 * (docs/service/transactions.md#filters-of-the-list). Times include their bounds, which is assumed.
 */
function matchesQuery(
	world: World,
	{ created, updated, status, organization, fields }: Transaction,
	query: Record<string, string>,
): boolean {
	const within = (stamp: string, from: string | undefined, to: string | undefined) =>
		(from === undefined || Date.parse(stamp) >= Date.parse(from)) &&
		(to === undefined || Date.parse(stamp) <= Date.parse(to));
	const equals = (wanted: string | undefined, value: unknown) =>
		wanted === undefined || wanted === value;
	return (
		within(created, query.created_date_start, query.created_date_end) &&
		within(updated, query.last_updated_date_start, query.last_updated_date_end) &&
		equals(query.transaction_status, status) &&
		equals(query.loan_number, fields.loan_number) &&
		(query.organization_id === undefined ||
			canSee(world, { organization: query.organization_id }, organization))
	);
}
