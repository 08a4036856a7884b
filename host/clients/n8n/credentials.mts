import type { Session } from './session.mts';
import type { CredentialReference } from './types.mts';

/** Credentials of the signed-in user. */
export class Credentials {
	readonly #session: Session;

	constructor(session: Session) {
		this.#session = session;
	}

	/** Creates a credential, or replaces the one with this name. */
	async save(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<CredentialReference> {
		const all = await this.#session.send<Array<CredentialReference & { type: string }>>(
			'GET',
			'/rest/credentials',
		);
		const known = all.find((credential) => credential.name === name && credential.type === type);
		const body = { name, type, data };
		const saved =
			known === undefined
				? await this.#session.send<{ id: string }>('POST', '/rest/credentials', body)
				: await this.#session.send<{ id: string }>('PATCH', `/rest/credentials/${known.id}`, body);
		return { id: saved.id, name };
	}

	/** Runs the test of a credential type with this data, as the Retry button does. */
	async test(
		type: string,
		data: Record<string, unknown>,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.#session.send('POST', '/rest/credentials/test', {
			credentials: { id: '', name: 'Test', type, data },
		});
	}

	async delete(id: string): Promise<void> {
		await this.#session.send('DELETE', `/rest/credentials/${id}`);
	}
}
