import type { Cell } from './cell.mts';
import { FAULTS } from './faults.mts';

interface Known {
	scenes: RegExp;
	faults: RegExp;
	deviations: RegExp;
	why: string;
}

/**
 * Deviations that are known and not mended. Each entry names no more than what really deviates,
 * because whatever else it fits would go unnoticed. The figures of the full form count them, and it
 * fails if nothing needs one.
 */
const KNOWN: Known[] = [
	{
		scenes: /^transaction\/(createAndSend|copy)/,
		faults: /^shape:id-(number|of-another)\/after/,
		deviations: /^fails instead of/,
		why: 'the ID with which a create is answered is believed: another one has no documents to add to',
	},
	{
		scenes: /^transaction\/createClosing#/,
		faults: /^shape:id-of-another\/after/,
		deviations: /^fails instead of/,
		why: 'the organization that the key is said to have is believed in later tries, too',
	},
	{
		scenes: /^underwriter\/getAll/,
		faults: /^shape:wrapped-data/,
		deviations: /gives something else/,
		why: 'a wrapped list of underwriters loses whether the agent was found',
	},
	{
		scenes: /^(document\/download|transaction\/getAuditTrail)/,
		faults: /:(base64-)?cut\//,
		deviations: /gives something else/,
		why: 'a cut PDF is accepted',
	},
	{
		scenes: /^(notarizationRecord\/download|transaction\/downloadPackage)/,
		faults: /^compression:gzip-not-said\//,
		deviations: /gives something else/,
		why: 'a picture or video in gzip that is not named is saved as it came',
	},
	{
		scenes: /^(document\/import|transaction\/resend)/,
		faults: /^size:huge-text\/after/,
		deviations: /^unknown instead of/,
		why: 'what leaves no trace, such as an import, is unknown if its answer is too large',
	},
	{
		scenes: /^(document|enote|transaction)\/(delete|forceComplete|replaceDocuments)/,
		faults: /^http:status-429-retry-in-10-years\/before/,
		deviations: /^unknown instead of/,
		why: 'another write of the run is unknown if the question whether it is done is refused',
	},
	{
		scenes: /^transaction\/downloadFiles/,
		faults: /^(binary:cut\/|redirect:30[27]-elsewhere\/|compression:gzip-(truncated|not-said)\/)/,
		deviations: /^item \d+ gives something else/,
		why: 'a file of any format is saved as it came',
	},
	{
		scenes: /^transaction\/downloadFiles/,
		faults: /^network:length-too-short/,
		deviations: /^item \d+ gives something else/,
		why: 'a file of any format ends where its announced length ends, unless the rest comes in time',
	},
	{
		scenes: /^(document\/applyRules#replace|transaction\/replaceDocuments)/,
		faults: /\/before$/,
		deviations: /^unknown instead of/,
		why: 'a replacement whose addition may be lost is unknown: a new run looks, and goes on',
	},
	{
		scenes: /^(document\/applyRules#replace|transaction\/copy)/,
		faults: /^described:all\/after/,
		deviations: /^item \d+ is reported as done, without document\.added/,
		why: 'what a service shows as the documents of a transaction is believed',
	},
];

/** Why all deviations of a cell are known; undefined if one is not. */
export function knownDeviation({ scene, fault }: Cell, told: string[]): string | undefined {
	const needed = KNOWN.filter(
		({ scenes, faults, deviations }) =>
			scenes.test(scene) && faults.test(fault) && told.some((one) => deviations.test(one)),
	);
	return told.every((one) => needed.some(({ deviations }) => deviations.test(one)))
		? needed.map(({ why }) => why).join('; ')
		: undefined;
}

/**
 * The entries that nothing needed, of those whose faults were met, and those whose faults don't
 * exist.
 * @param met names of the faults
 * @param needed what knownDeviation() gave
 */
export function unneededEntries(met: string[], needed: string[]): string[] {
	const all = FAULTS.map(({ name }) => name);
	return KNOWN.filter(
		({ faults, why }) =>
			(met.some((name) => faults.test(name)) || !all.some((name) => faults.test(name))) &&
			!needed.some((reasons) => reasons.includes(why)),
	).map(({ why }) => why);
}
