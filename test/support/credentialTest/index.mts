import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** What n8n says of a credential. `Crash` stands for a 500 of n8n. */
export interface CredentialTestResult {
	status: 'OK' | 'Error' | 'Crash';
	message: string;
}

/** n8n's own test of credentials, until it is ended. */
export interface CredentialTest extends AsyncDisposable {
	/** Tests a credential as the editor does when one is saved. */
	run(credential: ICredentialDataDecryptedObject): Promise<CredentialTestResult>;
	/** Opens a credential for a node: n8n fills in defaults and drops what its form doesn't show. */
	open(credential: ICredentialDataDecryptedObject): Promise<ICredentialDataDecryptedObject>;
}

/** Starts n8n's own test of credentials (child.mts). Credentials are tested one after the other. */
export async function startCredentialTest(): Promise<CredentialTest> {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'child.mts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
		env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
	});
	await once(child, 'spawn');
	const ended = once(child, 'exit');
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const ask = async (act: 'test' | 'open', data: ICredentialDataDecryptedObject) => {
		child.stdin.write(`${JSON.stringify({ act, data })}\n`);
		for (;;) {
			const { value, done } = await lines.next();
			if (done === true) throw new Error("n8n's test of credentials has ended");
			// n8n may write lines of its own.
			if (value.startsWith('@')) return JSON.parse(value.slice(1)) as unknown;
		}
	};
	return {
		run: async (credential) => (await ask('test', credential)) as CredentialTestResult,
		open: async (credential) => (await ask('open', credential)) as ICredentialDataDecryptedObject,
		async [Symbol.asyncDispose]() {
			child.kill();
			await ended;
		},
	};
}
