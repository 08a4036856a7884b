import type { Cell } from './cell.mts';

interface Known {
	scenes?: RegExp;
	faults: RegExp;
	deviations: RegExp;
	why: string;
}

/**
 * Deviations that are known and not mended yet. The figures of the full form count them, and name
 * the entries that nothing needs any more.
 */
export const KNOWN: Known[] = [
	{
		scenes: /^underwriter\/getAll/,
		faults: /^shape:wrapped-data/,
		deviations: /gives something else/,
		why: 'a wrapped list of underwriters loses whether the agent was found',
	},
	{
		faults: /^time:stalled-within-body/,
		deviations: /sockets are still open/,
		why: 'a download that stalls leaves its socket open',
	},
	{
		scenes: /^(document\/download|transaction\/getAuditTrail)/,
		faults: /:(base64-)?cut\//,
		deviations: /gives something else/,
		why: 'a cut PDF is accepted',
	},
	{
		scenes: /download|getAuditTrail/,
		faults: /^compression:/,
		deviations: /gives something else|instead of succeeds/,
		why: 'compressed files with a length are refused, and files in gzip that is not named are taken',
	},
];

/** Why all deviations of a cell are known; undefined if one is not. */
export function knownDeviation({ scene, fault }: Cell, deviations: string[]): string | undefined {
	const fitting = KNOWN.filter(
		({ scenes, faults }) => (scenes === undefined || scenes.test(scene)) && faults.test(fault),
	);
	const isKnown = (told: string) => fitting.some((known) => known.deviations.test(told));
	return deviations.every(isKnown) ? fitting.map(({ why }) => why).join('; ') : undefined;
}
