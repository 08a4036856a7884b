import { randomUUID } from 'node:crypto';

import { builtInNode, inARow, ourNode, triggerNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { CLOSING, locator } from '../parts.mts';

/** The workflows that run during a soak, as somebody would build them. */

const KEY = "={{ $('Start').first().json.body.key }}";
const TRANSACTION = locator("={{ $('Create').first().json.transaction_id }}");

/** What the workflows are given. */
export interface SoakSetting {
	credentials: WorkflowNode['credentials'];
	/** Where a PDF can be fetched. */
	pdfUrl: string;
	/** Gets a report when a workflow has come to its end. */
	reportUrl: string;
}

/** The node of this package, which is tried again. */
const ours = (
	setting: SoakSetting,
	name: string,
	parameters: Record<string, unknown>,
): WorkflowNode => ({
	...ourNode(setting, name, parameters),
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 1000,
});

/** A call to n8n's own webhook starts the workflow. */
const start = (path: string): WorkflowNode => ({
	...builtInNode('Start', 'webhook', 2, { httpMethod: 'POST', path, options: {} }),
	webhookId: randomUUID(),
});

const report = ({ reportUrl }: SoakSetting, body: string): WorkflowNode =>
	builtInNode('Report', 'httpRequest', 4.2, {
		method: 'POST',
		url: reportUrl,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ ${body} }}`,
		options: {},
	});

/** A closing that is created, gets a document, is renamed and sent. */
export function closingWorkflow(setting: SoakSetting): WorkflowJson {
	const onClosing = (operation: string, more: object = {}) => ({
		resource: 'transaction',
		operation,
		platform: 'realEstate',
		transactionId: TRANSACTION,
		additionalFields: {},
		...more,
	});
	return inARow('Soak: closing', [
		start('soak-closing'),
		ours(setting, 'Create', {
			...CLOSING,
			transactionName: KEY,
			promissoryNote: 'paper',
			numbers: { external_id: KEY },
		}),
		ours(setting, 'Add', {
			resource: 'document',
			operation: 'add',
			platform: 'realEstate',
			transactionId: TRANSACTION,
			source: 'url',
			fileUrl: setting.pdfUrl,
			documentName: 'Deed of Trust',
			requirement: 'notarization',
			additionalFields: {},
		}),
		ours(setting, 'Update', onClosing('update', { updateFields: { file_number: 'F-1' } })),
		ours(setting, 'Send', onClosing('send')),
		report(setting, '{ kind: "sent", id: $("Create").first().json.transaction_id }'),
	]);
}

/** A draft that is thrown away. */
export function draftWorkflow(setting: SoakSetting): WorkflowJson {
	return inARow('Soak: draft', [
		start('soak-draft'),
		ours(setting, 'Create', {
			resource: 'transaction',
			operation: 'create',
			signers: { row: [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Ash' }] },
			documents: {},
			transactionName: KEY,
			draft: true,
			numbers: { external_id: KEY },
		}),
		ours(setting, 'Add', {
			resource: 'document',
			operation: 'add',
			platform: 'business',
			transactionId: TRANSACTION,
			source: 'url',
			fileUrl: setting.pdfUrl,
			documentName: 'Deed of Trust',
			requirement: 'notarization',
			additionalFields: {},
		}),
		ours(setting, 'Delete', {
			resource: 'transaction',
			operation: 'delete',
			platform: 'business',
			transactionId: TRANSACTION,
		}),
		report(setting, '{ kind: "deleted", id: $("Create").first().json.transaction_id }'),
	]);
}

/** Lists, as a nightly report reads them. */
export function readingWorkflow(setting: SoakSetting): WorkflowJson {
	const all = (resource: string) => ({ resource, operation: 'getAll', returnAll: true });
	return inARow('Soak: reading', [
		start('soak-reading'),
		ours(setting, 'Transactions', {
			resource: 'transaction',
			operation: 'getAll',
			platform: 'realEstate',
			returnAll: false,
			limit: 120,
			filters: {},
		}),
		{ ...ours(setting, 'Webhooks', all('webhook')), executeOnce: true },
		{ ...ours(setting, 'Templates', all('template')), executeOnce: true },
		{ ...report(setting, '{ kind: "read" }'), executeOnce: true },
	]);
}

/** Every completed closing with its documents. */
export function eventWorkflow(setting: SoakSetting): WorkflowJson {
	return inARow('Soak: events', [
		triggerNode(setting, {
			events: ['transaction.completed'],
			downloadDocuments: true,
		}),
		report(
			setting,
			'{ kind: "completed", id: $json.transaction_id, files: Object.keys($binary).length }',
		),
	]);
}
