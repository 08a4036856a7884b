import type { N8nClient } from '../clients/n8n/client.mts';
import { failureReason, outputJson } from '../clients/n8n/executionData.mts';
import type { Execution } from '../clients/n8n/types.mts';
import { SandboxConsole } from '../clients/sandboxConsole.mts';
import { checkArchive, type ArchivedFile } from './checkArchive.mts';
import type { Demo } from './setUpDemo.mts';

/** What became of one closing. */
export interface ClosingResult {
	transactionId: string;
	/** Every status it had, in order: "sent", or "sent (detail)". */
	statuses: string[];
	files: ArchivedFile[];
	/** A sentence for each thing that went wrong. */
	problems: string[];
}

/** A closing that the first example workflow has sent. */
export interface SentClosing {
	transactionId: string;
	documentCount: number;
	execution: Execution;
}

const STATUS_POLL_MS = 100;

/**
 * Takes a closing from address check to archive in a real n8n: runs the closing workflow, acts as
 * signer and notary, waits for the archive workflow and checks the archived files.
 * @param log receives a line for each step
 * @param logStatus receives a line for each status that the service gives the transaction
 */
export async function runClosing(
	api: N8nClient,
	sandboxUrl: string,
	demo: Demo,
	log: (line: string) => void = () => undefined,
	logStatus: (line: string) => void = () => undefined,
): Promise<ClosingResult> {
	const sandbox = new SandboxConsole(sandboxUrl);
	const statusLog = await logStatuses(sandbox, logStatus);
	try {
		log(`Running the workflow "${demo.closing.name}"`);
		const { transactionId, documentCount } = await sendClosing(api, demo);
		await statusLog.catchUp();
		log(`  sent to the signer, with ${documentCount} documents and the eNote (${transactionId})`);
		await completeClosing(api, sandboxUrl, demo, transactionId, (line) => {
			void statusLog.catchUp();
			log(line);
		});
		await statusLog.catchUp();
		const { history } = await sandbox.transaction(transactionId);
		const checked = await checkArchive(
			demo.archiveFolder,
			transactionId,
			await sandbox.files(transactionId),
		);
		return { transactionId, statuses: history.map(formatStatus), ...checked };
	} finally {
		statusLog.stop();
	}
}

/** Runs the workflow that makes a closing and sends it. */
export async function sendClosing(api: N8nClient, demo: Demo): Promise<SentClosing> {
	const execution = await api.executions.runToEnd(demo.closing.id);
	assertSuccess(execution, demo.closing.name);
	const [sent] = outputJson(execution, 'Create and send closing');
	return {
		transactionId: String(sent.transaction_id),
		documentCount: (sent.documents_added as unknown[]).length,
		execution,
	};
}

/**
 * Acts as the signer and the notary of a closing, and waits for the workflow that archives it.
 * @param log receives a line for each step
 * @returns the execution of the archive workflow
 */
export async function completeClosing(
	api: N8nClient,
	sandboxUrl: string,
	demo: Demo,
	transactionId: string,
	log: (line: string) => void,
): Promise<Execution> {
	const earlier = new Set((await api.executions.list(demo.archive.id)).map(({ id }) => id));
	const sandbox = new SandboxConsole(sandboxUrl);
	log('Acting as the signer: signing the documents');
	await sandbox.act(transactionId, 'sign');
	log('Acting as the notary: meeting the signer on video and notarizing');
	await sandbox.act(transactionId, 'notarize');
	log(`Waiting for the workflow "${demo.archive.name}"`);
	const [archiving] = await api.executions.waitForFinished(demo.archive.id, 1, {
		except: earlier,
	});
	assertSuccess(archiving, demo.archive.name);
	return archiving;
}

/** Logs every new status of every new transaction. */
async function logStatuses(
	sandbox: SandboxConsole,
	log: (line: string) => void,
): Promise<{ catchUp(): Promise<void>; stop(): void }> {
	const existing = new Set((await sandbox.transactions()).map(({ id }) => id));
	const loggedCounts = new Map<string, number>();
	const logNew = async () => {
		// The last poll may find that the sandbox has been closed.
		for (const { id, history } of await sandbox.transactions().catch(() => [])) {
			if (existing.has(id)) continue;
			const logged = loggedCounts.get(id) ?? 0;
			// Two polls may overlap, so the count is set before anything is logged.
			loggedCounts.set(id, Math.max(logged, history.length));
			for (const status of history.slice(logged)) log(`  status: ${formatStatus(status)}`);
		}
	};
	const timer = setInterval(() => void logNew(), STATUS_POLL_MS);
	return { catchUp: logNew, stop: () => clearInterval(timer) };
}

function formatStatus(entry: { status: string; detailed_status: string }): string {
	const { status, detailed_status: detail } = entry;
	return status === detail ? status : `${status} (${detail})`;
}

function assertSuccess(execution: Execution, name: string): void {
	if (execution.status !== 'success')
		throw new Error(`The workflow "${name}" failed. ${failureReason(execution)}`);
}
