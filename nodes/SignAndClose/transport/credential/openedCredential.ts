import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import {
	CREDENTIAL_TYPE,
	loadCredential,
	readSettings,
	type CredentialContext,
	type ServiceSettings,
} from './credential';

/** Milliseconds between two looks. Of many items with a wrong key, not each looks on its own. */
const BETWEEN_LOOKS_MS = 2_000;

/**
 * The credential of a run, opened once. n8n would open it for every request: read it from its
 * database, decrypt it and evaluate its expressions, which takes longer than the request itself.
 */
export class OpenedCredential {
	private reading: Promise<void> | undefined;

	private lastLook = -Infinity;

	/**
	 * @param settings what was read from the credential. A new key is noted there
	 */
	constructor(
		private readonly context: CredentialContext,
		private data: ICredentialDataDecryptedObject,
		private readonly settings: ServiceSettings,
	) {}

	/** As n8n's helper takes it. */
	get forHelper(): ICredentialsDecrypted {
		return { id: '', name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE, data: this.data };
	}

	/**
	 * Reads the credential anew, because the service has refused its key, and somebody may have
	 * entered another one during the run.
	 * @param refused the credential that was refused
	 * @returns whether there's another key for the same service now
	 */
	async hasChangedSince(refused: ICredentialsDecrypted): Promise<boolean> {
		if (refused.data === this.data && Date.now() - this.lastLook >= BETWEEN_LOOKS_MS) {
			this.reading ??= this.readAnew().finally(() => {
				this.reading = undefined;
				this.lastLook = Date.now();
			});
		}
		await this.reading;
		return refused.data !== this.data;
	}

	private async readAnew(): Promise<void> {
		let data: ICredentialDataDecryptedObject;
		let settings: ServiceSettings;
		try {
			data = await loadCredential(this.context);
			settings = readSettings(data);
		} catch {
			// The refusal says more than what's wrong with a credential that is being changed.
			return;
		}
		// The items done so far are at the old address. A new one counts from the next run on.
		const { account, baseUrl } = this.settings;
		if (settings.baseUrl !== baseUrl || settings.account === account) return;
		this.data = data;
		this.settings.account = settings.account;
		this.settings.secrets.push(...settings.secrets);
		this.settings.outputSecrets.push(...settings.outputSecrets);
	}
}
