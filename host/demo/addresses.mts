import type { Sandbox } from '../../sandbox/index.mts';
import { OWNER } from '../clients/n8n/session.mts';
import { OFFICE_MAIL } from '../mailbox/mailbox.mts';
import { CREDENTIAL_NAME, type Demo } from './setUpDemo.mts';

/* What `npm start` prints at its end: what to open for each job, and what to enter there. */

/** The list of workflows. The address alone would open n8n's assistant, without the workflows. */
export const workflowList = (editorUrl: string): string => `${editorUrl}/home/workflows`;

/** Where everything is that a person may open. */
export interface Places {
	editorUrl: string;
	sandbox: Pick<Sandbox, 'url' | 'keys'>;
	mailboxUrl: string;
	papersFolder: string;
	demo: Pick<Demo, 'examples' | 'archiveFolder'>;
}

/** Jobs of an office, named as in docs/recipes.md or README.md, each with the example that does it. */
const JOBS: Record<string, string> = {
	"Send a loan's PDFs": 'refinance-closing',
	'Single and joint borrowers': 'joint-borrowers',
	'Send a PDF from a form': 'form-to-signing',
	'Replace papers that were sent': 'new-papers',
	'Make closings of a sheet': 'closings-from-a-sheet',
	"Email about who hasn't signed": 'who-has-not-signed',
	'Archive what is complete': 'archive-completed-transactions',
};

/** Says what to open for each job, and what a credential for the sandbox needs. */
export function describeNextSteps({
	editorUrl,
	sandbox: { url, keys },
	mailboxUrl,
	papersFolder,
	demo: { examples, archiveFolder },
}: Places): string[] {
	const row = (label: string, place: string) => `  ${label.padEnd(32)}${place}`;
	return [
		`Next: open one, sign in with ${OWNER.email} and ${OWNER.password}, and select "Execute workflow":`,
		...Object.entries(JOBS).map(([job, name]) =>
			row(job, `${editorUrl}/workflow/${examples[name].id}`),
		),
		row(`All ${Object.keys(examples).length} examples`, workflowList(editorUrl)),
		'',
		'Beside it:',
		row('Play signer and notary', `${url}/console`),
		row('Read and write mails', mailboxUrl),
		row('Sample papers, by link', `${url}/samples`),
		row('Sample papers, as files', papersFolder),
		row('The archive', archiveFolder),
		'',
		`Credential "${CREDENTIAL_NAME}". For one of your own, enter:`,
		row('Base URL', url),
		row('API Key', keys.full),
		`Mail of the office (${OFFICE_MAIL}): both credentials are there.`,
	];
}
