import { answerFaults } from './faults/answers.mts';
import { connectionFaults } from './faults/connection.mts';
import { refusalFaults } from './faults/refusals.mts';
import type { Fault } from './types.mts';

/**
 * Every fault, one for each way in which a client can go wrong. A name is `group:name/before` where
 * the work was not done when the fault strikes, `group:name/after` where it was, and
 * `group:name/later-3s` where it's done three seconds later.
 */
export const FAULTS: readonly Fault[] = [...connectionFaults, ...refusalFaults, ...answerFaults];
