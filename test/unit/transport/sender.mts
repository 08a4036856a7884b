import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { RequestSender } from '../../../nodes/SignAndClose/transport/request/sender.ts';
import { executionOf } from '../../support/engine.mts';

/** What sends requests in one of n8n's executions, with n8n's own helper and without a key. */

interface Sending {
	limits?: Partial<Limits>;
	/** Says that the execution is cancelled. */
	signal?: AbortSignal;
	/** Without one, no key is sent. */
	credential?: ICredentialDataDecryptedObject;
}

type SendOptions = Parameters<RequestSender['send']>[1];

export function senderOf({ limits, signal, credential = {} }: Sending = {}) {
	const context = executionOf({ parameters: {} }, signal)();
	const sender = new RequestSender(context, { ...LIMITS, ...limits }, 'unused', credential);
	return {
		context,
		sender,
		send: async (
			method: string,
			url: string,
			more: Partial<SendOptions & Omit<IHttpRequestOptions, 'url' | 'method'>> = {},
		) => {
			const { streamed, urgent: impatient, ...options } = more;
			return await sender.send({ ...options, url, method } as Parameters<typeof sender.send>[0], {
				withKey: false,
				streamed,
				urgent: impatient,
			});
		},
	};
}
