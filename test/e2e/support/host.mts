import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { N8nClient } from '../../../host/clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../host/clients/n8n/names.mts';
import type { CredentialReference } from '../../../host/clients/n8n/types.mts';
import { sandboxCredential } from '../../../host/clients/sandboxApi.mts';
import { CREDENTIAL_NAME } from '../../../host/demo/setUpDemo.mts';
import { startN8n, type RunningN8n } from '../../../host/run/n8n.mts';
import type { N8nOptions } from '../../../host/run/n8nEnvironment.mts';
import { freePort } from '../../../host/run/ports.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { TARBALL } from '../../support/tarball.mts';

/** A real n8n with the packed package, a sandbox, and a credential for it. */
export interface Host {
	n8n: RunningN8n;
	api: N8nClient;
	sandbox: Sandbox;
	/** The value of a node's `credentials`. */
	credentials: { signAndCloseApi: CredentialReference };
	/** Workflows may read and write files in this folder. */
	folder: string;
	/** Kills n8n and starts it again, with the same database and port. */
	killAndStart(): Promise<void>;
	/** Stops n8n and the sandbox and deletes their files. */
	stop(): Promise<void>;
}

/** Starts n8n and a sandbox. In this n8n only loopback names resolve. */
export async function startHost(
	options: { sandbox?: SandboxOptions } & Pick<N8nOptions, 'editor' | 'env'> = {},
): Promise<Host> {
	const userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	const folder = join(userFolder, 'archive');
	const sandbox = await startSandbox(options.sandbox);
	const port = await freePort();
	let n8n: RunningN8n | undefined;
	const start = async () =>
		await startN8n({
			userFolder,
			tarball: TARBALL,
			port,
			filesFolder: folder,
			editor: options.editor,
			env: { SIGN_AND_CLOSE_OUTSIDE: 'closed', ...options.env },
		});
	const stop = async () => {
		await n8n?.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		n8n = await start();
		const credential = await n8n.api.credentials.save(
			CREDENTIAL_NAME,
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const host: Host = {
			n8n,
			api: n8n.api,
			sandbox,
			credentials: { signAndCloseApi: credential },
			folder,
			async killAndStart() {
				await host.n8n.kill();
				n8n = host.n8n = await start();
				host.api = n8n.api;
			},
			stop,
		};
		return host;
	} catch (error) {
		await stop();
		throw error;
	}
}
