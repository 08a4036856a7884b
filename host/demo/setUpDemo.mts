import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SAMPLE_PAPERS, samplePdf } from '../../sandbox/data/samples.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import type { N8nClient } from '../clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../clients/n8n/names.mts';
import type { CredentialReference, StoredWorkflow } from '../clients/n8n/types.mts';
import { sandboxCredential } from '../clients/sandboxApi.mts';
import { OFFICE_MAIL, TEAM_MAIL, type Mailbox } from '../mailbox/mailbox.mts';
import { readExample } from './exampleWorkflows.mts';

export const CREDENTIAL_NAME = 'Sign and Close (sandbox)';

/** What `npm start` shows: all examples, of which one makes a closing and one archives it. */
export interface Demo {
	closing: StoredWorkflow;
	archive: StoredWorkflow;
	/** By the name of the file. */
	examples: Record<string, StoredWorkflow>;
	credential: CredentialReference;
	archiveFolder: string;
}

/** Saves the credentials and all example workflows, and publishes the archive workflow. */
export async function setUpDemo(
	api: N8nClient,
	sandbox: Sandbox,
	mailbox: Mailbox,
	archiveFolder: string,
): Promise<Demo> {
	rmSync(archiveFolder, { recursive: true, force: true });
	mkdirSync(archiveFolder, { recursive: true });
	const credential = await api.credentials.save(
		CREDENTIAL_NAME,
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const credentials = {
		[CREDENTIAL_TYPE]: credential,
		...(await mailbox.saveCredentials(api)),
	};
	const values = {
		sandboxUrl: sandbox.url,
		archiveFolder,
		chatUrl: mailbox.chatUrl,
		teamMail: TEAM_MAIL,
		fromMail: OFFICE_MAIL,
	};
	const examples: Demo['examples'] = {};
	for (const name of exampleNames())
		// Saving also unpublishes the workflow of an earlier start, whose sandbox is gone.
		examples[name] = await api.workflows.save(readExample(name, values, credentials));
	const archive = examples['archive-completed-transactions'];
	await api.workflows.publish(archive.id);
	return { closing: examples['refinance-closing'], archive, examples, credential, archiveFolder };
}

/** The names of the files in examples/. */
export const exampleNames = (): string[] =>
	readdirSync(join(ROOT, 'examples')).map((file) => file.replace(/\.json$/, ''));

/** Rows as a loan system exports them, for the example that makes closings of a sheet. */
const LOANS = `Loan #,Borrower First Name,Borrower Last Name,Borrower E-Mail,Property Address,City,State,Zip
7006001,Ann,Lee,ann.lee@example.com,1 Elm Street,Boston,MA,02110
7006002,Bob,Ray,bob.ray@example.com,2 Elm Street,Springfield,MA,01103
7006003,Cleo,Park,cleo.park@example.com,3 Elm Street,Boston,MA,02110
`;

/** Writes the sample papers of a closing, and a sheet of loans, into a folder. */
export async function writePapers(folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	for (const { name, fileName } of SAMPLE_PAPERS)
		writeFileSync(join(folder, fileName), (await samplePdf(name))!);
	writeFileSync(join(folder, 'Loans.csv'), LOANS);
}
