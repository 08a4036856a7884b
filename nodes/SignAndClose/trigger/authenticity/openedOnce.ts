import { sleep, type ICredentialDataDecryptedObject, type IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, loadCredential } from '../../transport/credential/credential';

/* One opening of the credential for deliveries that come at about the same time. */

/**
 * How long what was read serves other deliveries, in milliseconds: long enough for many that come at
 * once, and shorter than a person takes to save a credential and look at what it changes.
 */
const KEPT_MS = 1_000;

/** The openings of this process; docs/architecture.md lists all of its state. */
const openings = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/**
 * Reads the credential for deliveries. n8n sets up a sandbox for its expressions each time, which takes
 * longer than the question to the service. So deliveries of the same trigger that come while it is
 * being read, or within a second after that began, share it. A key that the service refuses is read
 * anew all the same.
 */
export const openedOnce = {
	/** @throws ServiceFailure `notSent` when n8n can't read it. The next delivery tries again */
	read: async (context: IWebhookFunctions): Promise<ICredentialDataDecryptedObject> => {
		const { id, credentials } = context.getNode();
		const reader = [context.getWorkflow().id, id, context.getMode()];
		const key = JSON.stringify([...reader, credentials?.[CREDENTIAL_TYPE]]);
		const known = openings.get(key);
		if (known !== undefined) return await known;
		const opening = loadCredential(context);
		openings.set(key, opening);
		const forget = () => {
			if (openings.get(key) === opening) openings.delete(key);
		};
		// A failure serves those who wait for it, and nobody else.
		opening.then(async () => await sleep(KEPT_MS)).then(forget, forget);
		return await opening;
	},
	/** Forgets everything that was read. */
	forget: (): void => openings.clear(),
};
