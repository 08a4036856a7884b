import { binaryFaults } from './faults/binary.mts';
import { compressionFaults } from './faults/compression.mts';
import { encodingFaults } from './faults/encoding.mts';
import { errorFieldFaults } from './faults/errorFields.mts';
import { httpFaults } from './faults/http.mts';
import { listFaults } from './faults/lists.mts';
import { networkFaults } from './faults/network.mts';
import { redirectFaults } from './faults/redirect.mts';
import { shapeFaults } from './faults/shape.mts';
import { sizeFaults } from './faults/size.mts';
import { timeFaults } from './faults/time.mts';
import type { Fault } from './types.mts';

/**
 * Every fault. A name is that of the group's table, with `/before` where the work was not done when
 * the fault strikes and `/after` where it was; `group:name/when` is unique.
 */
export const FAULTS: readonly Fault[] = [
	...networkFaults,
	...httpFaults,
	...shapeFaults,
	...compressionFaults,
	...encodingFaults,
	...sizeFaults,
	...timeFaults,
	...redirectFaults,
	...listFaults,
	...errorFieldFaults,
	...binaryFaults,
].map((fault) => ({ ...fault, name: `${fault.group}:${fault.name}` }));

const BY_NAME = new Map(FAULTS.map((fault) => [fault.name, fault]));

/** The fault of a name such as `network:reset-before-headers/after`. */
export function findFault(name: string): Fault;
export function findFault(name: string, optional: true): Fault | undefined;
export function findFault(name: string, optional = false): Fault | undefined {
	const fault = BY_NAME.get(name);
	if (!fault && !optional) throw new Error(`There is no fault "${name}"`);
	return fault;
}
