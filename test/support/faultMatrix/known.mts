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
		faults: /^time:upgrade-101/,
		deviations: /still ran|instead of/,
		why: 'an upgrade is waited for without a limit',
	},
	{
		faults: /^http:status-(425|52[0-4])/,
		deviations: /fails instead of succeeds/,
		why: 'reads are not repeated after 425 and 520 to 524',
	},
	{
		faults: /429-retry-in-(10-years|1e400)/,
		deviations: /succeeds instead of fails/,
		why: 'a pause that is too long is forgotten by the next try',
	},
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
		scenes: /getAll|address\/verify|webhook\/get/,
		faults: /^(shape|errorFields|lists|http):/,
		deviations: /gives (0|1|2|3) items instead/,
		why: 'a list of an unexpected shape is taken for an empty one',
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
