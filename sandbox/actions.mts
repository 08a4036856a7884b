import { take, type StepOptions } from './people.mts';
import type { Deliverer } from './webhooks.mts';
import type { Transaction, World } from './world.mts';

type Act = (transactionId: string, options?: StepOptions) => Promise<void>;

/** What people do, for tests: signers, notary, closing team. Each throws NotNow with the reason when it can't be done. */
export interface Actions {
	opensEmail: Act;
	signerSigns: Act;
	notaryCompletes: Act;
	reject(transactionId: string, reason?: string): Promise<void>;
	/** Two retakes, then the trusted referee (interface.md §3.4). */
	failsSelfie: Act;
	failsKnowledge: Act;
	refereePasses: Act;
	/** Where the signer pays: the documents are released. */
	signerPays: Act;
	/** The closing team prepares a closing and sends it to the signer (interface.md §3.1). */
	closingTeamSends: Act;
	closingTeamSendsToAgency: Act;
	recalls: Act;
	expires: Act;
	/** All signers sign, then the notary completes where one is needed. */
	completeTransaction(transactionId: string): Promise<void>;
	completeClosing(transactionId: string): Promise<void>;
	repeatDelivery(deliveryId: string): Promise<boolean>;
	/** Short names of signerSigns and notaryCompletes. */
	sign: Act;
	notarize: Act;
}

export function createActions(world: World, deliverer: Deliverer): Actions {
	const find = (id: string): Transaction => {
		const transaction = world.transactions.get(id);
		if (transaction === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return transaction;
	};
	const step = (name: Parameters<typeof take>[2]): Act => async (id, options = {}) => await take(world, find(id), name, options);
	const sign = step('sign');
	const notarize = step('notarize');
	const complete = async (id: string) => {
		const transaction = find(id);
		while (transaction.signers.some(({ signing_status }) => signing_status !== 'complete')) await sign(id);
		if (!transaction.status.startsWith('completed')) await notarize(id);
	};
	return {
		opensEmail: step('open'),
		signerSigns: sign,
		notaryCompletes: notarize,
		reject: async (id, reason) => await take(world, find(id), 'reject', { reason }),
		failsSelfie: step('failSelfie'),
		failsKnowledge: step('failKnowledge'),
		refereePasses: step('refereePasses'),
		signerPays: step('pay'),
		closingTeamSends: step('sendToSigner'),
		closingTeamSendsToAgency: step('sendToAgency'),
		recalls: step('recall'),
		expires: step('expire'),
		completeTransaction: complete,
		completeClosing: complete,
		repeatDelivery: async (id) => await deliverer.repeat(id),
		sign,
		notarize,
	};
}
