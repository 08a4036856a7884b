import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/index.mts';
import {
	CREDENTIAL_TYPE,
	type N8nApi,
	type StoredWorkflow,
	type WorkflowJson,
} from '../clients/n8nApi.mts';
import { ROOT } from '../../scripts/runtime.mjs';

/** The credential and the example flows, set up in an n8n for a sandbox. */

export const CREDENTIAL_NAME = 'Sign and Close (sandbox)';

export interface Demo {
	closing: StoredWorkflow;
	archive: StoredWorkflow;
	credential: { id: string; name: string };
	archiveFolder: string;
}

/** What the credential holds for a sandbox. */
export function sandboxCredential(sandbox: Pick<Sandbox, 'url' | 'keys'>): Record<string, string> {
	return {
		baseUrl: sandbox.url,
		apiKey: sandbox.keys.full,
		organizationId: '',
		pathLayout: 'documented',
		assuranceField: 'assurance_requirement',
		webhookSignatureHeader: 'X-Signature',
		webhookSigningSecret: '',
	};
}

/**
 * Makes a draft closing by a call of its own, past n8n: as somebody else at the service does.
 * @returns its id
 */
export async function makeClosing(
	{ url, keys }: Pick<Sandbox, 'url' | 'keys'>,
	more: object = {},
): Promise<string> {
	const body = {
		transaction_type: 'refinance',
		signer: { email: 'jane@example.com' },
		street_address: { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' },
		...more,
	};
	const answer = await fetch(`${url}/mortgage/v1/transactions`, {
		method: 'POST',
		headers: { ApiKey: keys.full, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return ((await answer.json()) as { id: string }).id;
}

/** What stands for an address, folder or mailbox of the user's own in the examples. */
export interface ExamplePlaces {
	sandboxUrl: string;
	archiveFolder: string;
	/** Incoming webhook of a chat. */
	chatUrl?: string;
	teamMail?: string;
	fromMail?: string;
}

/** An example flow for this sandbox, with its credentials (by type) chosen. */
export function readExample(
	name: string,
	{ sandboxUrl, archiveFolder, chatUrl = '', teamMail = '', fromMail = '' }: ExamplePlaces,
	credentials: Record<string, { id: string; name: string }>,
): WorkflowJson {
	// Expressions of n8n may not read the environment, so the places are written into the flow.
	const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
	const places = {
		__SANDBOX_URL__: sandboxUrl,
		__ARCHIVE_DIR__: archiveFolder,
		__CHAT_WEBHOOK_URL__: chatUrl,
		__TEAM_MAIL__: teamMail,
		__FROM_MAIL__: fromMail,
	};
	const text = Object.entries(places).reduce(
		(so, [mark, place]) => so.replaceAll(mark, inJson(place)),
		readFileSync(join(ROOT, 'examples', `${name}.json`), 'utf8'),
	);
	const workflow = JSON.parse(text) as WorkflowJson;
	for (const node of workflow.nodes)
		for (const type of Object.keys(node.credentials ?? {}))
			node.credentials![type] = credentials[type];
	return workflow;
}

/** Credential and both example flows in place, the archive flow published. */
export async function setUpDemo(
	api: N8nApi,
	sandbox: Sandbox,
	archiveFolder: string,
): Promise<Demo> {
	rmSync(archiveFolder, { recursive: true, force: true });
	mkdirSync(archiveFolder, { recursive: true });
	const credential = await api.saveCredential(
		CREDENTIAL_NAME,
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const places = { sandboxUrl: sandbox.url, archiveFolder };
	const closing = await api.saveWorkflow(
		readExample('refinance-closing', places, { [CREDENTIAL_TYPE]: credential }),
	);
	// Saving unpublishes what an earlier start left published against a sandbox that is gone.
	const archive = await api.saveWorkflow(
		readExample('archive-completed-transactions', places, { [CREDENTIAL_TYPE]: credential }),
	);
	await api.publish(archive.id);
	return { closing, archive, credential, archiveFolder };
}
