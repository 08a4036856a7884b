import { type Execution, type N8nApi, outputOf, whyFailed } from '../clients/n8nApi.mts';
import { checkArchive, type ArchivedFile } from './archiveFolder.mts';
import { Console } from '../clients/sandboxConsole.mts';
import type { Demo } from './setUp.mts';

/**
 * The whole way of a closing, from address check to archived package, driven through a real n8n.
 */

export interface Journey {
	transactionId: string;
	/** Every state it was in, in order: "sent" or "sent (detail)". */
	states: string[];
	files: ArchivedFile[];
	/** Why the journey is not all right, in sentences. */
	complaints: string[];
}

const ARCHIVE_LIMIT_MS = 60_000;
const WATCH_MS = 100;

/**
 * Runs the closing flow, plays signer and notary, waits for the archive and checks it. `tell` is
 * given a line for each step.
 */
export async function travel(
	api: N8nApi,
	sandboxUrl: string,
	demo: Demo,
	tell: (line: string) => void,
): Promise<Journey> {
	const before = new Set((await api.executions(demo.archive.id)).map(({ id }) => id));
	const people = new Console(sandboxUrl);
	const states = await watchStates(people, tell);
	try {
		tell('Running the flow "Refinance closing" ...');
		const run = await api.runToEnd(demo.closing.id);
		await states.catchUp();
		succeed(run, 'Refinance closing');
		const [sent] = outputOf(run, 'Send closing');
		const transactionId = String(sent.transaction_id);
		tell(
			`  closing ${transactionId}: ${outputOf(run, 'Add document').length} documents and the eNote added, sent to the signer`,
		);
		tell('Playing the signer: signs the documents');
		await people.act(transactionId, 'sign');
		await states.catchUp();
		tell('Playing the notary: meets the signer on video and notarizes');
		await people.act(transactionId, 'notarize');
		await states.catchUp();
		tell('Waiting for the flow "Archive completed transactions" ...');
		const [archived] = await api.waitForExecutions(demo.archive.id, 1, {
			except: before,
			waitMs: ARCHIVE_LIMIT_MS,
		});
		succeed(archived, 'Archive completed transactions');
		const { history } = await people.transaction(transactionId);
		const checked = await checkArchive(
			demo.archiveFolder,
			transactionId,
			await people.files(transactionId),
		);
		return { transactionId, states: history.map(inWords), ...checked };
	} finally {
		states.stop();
	}
}

/** Tells every new state of every new transaction as it happens. */
async function watchStates(
	people: Console,
	tell: (line: string) => void,
): Promise<{ catchUp(): Promise<void>; stop(): void }> {
	const old = new Set((await people.transactions()).map(({ id }) => id));
	const told = new Map<string, number>();
	const look = async () => {
		// A look that finds the sandbox closed has nothing to tell.
		for (const { id, history } of await people.transactions().catch(() => [])) {
			if (old.has(id)) continue;
			const known = told.get(id) ?? 0;
			// Set before telling: two looks may cross.
			told.set(id, Math.max(known, history.length));
			for (const state of history.slice(known)) tell(`  state: ${inWords(state)}`);
		}
	};
	const timer = setInterval(() => void look(), WATCH_MS);
	return { catchUp: look, stop: () => clearInterval(timer) };
}

function inWords({ status, detailed_status }: { status: string; detailed_status: string }): string {
	return status === detailed_status ? status : `${status} (${detailed_status})`;
}

function succeed(execution: Execution, name: string): void {
	if (execution.status !== 'success')
		throw new Error(`The flow "${name}" did not succeed. ${whyFailed(execution)}`);
}
