import type { IDataObject } from 'n8n-workflow';

import { asText } from '../values/json';

/* The states of a transaction as people say them (docs/service/states.md). */

/** States whose names in the service don't say what is the case. The others read well. */
const WORDS: Record<string, string> = {
	started: 'draft',
	recalled: 'draft, recalled',
	sent_to_closing_ops: 'with the closing team',
	order_placed: 'with the closing team',
	sent_to_title_agency: 'with the title agency',
	sent_to_title_agent: 'with the title agency',
	viewed: 'opened by a signer',
	complete: 'completed',
	partially_complete: 'partially completed',
	complete_with_rejections: 'completed with rejections',
	esign_complete: 'signed electronically',
	wet_sign_complete: 'signed on paper',
	converted_to_wet_sign: 'to be signed on paper',
	identify_complete_idv_passed: 'completed, identity confirmed',
	identify_complete_idv_failed: 'completed, identity not confirmed',
};

/**
 * Says in words how far a transaction is. A draft whose detailed status is missing has the status
 * "started" (docs/service/states.md#detailed-status).
 * @returns undefined when the transaction doesn't say it
 */
export function stateInWords({
	detailed_status: detailed,
	status,
}: IDataObject): string | undefined {
	const state = asText(detailed) ?? asText(status);
	if (state === undefined) return undefined;
	// A detailed status of the same name belongs to a transaction that was sent.
	if (state === 'started' && status !== 'started') return state;
	return Object.hasOwn(WORDS, state) ? WORDS[state] : state.replaceAll('_', ' ');
}
