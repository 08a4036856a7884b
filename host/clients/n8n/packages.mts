import { waitUntil } from '../../run/patience.mts';
import type { Session } from './session.mts';
import type { InstalledPackage } from './types.mts';

type TypeDescription = Record<string, unknown> & { name: string };

/** Community packages, and the node and credential types that n8n has loaded. */
export class Packages {
	readonly #session: Session;

	constructor(session: Session) {
		this.#session = session;
	}

	/**
	 * The packages that Settings > Community nodes lists. A busy n8n that has just started answers the
	 * editor's page for a moment, because it doesn't serve this route yet.
	 */
	async list(): Promise<InstalledPackage[]> {
		let listed: unknown;
		return await waitUntil(
			async () => {
				listed = await this.#session.send('GET', '/rest/community-packages');
				return Array.isArray(listed) && (listed as InstalledPackage[]);
			},
			() => `n8n lists no community packages, but ${JSON.stringify(listed)?.slice(0, 200)}`,
		);
	}

	/** Installs by name, as the Install button does. */
	async install(name: string, version: string): Promise<InstalledPackage> {
		return await this.#session.send('POST', '/rest/community-packages', { name, version });
	}

	/** Updates by name, as the Update button does. */
	async update(name: string, version: string): Promise<InstalledPackage> {
		return await this.#session.send('PATCH', '/rest/community-packages', { name, version });
	}

	/** Descriptions of the node types whose name starts with `prefix`, as the editor loads them. */
	async nodeTypes(prefix: string): Promise<TypeDescription[]> {
		const types = await this.#session.send<TypeDescription[]>('GET', '/types/nodes.json');
		return types.filter(({ name }) => name.startsWith(prefix));
	}

	/** Descriptions of the credential types whose name starts with `prefix`. */
	async credentialTypes(prefix: string): Promise<TypeDescription[]> {
		const types = await this.#session.send<TypeDescription[]>('GET', '/types/credentials.json');
		return types.filter(({ name }) => name.startsWith(prefix));
	}
}
