import type { Sandbox } from '../../sandbox/index.mts';
import { OWNER } from '../clients/n8n/session.mts';
import { CREDENTIAL_NAME } from './setUpDemo.mts';

/* What `npm start` prints at its end: where to go on, and what to enter there. */

/** The list of workflows. The address alone would open n8n's assistant, without the workflows. */
export const workflowList = (editorUrl: string): string => `${editorUrl}/home/workflows`;

/** Says where editor, workflow and console are, and what a credential for the sandbox needs. */
export function describeAddresses(
	editorUrl: string,
	{ url, keys }: Pick<Sandbox, 'url' | 'keys'>,
	workflowId: string,
): string[] {
	return [
		`Editor      ${workflowList(editorUrl)}`,
		`            sign in with ${OWNER.email} and ${OWNER.password}`,
		`Workflow    ${editorUrl}/workflow/${workflowId}`,
		`Console     ${url}/console  (act as signer and notary of your own closings)`,
		`Credential  "${CREDENTIAL_NAME}" is there already. For another one, enter:`,
		`            Base URL  ${url}`,
		`            API Key   ${keys.full}`,
	];
}
