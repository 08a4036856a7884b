import { seededRandom } from '../seededRandom.mts';
import type { AccountName } from './accounts.mts';

/**
 * How a forged call fails to prove where it comes from. One that is made up proves it, as by somebody
 * who knows secret and key, but says that a draft is completed.
 */
type Forgery = 'no secret' | 'wrong secret' | 'wrong signature' | 'changed body' | 'made up';

export interface PlannedDelivery {
	/** The event's number, from 0. Forged events have numbers that no genuine event has. */
	event: number;
	repeat: boolean;
	/** Whether it comes later than its event's number says. */
	reordered: boolean;
	/** Whether the service doesn't answer at first when it is asked about the event. */
	refused: boolean;
	forgery?: Forgery;
	/** Whose event it is, by default the first account's. */
	account?: AccountName;
	makePayload: (transactionId: string) => { event: string; data: object };
}

/** What share of the deliveries, or of the events for `refused`, has each trait. */
const SHARES = { repeated: 0.3, reordered: 0.2, forged: 0.05, refused: 0.1 };
const FORGERIES: Forgery[] = [
	'no secret',
	'wrong secret',
	'wrong signature',
	'changed body',
	'made up',
];
/** How many places a delivery is moved at most. */
const MAX_DISTANCE = 200;

const BEGIN_MS = 1_767_225_600_000;
/** How many documents are processed in the same second. */
const IN_ONE_SECOND = 20;

/** Makes the payload of an event, each time with the same date unless it is made up. */
export const payloadMaker = (event: number, forgery?: Forgery) => (transactionId: string) => {
	const data = {
		transaction_id: forgery === undefined || forgery === 'made up' ? transactionId : 'ot_forged',
		number: event,
	};
	if (forgery === 'made up')
		return {
			event: 'transaction.completed',
			data: { ...data, date_occurred: new Date().toISOString() },
		};
	if (event % 2 === 0)
		return {
			event: 'transaction.updated',
			data: { ...data, date_occurred: new Date(BEGIN_MS + event).toISOString() },
		};
	const second = BEGIN_MS + 1_000 * Math.floor(event / IN_ONE_SECOND);
	return {
		event: 'transaction.document.processed',
		data: {
			...data,
			date_occurred: new Date(second).toISOString(),
			document: { document_id: `do_${event}`, name: 'Deed' },
		},
	};
};

/** Which deliveries are sent, and in which order. The plan is the same for the same seed. */
export function planStorm({
	deliveries,
	seed,
}: {
	deliveries: number;
	seed: number;
}): PlannedDelivery[] {
	const random = seededRandom(seed);
	const counts = {
		repeated: Math.round(deliveries * SHARES.repeated),
		forged: Math.round(deliveries * SHARES.forged),
	};
	const events = deliveries - counts.repeated - counts.forged;
	const plan: PlannedDelivery[] = Array.from({ length: events }, (_, event) => ({
		event,
		repeat: false,
		reordered: false,
		refused: random() < SHARES.refused,
		makePayload: payloadMaker(event),
	}));
	for (let index = 0; index < counts.repeated; index++) {
		const event = Math.floor(random() * events);
		const original = plan.findIndex((delivery) => delivery.event === event && !delivery.repeat);
		const at = original + 1 + Math.floor(random() * (plan.length - original));
		plan.splice(at, 0, { ...plan[original], repeat: true });
	}
	for (let index = 0; index < counts.forged; index++) {
		const event = events + index;
		const forgery = FORGERIES[index % FORGERIES.length];
		plan.splice(Math.floor(random() * plan.length), 0, {
			event,
			repeat: false,
			reordered: false,
			refused: false,
			forgery,
			makePayload: payloadMaker(event, forgery),
		});
	}
	for (let count = 0; count < Math.round(deliveries * SHARES.reordered);) {
		const from = Math.floor(random() * plan.length);
		if (plan[from].reordered) continue;
		count += 1;
		const [delivery] = plan.splice(from, 1);
		plan.splice(
			Math.min(plan.length, from + 1 + Math.floor(random() * MAX_DISTANCE)),
			0,
			Object.assign(delivery, { reordered: true }),
		);
	}
	return plan;
}
