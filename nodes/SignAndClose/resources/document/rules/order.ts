import { defineWrite, type OperationCall, type WritePart } from '../../../run/operation';
import { parseNumber } from '../../../values/plainValues';
import { planDraftUpdate, sendDraftUpdate, buildDraftUpdateGoal } from '../../draft/draftUpdate';
import { describeChange } from '../../../form/hints';
import type { ApplyForm } from './form';
import type { RulePlan } from './replacement';
import type { RuledDraft } from './split';

/* The order of documents, as positions of rules say it. */

const readPlace = ({ now }: RulePlan): number => parseNumber(now.bundle_position);

/**
 * Puts documents in order: those with a position come there, several of one position follow each
 * other, and the others keep theirs among each other.
 * @param all the documents, without the service's own, which stay where they are
 * @returns the place of each as the service counts it, from first to last; undefined if nothing changes
 */
export function planOrder(
	all: readonly RulePlan[],
	documentsBefore: number,
): Map<RulePlan, number> | undefined {
	// Documents without a place stay as they come.
	const sorted = [...all].sort((a, b) => readPlace(a) - readPlace(b) || 0);
	const order = sorted.filter(({ position }) => position === undefined);
	const positioned = sorted.filter(({ position }) => position !== undefined);
	let last = -1;
	for (const entry of positioned.sort((a, b) => a.position! - b.position!)) {
		last = Math.min(Math.max(entry.position!, last + 1), order.length);
		order.splice(last, 0, entry);
	}
	const places = sorted.map(readPlace);
	const isKnown = new Set(places).size === places.length && places.every(Number.isFinite);
	if (isKnown && order.every((entry, index) => entry === sorted[index])) return undefined;
	if (positioned.length === 0) return undefined;
	return new Map(
		order.map((entry, index) => [entry, isKnown ? places[index] : documentsBefore + index]),
	);
}

/** Puts the documents in order, by a change of the draft. */
export function buildOrderPart(
	{ service, params }: OperationCall,
	{ transactionId, platform, notShown }: ApplyForm,
	{ transaction }: RuledDraft,
	order: Map<RulePlan, number>,
): WritePart {
	const changes = {
		documents: [...order].map(([{ now }, place]) => ({ id: now.id, bundle_position: place })),
	};
	return {
		key: 'order',
		name: 'Order',
		params,
		isAuxiliary: true,
		write: defineWrite({
			parse: () => ({ transactionId, platform, changes }),
			prepare: async () =>
				await Promise.resolve(
					planDraftUpdate(service.settings, transaction, platform, { fields: changes, notShown }),
				),
			send: async (call, _wish, update) => await sendDraftUpdate(call.service, update),
			goal: (call, form, update) =>
				buildDraftUpdateGoal(call.service, update ?? form, 'whether the documents are in order'),
			result: (_call, update) => ({ json: {}, hint: describeChange(params, update) }),
		}),
	};
}
