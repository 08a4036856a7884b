/**
 * The operations on transactions of both platforms (docs/service/api.md#endpoints-of-transactions).
 */

import { findTransaction } from './findRequested.mts';
import type { OperationHandler, OperationRequest } from './handler.mts';
import { page } from './page.mts';
import { transactionView } from './views.mts';
import { canSee } from '../domain/access.mts';
import { createClosing, createTransaction } from '../domain/createTransaction.mts';
import { Refusal } from '../domain/refusal.mts';
import { placeOrder, recall, resendEmail, resendSms, send } from '../domain/send.mts';
import { deleteTransaction, updateTransaction } from '../domain/updateTransaction.mts';
import type { Platform, Transaction, World } from '../world/world.mts';

const DEFAULT_LIMIT = 10;

export function transactionOperations(world: World): Record<string, OperationHandler> {
	const show = (transaction: Transaction, { layout }: OperationRequest) =>
		transactionView(world, transaction, layout);
	/** Changes the transaction that the path names, and answers with it. */
	const change =
		(
			work: (transaction: Transaction, request: OperationRequest) => void,
			platform?: Platform,
		): OperationHandler =>
		(request) => {
			const transaction = findTransaction(world, request, platform);
			work(transaction, request);
			return show(transaction, request);
		};
	const list =
		(platform: Platform): OperationHandler =>
		(request) => {
			const found = [...world.transactions.values()]
				.filter(
					(entry) =>
						entry.platform === platform &&
						canSee(world, request.key, entry.organization) &&
						matchesQuery(entry, request.query),
				)
				.reverse();
			const data = page(found, request.query, DEFAULT_LIMIT).map((entry) => show(entry, request));
			return { total_count: found.length, count: data.length, data };
		};
	const remove =
		(platform?: Platform): OperationHandler =>
		(request) => {
			deleteTransaction(world, findTransaction(world, request, platform));
			return { message: 'Transaction deleted' };
		};
	const update = (mode: 'replace' | 'change', platform: Platform) =>
		change(
			(transaction, { key, body, realEstateVersion }) =>
				updateTransaction(world, key, transaction, body, mode, realEstateVersion),
			platform,
		);
	const recallWithReason = (transaction: Transaction, { query, body }: OperationRequest) =>
		recall(world, transaction, query.recall_reason ?? body.recall_reason);
	return {
		createTransaction: async (request) =>
			show(await createTransaction(world, request.key, request.body), request),
		createClosing: (request) =>
			show(createClosing(world, request.key, request.body, request.realEstateVersion), request),
		listTransactions: list('business'),
		listClosings: list('realEstate'),
		getTransaction: (request) => show(findTransaction(world, request), request),
		getClosing: (request) => show(findTransaction(world, request, 'realEstate'), request),
		replaceTransaction: update('replace', 'business'),
		changeTransaction: update('change', 'business'),
		replaceClosing: update('replace', 'realEstate'),
		deleteTransaction: remove(),
		deleteClosing: remove('realEstate'),
		sendTransaction: change(
			(transaction, { body }) => send(world, transaction, { body }),
			'business',
		),
		sendClosing: change(
			(transaction, { body }) => placeOrder(world, transaction, body),
			'realEstate',
		),
		recallTransaction: change(recallWithReason),
		recallClosing: change(recallWithReason, 'realEstate'),
		resendEmail: change((transaction) => resendEmail(world, transaction)),
		resendClosingEmail: change((transaction) => resendEmail(world, transaction), 'realEstate'),
		resendSms: change((transaction, { body }) => resendSms(world, transaction, body)),
		resendClosingSms: change(
			(transaction, { body }) => resendSms(world, transaction, body),
			'realEstate',
		),
		getAuditTrail: (request) => {
			const { auditTrail, released } = findTransaction(world, request);
			if (auditTrail === undefined || !released)
				throw new Refusal(404, 'The audit trail does not exist yet');
			if (request.query.encoding === 'base64') return { data: auditTrail.toString('base64') };
			return request.reply
				.type('application/pdf')
				.header('content-disposition', 'attachment; filename="audit_trail.pdf"')
				.send(auditTrail);
		},
	};
}

/** Whether a transaction fits the filters of a query. */
function matchesQuery(
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
		equals(query.organization_id, organization)
	);
}
