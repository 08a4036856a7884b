import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createService } from '../../../nodes/SignAndClose/transport/client.ts';
import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { hookContext } from '../../support/engine.mts';

/** A client of a service, with n8n's own helper for requests. */
export async function clientOf(
	credential: ICredentialDataDecryptedObject,
	limits: Partial<Limits> = {},
) {
	const { context } = hookContext({ credential, parameters: {} }, 'path');
	return await createService(context, { ...LIMITS, ...limits });
}
