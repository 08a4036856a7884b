import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createService } from '../../../nodes/SignAndClose/transport/client.ts';
import { hookContext } from '../../support/engine.mts';

/** A client of a service, with n8n's own helper for requests. */
export async function clientOf(credential: ICredentialDataDecryptedObject) {
	return await createService(hookContext({ credential, parameters: {} }, 'path').context);
}
