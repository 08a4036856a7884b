import { findFault } from './faults.mts';
import type { Cell, Ran } from './cell.mts';
import { by, outcomeOf, statesOf, struckItem, violationsOf } from './observe.mts';
import { expectedOf, isLie, roleOf, TELLING } from './outcomes.mts';

/** Compares a run with what the table and the rules of all cells say. */

/** Faults that change what an answer says in a way that nobody can notice. */
const UNNOTICED =
	/^described:|^shape:(unknown-fields|id-|status-|numbers|lists-|everything|key-|nested|body-empty-list)|^encoding:(latin|utf-8)|^errorFields:success-beside|^lists:(list-empty|entries-(with-|oldest)|first|total-too-small)|^size:/;

/**
 * Get Document hands on the text of the content as it came, and nobody can see where a picture or a
 * video has to end.
 */
const isUnnoticed = ({ scene, fault, request }: Cell) =>
	UNNOTICED.test(fault) ||
	// What strikes it is what it finds.
	scene === 'account/check' ||
	(scene.startsWith('transaction/check') && request.kind === 'list') ||
	(scene === 'document/get' && fault.startsWith('encoding:base64')) ||
	(/^(notarizationRecord\/download|transaction\/downloadPackage)/.test(scene) &&
		fault.startsWith('binary:cut'));

/** An output that names what is missing. */
const TOLD = /"missing_count":[1-9]/;

export interface Verdict {
	deviations: string[];
	outcome: string;
}

export function judge(ran: Ran): Verdict {
	const fault = findFault(ran.cell.fault);
	const lie = isLie(fault);
	const outcome = outcomeOf(ran);
	const deviations = violationsOf(ran, lie);
	const { expected, rule } = expectedOf(ran.cell);
	if (ran.struck === 0) deviations.push(`the fault struck nothing${by('strikes')}`);
	if (!lie && !expected.includes(outcome)) {
		const { said } = statesOf(ran)[struckItem(ran)];
		deviations.push(`${outcome} instead of ${expected.join(' or ')}, by ${rule}: ${said}`);
	}
	if (['read', 'list', 'download'].includes(roleOf(ran.cell)) && !isUnnoticed(ran.cell))
		deviations.push(...wrongOutputs(ran));
	return { deviations, outcome };
}

/** A read that succeeds gives what it gives without a fault. */
function wrongOutputs(ran: Ran): string[] {
	return statesOf(ran).flatMap(({ state }, index) => {
		if (state !== 'done') return [];
		const [given, wanted] = [ran.outputs[index], ran.undisturbed.outputs[ran.cell.items][index]];
		if (JSON.stringify(given) === JSON.stringify(wanted)) return [];
		if (TELLING.test(ran.cell.scene) && TOLD.test(given.join())) return [];
		return given.length === wanted.length
			? [
					`item ${index + 1} gives something else${by('undisturbed')}: ${firstDifference(given, wanted)}`,
				]
			: [
					`item ${index + 1} gives ${given.length} items instead of ${wanted.length}${by('undisturbed')}`,
				];
	});
}

function firstDifference(given: string[], wanted: string[]): string {
	const [one, other] = [given.join(), wanted.join()];
	const at = [...one].findIndex((letter, index) => letter !== other[index]);
	const around = (text: string) => text.slice(Math.max(0, at - 20), at + 40);
	return `${around(one)} | ${around(other)}`;
}
