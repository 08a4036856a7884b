import type { Sandbox } from '../../sandbox/index.mts';
import { OWNER } from '../clients/n8n/session.mts';
import { CREDENTIAL_NAME } from './setUpDemo.mts';

/* What `npm start` prints at its end: what to open and press, and what to enter there. */

/** The list of workflows. The address alone would open n8n's assistant, without the workflows. */
export const workflowList = (editorUrl: string): string => `${editorUrl}/home/workflows`;

/**
 * Says what to open and what to press next, and what a credential for the sandbox needs.
 * @param workflowName the example that the first step opens
 */
export function describeNextSteps(
	editorUrl: string,
	{ url, keys }: Pick<Sandbox, 'url' | 'keys'>,
	{ id, name }: { id: string; name: string },
): string[] {
	return [
		'Next: make a closing of your own.',
		`  1. Open ${editorUrl}/workflow/${id}`,
		`     and sign in with ${OWNER.email} and ${OWNER.password}.`,
		`  2. Press "Execute workflow": "${name}" creates a closing and sends it.`,
		`  3. Open ${url}/console and press what the signer and the notary do next.`,
		'     A completed closing is archived at once.',
		'',
		`All workflows are at ${workflowList(editorUrl)}.`,
		`They use the credential "${CREDENTIAL_NAME}". For another one, enter:`,
		`  Base URL  ${url}`,
		`  API Key   ${keys.full}`,
	];
}
