import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CREDENTIAL_TYPE, type N8nApi } from '../../../host/clients/n8nApi.mts';
import { CREDENTIAL_NAME, sandboxCredential } from '../../../host/demo/setUp.mts';
import { startN8n, type N8nOptions, type RunningN8n } from '../../../host/run/n8n.mts';
import { RUN_DIR } from '../../../scripts/runtime.mjs';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';

/**
 * A real n8n with the packed package, a sandbox, and a credential that joins them: what every test
 * in test/e2e begins with.
 */

/** What `npm test` has packed. */
export const TARBALL = join(RUN_DIR, 'package.tgz');

export interface Host {
	n8n: RunningN8n;
	api: N8nApi;
	sandbox: Sandbox;
	/** As a node's `credentials` wants it. */
	credentials: { signAndCloseApi: { id: string; name: string } };
	/** Flows may read and write here. */
	folder: string;
	/** Ends all of it and takes the files away. */
	stop(): Promise<void>;
}

/** Starts all of it; no name but loopback resolves in this n8n. */
export async function startHost(
	options: { sandbox?: SandboxOptions; n8n?: Partial<N8nOptions> } = {},
): Promise<Host> {
	const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	const folder = join(place, 'archive');
	const sandbox = await startSandbox(options.sandbox);
	let n8n: RunningN8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		await sandbox.close();
		rmSync(place, { recursive: true, force: true });
	};
	try {
		n8n = await startN8n({
			userFolder: place,
			tarball: TARBALL,
			filesFolder: folder,
			...options.n8n,
			env: { SIGN_AND_CLOSE_OUTSIDE: 'closed', ...options.n8n?.env },
		});
		const credential = await n8n.api.saveCredential(
			CREDENTIAL_NAME,
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		return {
			n8n,
			api: n8n.api,
			sandbox,
			credentials: { signAndCloseApi: credential },
			folder,
			stop,
		};
	} catch (thrown) {
		await stop();
		throw thrown;
	}
}
