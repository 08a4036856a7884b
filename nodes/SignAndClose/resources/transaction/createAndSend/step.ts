import type { IDataObject } from 'n8n-workflow';

import type { OperationCall, OperationResult, Part } from '../../../run/operation';
import type { Earlier } from './documents';

/* What a step of an item comes to. A later try of the execution takes it from memory. */

/** What a step has come to. */
export interface Step {
	what: string;
	when: string;
	outcome: 'done' | 'found';
}

export const step = (what: string, outcome: Step['outcome'] = 'done'): Step => ({
	what,
	when: new Date().toISOString(),
	outcome,
});

/** What is known of the transaction once it's found or created. */
export interface Begun extends Earlier {
	transaction_id: string;
	existing: boolean;
	/** It was sent before: nothing is added. */
	isSent: boolean;
	hasEnote: boolean;
}

export const NEW = { isSent: false, hasEnote: false, there: {}, replaced: {} };

export const resultOf = (json: object, steps: Step[], more: Partial<OperationResult> = {}) => ({
	json: { ...json, steps } as unknown as IDataObject,
	...more,
});

export const begunIn = ([first]: OperationResult[]) => first?.json as unknown as Begun | undefined;

/** A write to the transaction. */
export interface StepWrite extends Pick<Part, 'ifLost'> {
	write(call: OperationCall, begun: Begun): Promise<OperationResult>;
}
