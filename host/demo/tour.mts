import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import { outputJson } from '../clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../clients/n8n/names.mts';
import { OWNER } from '../clients/n8n/session.mts';
import { sandboxCredential } from '../clients/sandboxApi.mts';
import { SandboxConsole } from '../clients/sandboxConsole.mts';
import { checkArchive } from './checkArchive.mts';
import { completeClosing, sendClosing } from './runClosing.mts';
import { CREDENTIAL_NAME, type Demo } from './setUpDemo.mts';

/**
 * The demonstration that n8n's verification asks for, told on the screen: the package, its
 * credential, operations, and the trigger. Each part does something in the running n8n, says what
 * came of it, and where to see it.
 */
export interface Tour {
	api: N8nClient;
	sandbox: Pick<Sandbox, 'url' | 'keys'>;
	demo: Demo;
	editorUrl: string;
	/** Receives each line. */
	print(line?: string): void;
	/** Waits until the person who watches goes on. */
	waitForReader(): Promise<void>;
}

/**
 * Tells the whole tour.
 * @returns a sentence for each thing that isn't as the tour tells it
 */
export async function runTour(tour: Tour): Promise<string[]> {
	const begin = (title: string) => {
		tour.print();
		tour.print(title);
	};
	begin('1 of 4: The package is installed');
	const problems = await showPackage(tour);
	await tour.waitForReader();
	begin('2 of 4: The credential is tested');
	problems.push(...(await testCredential(tour)));
	await tour.waitForReader();
	begin('3 of 4: One node makes a closing and sends it');
	const transactionId = await showSending(tour);
	await tour.waitForReader();
	begin('4 of 4: The trigger fires when the closing is completed');
	problems.push(...(await showTrigger(tour, transactionId)));
	return problems;
}

async function showPackage({ api, editorUrl, print }: Tour): Promise<string[]> {
	const installed = await api.packages.list();
	for (const { packageName, installedVersion, installedNodes } of installed)
		print(
			`  ${packageName} ${installedVersion}: ${installedNodes.map(({ name }) => name).join(', ')}`,
		);
	print(`  See it: ${editorUrl}/settings/community-nodes`);
	print(`  Sign in with ${OWNER.email} and ${OWNER.password}.`);
	return installed.length === 1 ? [] : [`n8n lists ${installed.length} packages instead of one`];
}

async function testCredential({ api, sandbox, editorUrl, print }: Tour): Promise<string[]> {
	const right = sandboxCredential(sandbox);
	const wrong = { ...right, apiKey: `${right.apiKey}x` };
	const [accepted, refused] = [
		await api.credentials.test(CREDENTIAL_TYPE, right),
		await api.credentials.test(CREDENTIAL_TYPE, wrong),
	];
	print(`  With its key: ${accepted.message}`);
	print(`  With a letter too many: ${refused.message}`);
	print(`  See it: ${editorUrl}/home/credentials, "${CREDENTIAL_NAME}"`);
	return [
		...(accepted.status === 'OK' ? [] : ["The key of the sandbox isn't accepted"]),
		...(refused.status === 'Error' ? [] : ['A wrong key is accepted']),
	];
}

/** What a closing's own fields say, in the order in which somebody reads them. */
const SHOWN_FIELDS = ['transaction_id', 'status', 'waiting_for', 'signed', 'ended'];

async function showSending({ api, demo, editorUrl, print }: Tour): Promise<string> {
	const { transactionId, documentCount, execution } = await sendClosing(api, demo);
	const [closing] = outputJson(execution, 'Create and send closing');
	for (const field of SHOWN_FIELDS) print(`  ${field}: ${String(closing[field])}`);
	print(`  documents_added: ${documentCount}`);
	print(`  See it: ${editorUrl}/workflow/${demo.closing.id}/executions/${execution.id}`);
	return transactionId;
}

async function showTrigger(
	{ api, sandbox, demo, editorUrl, print }: Tour,
	transactionId: string,
): Promise<string[]> {
	const archiving = await completeClosing(api, sandbox.url, demo, transactionId, (line) =>
		print(`  ${line}`),
	);
	const [event] = outputJson(archiving, 'When a transaction is completed');
	const files = await new SandboxConsole(sandbox.url).files(transactionId);
	const archive = await checkArchive(demo.archiveFolder, transactionId, files);
	print(`  Received: ${String(event.event)}`);
	print(`  Archived: ${archive.files.length} files, in ${demo.archiveFolder}`);
	print(`  See it: ${editorUrl}/workflow/${demo.archive.id}/executions/${archiving.id}`);
	print(`  What the service shows: ${sandbox.url}/console`);
	return archive.problems;
}
