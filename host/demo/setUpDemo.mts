import { mkdirSync, rmSync } from 'node:fs';

import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../clients/n8n/names.mts';
import type { CredentialReference, StoredWorkflow } from '../clients/n8n/types.mts';
import { sandboxCredential } from '../clients/sandboxApi.mts';
import { readExample } from './exampleWorkflows.mts';

export const CREDENTIAL_NAME = 'Sign and Close (sandbox)';

/** What `npm start` shows: the workflow that makes a closing and the one that archives it. */
export interface Demo {
	closing: StoredWorkflow;
	archive: StoredWorkflow;
	credential: CredentialReference;
	archiveFolder: string;
}

/** Saves the credential and both example workflows, and publishes the archive workflow. */
export async function setUpDemo(
	api: N8nClient,
	sandbox: Sandbox,
	archiveFolder: string,
): Promise<Demo> {
	rmSync(archiveFolder, { recursive: true, force: true });
	mkdirSync(archiveFolder, { recursive: true });
	const credential = await api.credentials.save(
		CREDENTIAL_NAME,
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const values = { sandboxUrl: sandbox.url, archiveFolder };
	const closing = await api.workflows.save(
		readExample('refinance-closing', values, { [CREDENTIAL_TYPE]: credential }),
	);
	// Saving also unpublishes the workflow of an earlier start, whose sandbox is gone.
	const archive = await api.workflows.save(
		readExample('archive-completed-transactions', values, { [CREDENTIAL_TYPE]: credential }),
	);
	await api.workflows.publish(archive.id);
	return { closing, archive, credential, archiveFolder };
}
