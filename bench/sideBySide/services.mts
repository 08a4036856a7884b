import type { AnswerTimes } from '../answerTimes.mts';

/** The services at which reads are compared: they vary as real ones do, a constant one is among them. */

/** A kind of service. */
export interface Service {
	name: string;
	times: AnswerTimes;
	/** The share of items that get 503 when they're asked for first. */
	unavailable?: number;
}

/** What other work than reads is compared at. */
export const USUAL: Service = {
	name: '200 ms, sigma 0.6',
	times: { medianMs: 200, sigma: 0.6 },
};

const usual = [20, 50, 200, 500].flatMap((medianMs) =>
	[0.3, 0.6, 1].map((sigma): Service => ({
		name: `${medianMs} ms, sigma ${sigma}`,
		times: { medianMs, sigma },
	})),
);

const unusual: Service[] = [
	{ name: '50 ms, constant', times: { medianMs: 50, sigma: 0 } },
	{ name: '200 ms, sigma 0.6, 1 % ten times slower', times: { ...USUAL.times, slowShare: 0.01 } },
	{ name: '200 ms, sigma 0.6, first ten times faster', times: { ...USUAL.times, fastFirst: true } },
	{
		name: '200 ms, sigma 0.6, three times slower in the end',
		times: { ...USUAL.times, drift: { times: 3, items: 1000 } },
	},
	{ name: '200 ms, sigma 0.6, 0.5 % of 503', times: USUAL.times, unavailable: 0.005 },
];

export const SERVICES = [...usual, ...unusual];
