/** Which deliveries come, and in which order: the same for the same seed. */

export type Forgery = 'no secret' | 'wrong secret' | 'wrong signature' | 'changed body';

export interface PlannedDelivery {
	/** Number of the event, from 0; forged ones have numbers of their own. */
	event: number;
	repeat: boolean;
	/** Taken out of its order. */
	moved: boolean;
	/** The service can not be asked about it at first. */
	refused: boolean;
	forged?: Forgery;
	payloadOf: (transactionId: string) => object;
}

const SHARES = { repeated: 0.3, moved: 0.2, forged: 0.05, refused: 0.1 };
const FORGERIES: Forgery[] = ['no secret', 'wrong secret', 'wrong signature', 'changed body'];
/** How far a delivery is moved, at most. */
const FARTHEST = 200;

/** A small generator of numbers in [0, 1), so that a run repeats (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const payload = (event: number, genuine: boolean) => (transactionId: string) => ({
	event: event % 2 === 0 ? 'transaction.updated' : 'transaction.document.processed',
	data: {
		transaction_id: genuine ? transactionId : 'ot_forged',
		date_occurred: new Date(1_767_225_600_000 + event).toISOString(),
		number: event,
	},
});

export function planStorm({
	deliveries,
	seed,
}: {
	deliveries: number;
	seed: number;
}): PlannedDelivery[] {
	const random = randomFrom(seed);
	const count = {
		repeated: Math.round(deliveries * SHARES.repeated),
		forged: Math.round(deliveries * SHARES.forged),
	};
	const events = deliveries - count.repeated - count.forged;
	const plan: PlannedDelivery[] = Array.from({ length: events }, (_, event) => ({
		event,
		repeat: false,
		moved: false,
		refused: random() < SHARES.refused,
		payloadOf: payload(event, true),
	}));
	for (let index = 0; index < count.repeated; index++) {
		const event = Math.floor(random() * events);
		const original = plan.findIndex((delivery) => delivery.event === event && !delivery.repeat);
		const at = original + 1 + Math.floor(random() * (plan.length - original));
		plan.splice(at, 0, { ...plan[original], repeat: true });
	}
	for (let index = 0; index < count.forged; index++) {
		const event = events + index;
		plan.splice(Math.floor(random() * plan.length), 0, {
			event,
			repeat: false,
			moved: false,
			refused: false,
			forged: FORGERIES[index % FORGERIES.length],
			payloadOf: payload(event, false),
		});
	}
	for (let moved = 0; moved < Math.round(deliveries * SHARES.moved);) {
		const from = Math.floor(random() * plan.length);
		if (plan[from].moved) continue;
		moved += 1;
		const [delivery] = plan.splice(from, 1);
		plan.splice(
			Math.min(plan.length, from + 1 + Math.floor(random() * FARTHEST)),
			0,
			Object.assign(delivery, { moved: true }),
		);
	}
	return plan;
}
