import { defineWrite, type OperationCall, type Part } from '../../../run/operation';
import { numberIn } from '../../../values/shown';
import { planUpdate, requestUpdate, updatedGoal } from '../../drafts/draftUpdate';
import { changeHint } from '../../shared/hints';
import type { Wish } from './applyForm';
import type { Planned } from './replacing';
import type { Seen } from './split';

/* The order of documents, as positions of rules say it. */

const placeOf = ({ now }: Planned): number => numberIn(now.bundle_position);

/**
 * Puts documents in order: those with a position come there, several of one position follow each
 * other, and the others keep theirs among each other.
 * @param all the documents, without the service's own, which stay where they are
 * @returns the place of each as the service counts it, from first to last; undefined if nothing changes
 */
export function orderOf(
	all: readonly Planned[],
	documentsBefore: number,
): Map<Planned, number> | undefined {
	// Documents without a place stay as they come.
	const now = [...all].sort((a, b) => placeOf(a) - placeOf(b) || 0);
	const order = now.filter(({ position }) => position === undefined);
	const placed = now.filter(({ position }) => position !== undefined);
	let last = -1;
	for (const one of placed.sort((a, b) => a.position! - b.position!)) {
		last = Math.min(Math.max(one.position!, last + 1), order.length);
		order.splice(last, 0, one);
	}
	const places = now.map(placeOf);
	const isKnown = new Set(places).size === places.length && places.every(Number.isFinite);
	if (isKnown && order.every((one, index) => one === now[index])) return undefined;
	if (placed.length === 0) return undefined;
	return new Map(
		order.map((one, index) => [one, isKnown ? places[index] : documentsBefore + index]),
	);
}

/** Puts the documents in order, by a change of the draft. */
export function orderPart(
	{ service, params }: OperationCall,
	{ transactionId, platform, notShown }: Wish,
	{ transaction }: Seen,
	order: Map<Planned, number>,
): Part {
	const changes = {
		documents: [...order].map(([{ now }, place]) => ({ id: now.id, bundle_position: place })),
	};
	return {
		key: 'order',
		name: 'Order',
		params,
		isBeside: true,
		write: defineWrite({
			parse: () => ({ transactionId, platform, changes }),
			prepare: async () =>
				await Promise.resolve(
					planUpdate(service.settings, transaction, platform, { fields: changes, notShown }),
				),
			send: async (own, _wish, update) => await requestUpdate(own.service, update),
			goal: (own, wish, update) =>
				updatedGoal(own.service, update ?? wish, 'whether the documents are in order'),
			result: (_call, changed) => ({ json: {}, hint: changeHint(params, changed) }),
		}),
	};
}
