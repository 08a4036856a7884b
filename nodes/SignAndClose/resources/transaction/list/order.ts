import type { IDataObject } from 'n8n-workflow';

import { readInstant } from '../../../values/times';
import { expiryOf } from './conditions';

/* The order of transactions where the service's own, the newest first, isn't wanted. */

/** What transactions can be sorted by. */
export type SortKey = 'created' | 'expiry' | 'updated';

/** An order of transactions. */
export interface Order {
	by: SortKey;
	descending: boolean;
}

const KEYS: Record<SortKey, (transaction: IDataObject) => number | undefined> = {
	created: ({ date_created: date }) => readInstant(date),
	expiry: expiryOf,
	updated: ({ date_updated: date }) => readInstant(date),
};

/** More than this many entries beyond those that are wanted aren't kept. */
const SPARE = 1_000;

/**
 * Keeps the first transactions of an order, so that sorting a whole account needs no more memory than
 * what is wanted of it. Equal ones stay in the order in which they came. One without the date comes
 * last, whatever the direction.
 */
export class FirstInOrder {
	private kept: Array<{ key: number; transaction: IDataObject }> = [];

	constructor(
		private readonly order: Order,
		private readonly most: number,
		private readonly spare = SPARE,
	) {}

	add(transaction: IDataObject): void {
		const time = KEYS[this.order.by](transaction);
		const isKnown = time !== undefined && !Number.isNaN(time);
		const key = isKnown ? (this.order.descending ? -time : time) : Number.POSITIVE_INFINITY;
		this.kept.push({ key, transaction });
		if (this.kept.length >= this.most + this.spare) this.cut();
	}

	/** The first ones, in order. */
	all(): IDataObject[] {
		this.cut();
		return this.kept.map(({ transaction }) => transaction);
	}

	private cut(): void {
		// Infinity minus infinity isn't a number.
		this.kept.sort((one, other) => (one.key === other.key ? 0 : one.key - other.key));
		this.kept.splice(Math.min(this.most, this.kept.length));
	}
}
