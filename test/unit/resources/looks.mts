import type { Look } from '../../../nodes/SignAndClose/run/goals.ts';

/** How a write is looked up: after a success, after an answer that is none, and late after a lost one. */

export const AFTER_SUCCESS: Look = { isAnswered: true, isLost: false, isLate: false };
export const AFTER_ERROR: Look = { isAnswered: false, isLost: false, isLate: false };
export const AFTER_LOSS: Look = { isAnswered: false, isLost: true, isLate: true };
