import { bare, type World } from './world.mts';

/** Lets a transaction be completed, as signers and a notary would (docs/service/states.md). */
export function complete(
	world: World,
	transactionId: string,
	status: 'completed' | 'completed_with_rejections',
): void {
	const transaction = world.transactions.get(bare(transactionId));
	if (!transaction) throw new Error(`There is no transaction ${transactionId}`);
	world.settle(transaction);
	transaction.status = status;
	transaction.detailedStatus = status.replace('completed', 'complete');
	transaction.updated = world.now();
	if (transaction.documents.some(({ requirement }) => requirement === 'notarization')) {
		const { platform } = transaction;
		const id = world.newId('me_');
		world.records.set(bare(id), {
			id,
			transactionId: transaction.id,
			platform,
			start: world.now(),
		});
		transaction.recordIds.push(id);
	}
	world.emit(`transaction.${status}`, transaction);
	world.emit('transaction.released', transaction);
}
