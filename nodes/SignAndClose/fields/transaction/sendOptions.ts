import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import type { Platform } from '../../service/endpoints';
import { flag, readCollection } from '../shared/builders';

/** The options of sending a draft (docs/service/transactions.md#send). */
export const sendOptions: INodeProperties[] = [
	flag(
		'Require New Signer Verification',
		'require_new_signer_verification',
		'Whether signers must verify again, even if they did before',
	),
	flag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing without preparation by the closing team (real estate only)',
	),
	flag('Suppress Email', 'suppress_email', 'Whether to skip the invitation email'),
];

/**
 * Reads these options as fields of the request; some exist on real estate only.
 * @throws InputFailure naming the field
 */
export function readSendOptions(params: Params, platform: Platform): IDataObject {
	const { skip_closing_ops: skip, ...both } = readCollection(
		params,
		params.object('additionalFields'),
		sendOptions,
	);
	return {
		...both,
		...(platform === 'realEstate' && skip !== undefined && { skip_closing_ops: skip }),
	};
}
