import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../scripts/runtime.mjs';
import type { CredentialReference, WorkflowJson } from '../clients/n8n/types.mts';

/** The URLs, folders and mailboxes that replace the placeholders of the examples. */
interface ExampleValues {
	sandboxUrl: string;
	archiveFolder: string;
	/** The incoming webhook of a chat. */
	chatUrl?: string;
	teamMail?: string;
	fromMail?: string;
}

/**
 * Reads an example workflow of examples/ and fills in its placeholders.
 * @param credentials the credential to select for each type
 * @param folder where the workflow is
 */
export function readExample(
	name: string,
	{ sandboxUrl, archiveFolder, chatUrl = '', teamMail = '', fromMail = '' }: ExampleValues,
	credentials: Record<string, CredentialReference>,
	folder = join(ROOT, 'examples'),
): WorkflowJson {
	// Expressions may not read n8n's environment, so the values are written into the workflow.
	const values = {
		__SANDBOX_URL__: sandboxUrl,
		__ARCHIVE_DIR__: archiveFolder,
		__CHAT_WEBHOOK_URL__: chatUrl,
		__TEAM_MAIL__: teamMail,
		__FROM_MAIL__: fromMail,
	};
	let text = readFileSync(join(folder, `${name}.json`), 'utf8');
	for (const [placeholder, value] of Object.entries(values))
		text = text.replaceAll(placeholder, escapeForJson(value));
	const workflow = JSON.parse(text) as WorkflowJson;
	for (const node of workflow.nodes)
		for (const type of Object.keys(node.credentials ?? {}))
			node.credentials![type] = credentials[type];
	return workflow;
}

function escapeForJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}
