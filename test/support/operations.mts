import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';
import { runNode, type RunOptions, type RunOutcome } from './engine.mts';
import { credential, sandbox } from './useSandbox.mts';

/** Shortcuts for running operations against the sandbox of the test file. */

/** Runs an operation, whether it goes well or not. */
export const attempt = async (parameters: IDataObject, more: Partial<RunOptions> = {}) =>
	await runNode({ credential: credential(), parameters, ...more });

/** Runs an operation that has to go well; `json` is that of the first output item. */
export async function run(
	parameters: IDataObject,
	more: Partial<RunOptions> = {},
): Promise<RunOutcome & { json: IDataObject }> {
	const outcome = await attempt(parameters, more);
	if (outcome.error) throw outcome.error;
	return { ...outcome, json: outcome.items[0]?.json };
}

/** Runs an operation that has to fail, and gives what the person reads. */
export async function complaint(
	parameters: IDataObject,
	more: Partial<RunOptions> = {},
): Promise<string> {
	const { error } = await attempt(parameters, more);
	return `${error?.message}. ${error?.description ?? ''}`;
}

/** The hints that the editor shows below the node after a run. */
export const hints = (outcome: RunOutcome): string =>
	(outcome.run.data.resultData.runData.Tested[0].hints ?? [])
		.map(({ message }) => message)
		.join(' | ');

/** Answers of success that say nothing of the work. */
export const EMPTY_SUCCESSES: Array<[string, object]> = [
	['an empty body', { body: '' }],
	['errors in a 200', { body: { errors: ['Feature switched off'] } }],
	['an error in a 200', { body: { error: 'Feature switched off' } }],
	['an empty object', { body: {} }],
];

/** A transaction as the sandbox holds it. */
export const transaction = (transactionId: unknown) =>
	sandbox.world.transactions.get(String(transactionId))!;

/** What changes with every step of a transaction, whatever is written. */
const VOLATILE = new Set(
	(
		'date_created date_updated status detailed_status status_description link_expired ' +
		'transaction_access_link sdk_token signing_status order_progress'
	).split(' '),
);

/** What the service answers when a transaction is retrieved. */
export async function answerFor(
	transactionId: unknown,
	platform: 'realEstate' | 'business' = 'realEstate',
): Promise<IDataObject> {
	const prefix = platform === 'realEstate' ? '/mortgage/v2' : '';
	const answer = await fetch(`${sandbox.url}${prefix}/transactions/${String(transactionId)}`, {
		headers: { ApiKey: sandbox.keys.full },
	});
	return (await answer.json()) as IDataObject;
}

/** What the service shows of a closing, without dates, states and links. */
export async function shownClosing(
	transactionId: unknown,
	service: Pick<Sandbox, 'url' | 'keys'> = sandbox,
): Promise<IDataObject> {
	const answer = await fetch(`${service.url}/mortgage/v2/transactions/${String(transactionId)}`, {
		headers: { ApiKey: service.keys.full },
	});
	return JSON.parse(await answer.text(), (name, value: unknown) =>
		VOLATILE.has(name) ? undefined : value,
	) as IDataObject;
}

/** The documents that were added to a transaction, without the consent forms of the service. */
export const ownDocuments = (transactionId: unknown) =>
	transaction(transactionId).documents.filter(({ isConsentForm }) => !isConsentForm);

/** The body of the last request. */
export const lastBody = () => sandbox.requests.at(-1)!.body as IDataObject;

export const JANE = {
	email: 'jane@example.com',
	first_name: 'Jane',
	last_name: 'Signer',
	external_id: 's1',
};

/** Parameters of a business draft with one signer. */
export const BUSINESS: IDataObject = {
	resource: 'transaction',
	operation: 'create',
	transactionName: 'Power of attorney',
	signers: { row: [JANE] },
	documents: {},
	draft: true,
	additionalFields: {},
};

/** Parameters of an update of a closing. */
export const UPDATE_CLOSING: IDataObject = {
	resource: 'transaction',
	operation: 'update',
	platform: 'realEstate',
	settingsNotShown: 'none',
};

/** Parameters that send a closing to its signers. */
export const sendClosing = (transactionId: IDataObject): IDataObject => ({
	resource: 'transaction',
	operation: 'send',
	platform: 'realEstate',
	transactionId,
	additionalFields: {},
});
